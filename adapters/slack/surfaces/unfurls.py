"""Cards under links: what the store knows of an arXiv paper that somebody links to.

Slack tells of links to the sites that the manifest names, in whatever conversation they stand,
but not of the bot's own: https://docs.slack.dev/messaging/unfurling-links-in-messages
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from adapters.common.layout.texts import cleaned
from adapters.platform import Services
from adapters.slack.answers.answering import Answering
from adapters.slack.api.client import Api
from adapters.slack.render.buttons import Press, Verb, button
from adapters.slack.render.limits import LONGEST_HEADER
from adapters.slack.requests.payloads import Payload, Request
from bot.domain.paper_ids import arxiv_id_in_url
from bot.replies.wording import marked_title, one_line, place, shorten
from store.coordination.request_claims import Claim, claim
from store.library import mentions
from store.records import Mention, Workspace

_MOST_LINKS = 2  # with more a message is a list, and cards under it would bury what it says
_ONCE_IN = timedelta(minutes=30)
_MOST_PLACES = 3
_LONGEST_LINE = 300

_Object = dict[str, Any]


class Unfurling:
    """Shows cards under links that people post or are about to post.

    Args:
        answering: knows the tokens of workspaces.
        api: Slack.
        parts: what the cards are made from.
    """

    def __init__(self, answering: Answering, api: Api, parts: Services) -> None:
        self._answering = answering
        self._api = api
        self._parts = parts

    async def unfurl(self, request: Request, event: Payload) -> None:
        """Show what is known of the papers that a `link_shared` event names, in one call.

        A paper has one card in a channel within half an hour, also where Slack then does not take
        it. While a message is only written nobody else sees its card, and Slack does not tell
        its channel: such a card counts for nothing, and Slack asks again once it is posted.

        Raises:
            SendError: as `Api.call`.
            StoreError: as `Database.read` and `Database.write`.
        """
        links = linked_papers(event)
        if not links or not await self._is_wanted(request):
            return
        known = await self._known(links)
        if not _is_draft(event):
            known = {
                url: found for url, found in known.items() if await self._claim(request, found)
            }
        if known:
            token = await self._answering.token(request)
            await self._api.call(
                token, "chat.unfurl", patient=True, unfurls=cards(known), **_target(event)
            )

    async def _is_wanted(self, request: Request) -> bool:
        workspace = Workspace("slack", request.workspace)
        return (await self._parts.workspaces.settings(workspace)).unfurls

    async def _known(self, links: Mapping[str, str]) -> dict[str, list[Mention]]:
        """Return the mentions of the papers that are known, each under the first of its links."""
        papers: dict[int, tuple[str, list[Mention]]] = {}
        for url, arxiv_id in links.items():
            found = await self._parts.database.read(mentions.by_arxiv_id, arxiv_id)
            if found:
                papers.setdefault(found[0].paper_id, (url, found))
        return dict(papers.values())

    async def _claim(self, request: Request, found: Sequence[Mention]) -> bool:
        key = f"unfurl:slack:{request.workspace}:{request.channel}:{found[0].paper_id}"
        wanted = Claim(key, self._parts.system_clock.now(), _ONCE_IN)
        return await self._parts.database.write(claim, wanted)


def linked_papers(event: Payload) -> dict[str, str]:
    """Return the arXiv ids in the links of a message, by link; none where the links are many."""
    urls = dict.fromkeys(str(link.get("url")) for link in event.get("links") or ())
    if len(urls) > _MOST_LINKS:
        return {}
    return {url: arxiv_id for url in urls if (arxiv_id := arxiv_id_in_url(url))}


def cards(known: Mapping[str, Sequence[Mention]]) -> dict[str, _Object]:
    """Return what `chat.unfurl` shows under links, from all mentions of each one's paper."""
    return {url: {"blocks": list(_card(found))} for url, found in known.items()}


def _card(found: Sequence[Mention]) -> Iterator[_Object]:
    """Show a paper by its mentions, newest first.

    All in plain text, where no sign of foreign words means anything: Slack takes no rich text
    here (at the end of https://docs.slack.dev/messaging/unfurling-links-in-messages), and no
    link either, for it would show that one's page below the card.
    """
    entry = found[0].entry
    if title := shorten(cleaned(marked_title(entry)), LONGEST_HEADER):
        yield {"type": "header", "text": _plain(title)}
    yield {"type": "context", "elements": [_plain(_places(found))]}
    if line := shorten(cleaned(_telling(found)), _LONGEST_LINE):
        yield {"type": "section", "text": _plain(line)}
    details = button("Details", Press(Verb.RUN, f"show {entry.ref}"), 1)
    yield {"type": "actions", "elements": [details]}


def _places(found: Sequence[Mention]) -> str:
    shown = [place(each.edition, each.entry) for each in found[:_MOST_PLACES]]
    more = len(found) - len(shown)
    return cleaned(f"Featured: {' · '.join([*shown, *([f'and {more} more'] if more else [])])}")


def _telling(found: Sequence[Mention]) -> str:
    """Return the first highlight of the newest mention that has any, else a first sentence."""
    highlights = (each.entry.highlights[0] for each in found if each.entry.highlights)
    if highlight := next(highlights, None):
        return f"{highlight.lead}: {highlight.text}" if highlight.lead else highlight.text
    return next(filter(None, (one_line(each.entry.summary) for each in found)), "")


def _plain(words: str) -> _Object:
    return {"type": "plain_text", "text": words, "emoji": False}


def _is_draft(event: Payload) -> bool:
    return event.get("source") == "composer"


def _target(event: Payload) -> dict[str, str]:
    """Return what names the message; one that is only written has neither channel nor instant.

    https://docs.slack.dev/reference/methods/chat.unfurl
    """
    if _is_draft(event) and event.get("unfurl_id"):
        return {"unfurl_id": event["unfurl_id"], "source": event["source"]}
    return {"channel": event["channel"], "ts": event["message_ts"]}
