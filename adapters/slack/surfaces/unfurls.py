"""Cards under links to arXiv papers that the store knows.

Slack reports links to the domains in the manifest, in any conversation, but not the bot's own:
https://docs.slack.dev/messaging/unfurling-links-in-messages
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.common.layout.texts import cleaned
from adapters.platform import Services
from adapters.slack.answers.responder import Responder
from adapters.slack.render.buttons import button, plain_text
from adapters.slack.render.limits import LONGEST_HEADER
from adapters.slack.requests.payloads import Payload, Request
from bot.domain.paper_ids import arxiv_id_in_url
from bot.replies.naming import line_about, shown_title
from bot.replies.wording import place, shorten
from store.coordination.request_claims import Claim, claim
from store.library import mentions
from store.records import Mention, Workspace

_MOST_LINKS = 2  # cards under a list of more links would bury the message
_ONCE_PER = timedelta(minutes=30)
_MOST_PLACES = 3
_LONGEST_SUMMARY = 300

_Block = dict[str, Any]


class Unfurler:
    """Shows cards under links that users post or are about to post.

    Args:
        responder: knows the tokens of workspaces, and calls Slack.
        parts: the store, the workspaces' settings and the clock.
    """

    def __init__(self, responder: Responder, parts: Services) -> None:
        self._responder = responder
        self._parts = parts

    async def unfurl(self, request: Request, event: Payload) -> None:
        """Show cards for the papers in a `link_shared` event, in one call.

        A paper gets one card in a channel within half an hour, even where Slack refuses it. The
        card of a draft is not counted: only its author sees it, Slack omits its channel, and sends
        the event again once it is posted.

        Raises:
            SendError: as `Api.call`.
            StoreError: as `Database.read` and `Database.write`.
        """
        links = linked_papers(event)
        if not links or not await self._is_enabled(request):
            return
        known = await self._known(links)
        if not _is_draft(event):
            known = {
                url: found for url, found in known.items() if await self._claim(request, found)
            }
        if known:
            token = await self._responder.token(request)
            await self._responder.api.call(
                token, "chat.unfurl", retry_rate_limit=True, unfurls=cards(known), **_target(event)
            )

    async def _is_enabled(self, request: Request) -> bool:
        workspace = Workspace("slack", request.workspace)
        return (await self._parts.workspaces.settings(workspace)).unfurls

    async def _known(self, links: Mapping[str, str]) -> dict[str, list[Mention]]:
        """Return the mentions of known papers, by the first link to each paper."""
        papers: dict[int, tuple[str, list[Mention]]] = {}
        today = self._parts.clock.now().date()
        for url, arxiv_id in links.items():
            found = await self._parts.database.read(mentions.by_arxiv_id, arxiv_id, today)
            if found:
                papers.setdefault(found[0].paper_id, (url, found))
        return dict(papers.values())

    async def _claim(self, request: Request, found: Sequence[Mention]) -> bool:
        key = f"unfurl:slack:{request.workspace}:{request.channel}:{found[0].paper_id}"
        card_claim = Claim(key, self._parts.system_clock.now(), _ONCE_PER)
        return await self._parts.database.write(claim, card_claim)


def linked_papers(event: Payload) -> dict[str, str]:
    """Return the arXiv ids in the links of a message, by link; none if there are many links."""
    urls = dict.fromkeys(str(link.get("url")) for link in event.get("links") or ())
    if len(urls) > _MOST_LINKS:
        return {}
    return {url: arxiv_id for url in urls if (arxiv_id := arxiv_id_in_url(url))}


def cards(known: Mapping[str, Sequence[Mention]]) -> dict[str, _Block]:
    """Return the `unfurls` of `chat.unfurl`, from all mentions of each link's paper."""
    return {url: {"blocks": list(_card(found))} for url, found in known.items()}


def _card(found: Sequence[Mention]) -> Iterator[_Block]:
    """Yield the blocks of a paper's card, from its mentions, newest first.

    All is plain text, in which untrusted text has no markup: Slack refuses rich text here (at the
    end of https://docs.slack.dev/messaging/unfurling-links-in-messages) and would unfurl a link
    in the card again.
    """
    entry = found[0].entry
    if title := shorten(cleaned(shown_title(entry)), LONGEST_HEADER):
        yield {"type": "header", "text": plain_text(title)}
    yield {"type": "context", "elements": [plain_text(_places(found))]}
    if summary := shorten(cleaned(_summary(found)), _LONGEST_SUMMARY):
        yield {"type": "section", "text": plain_text(summary)}
    details = button("Details", ButtonAction(Effect.RUN, f"show {entry.ref}"), 1)
    yield {"type": "actions", "elements": [details]}


def _places(found: Sequence[Mention]) -> str:
    shown = [place(each.edition, each.entry) for each in found[:_MOST_PLACES]]
    more = len(found) - len(shown)
    return cleaned(f"Featured: {' · '.join([*shown, *([f'and {more} more'] if more else [])])}")


def _summary(found: Sequence[Mention]) -> str:
    """Return the first highlight of the newest mention that has one, else a first sentence."""
    highlights = (each.entry.highlights[0] for each in found if each.entry.highlights)
    if highlight := next(highlights, None):
        return f"{highlight.lead}: {highlight.text}" if highlight.lead else highlight.text
    return next(filter(None, (line_about(each.entry) for each in found)), "")


def _is_draft(event: Payload) -> bool:
    return event.get("source") == "composer"


def _target(event: Payload) -> dict[str, str]:
    """Return the arguments that identify the message; a draft has no channel and no `ts`.

    https://docs.slack.dev/reference/methods/chat.unfurl
    """
    if _is_draft(event) and event.get("unfurl_id"):
        return {"unfurl_id": event["unfurl_id"], "source": event["source"]}
    return {"channel": event["channel"], "ts": event["message_ts"]}
