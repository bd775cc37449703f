"""Cards under links to papers that the store knows."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.common.tasks import Tasks
from adapters.platform import Services
from adapters.slack.answers.files import FileUploader
from adapters.slack.answers.responder import Responder
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.api.tokens import FixedToken
from adapters.slack.listeners import requested_by
from adapters.slack.render.buttons import read_action
from adapters.slack.requests.actors import Actors
from adapters.slack.requests.payloads import from_event, from_interaction
from adapters.slack.surfaces.unfurls import Unfurler, cards, linked_papers
from bot.errors import SendError
from store.database import Database
from store.library import mentions
from store.records import Highlight, Mention, Workspace
from tests.adapters.common.services import services_over
from tests.adapters.slack.connected_bot import running
from tests.adapters.slack.payload_rules import judge_message
from tests.bot.conftest import EARLIER, WEEK, copied_store
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.slack import Drop, FakeSlack, Message, Refuse

KNOWN = "https://arxiv.org/abs/2601.00003"
OTHER = "https://arxiv.org/abs/2601.00009"
UNKNOWN = "https://arxiv.org/abs/2601.99999"
NOW = datetime(2026, 1, 12, 9, tzinfo=UTC)
# The same paper in a third week, with a highlight, and another paper.
LATER = edition(
    entry(1, "Routing Experts", "Routes <tokens>. And more.", links=[KNOWN]),
    entry(2, "Other", "About others. At length.", links=[OTHER], highlights=["Helps *all*"]),
    first_day=MONDAY + timedelta(days=7),
)


@pytest.fixture
def filled(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with one paper in three weeks and another in one."""
    yield from copied_store(sqlite_template, "unfurls.db", _fill, tmp_path / "filled.db")


def _fill(database: Database) -> None:
    for draft in (EARLIER, WEEK, LATER):
        asyncio.run(database.write(take_in, draft, "dair"))


@dataclass
class MovingClock:
    """A clock that a test sets."""

    at: datetime = NOW

    def now(self) -> datetime:
        """Return its time."""
        return self.at


@dataclass
class Bench:
    """The part that unfurls, and the Slack that it unfurls in."""

    slack: FakeSlack
    unfurling: Unfurler
    parts: Services
    clock: MovingClock

    async def post(
        self, text: str, channel: str = "C1", *, composing: bool = False, **fields: Any
    ) -> Message:
        """Let U1 post a message, or only write it, and Slack tell of the links in it."""
        if composing:
            message = Message("unfurl-1", "T1", channel, "U1", text=text)
            self.slack.previews["unfurl-1"] = message
            place = {"channel": "COMPOSER", "message_ts": "unfurl-1"}
        else:
            message = self.slack.say(text, channel=channel)
            place = {"channel": channel, "message_ts": message.ts}
        links = [{"domain": "arxiv.org", "url": url} for url in text.split() if "://" in url]
        event = {
            "type": "link_shared",
            "user": "U1",
            "links": links,
            "source": "composer" if composing else "conversations_history",
            "unfurl_id": "unfurl-1" if composing else "unfurl-2",
            **place,
            **fields,
        }
        request = from_event({"team_id": "T1", "event_id": "Ev1", "event": event})
        await self.unfurling.unfurl(request, event)
        return message

    @property
    def calls(self) -> int:
        """The number of calls of Slack."""
        return len(self.slack.calls())


@asynccontextmanager
async def bench(database: Database) -> AsyncIterator[Bench]:
    """Give what unfurls, over a store, in the workspace T1."""
    clock = MovingClock()
    parts = replace(services_over(database), system_clock=clock)
    async with FakeSlack() as slack, open_session() as session:
        api = Api(slack.api_url, session, parts.metrics)
        limited = RateLimitedApi(api, parts.rate_limiter)
        titles, tokens = ThreadTitles(limited, Tasks()), FixedToken("xoxb-1")
        responder = Responder(
            app=parts.app,
            api=api,
            limited=limited,
            authorizations=tokens,
            actors=Actors(api, "anyone"),
            database=database,
            system_clock=clock,
            titles=titles,
            uploader=FileUploader(limited, titles),
        )
        yield Bench(slack, Unfurler(responder, parts), parts, clock)


def plain(words: str) -> dict[str, Any]:
    """Return words as Block Kit's plain text."""
    return {"type": "plain_text", "text": words, "emoji": False}


def shown(card: dict[str, Any]) -> list[str]:
    """Return the words of a card by block, but for its button."""
    *words, _ = card["blocks"]
    return [(block.get("text") or block["elements"][0])["text"] for block in words]


@pytest.mark.parametrize(
    ("url", "arxiv_id"),
    [
        ("https://arxiv.org/abs/2601.00003", "2601.00003"),
        ("http://arxiv.org/abs/2601.00003v2", "2601.00003"),
        ("https://www.arxiv.org/pdf/2601.00003", "2601.00003"),
        ("https://arxiv.org/pdf/2601.00003v12.pdf", "2601.00003"),
        ("https://export.arxiv.org/abs/0704.0001", "0704.0001"),
        ("https://arxiv.org/html/2601.00003v1#S3.F2", "2601.00003"),
        ("https://arxiv.org/abs/2601.00003?context=cs.CL", "2601.00003"),
        ("https://arxiv.org/pdf/2601.00003.pdf?download=1#page=4", "2601.00003"),
        ("https://arxiv.org/abs/hep-th/9901001", "hep-th/9901001"),
        ("https://arxiv.org/pdf/math.GT/0309136v1.pdf", "math.GT/0309136"),
        ("https://ArXiv.org/abs/2601.00003", "2601.00003"),
        ("https://arxiv.org/abs/hep-th%2F9901001", "hep-th/9901001"),
    ],
)
def test_a_link_to_a_paper_names_it(url: str, arxiv_id: str) -> None:
    """An arXiv URL of any host, form and version names its paper."""
    assert linked_papers({"links": [{"domain": "arxiv.org", "url": url}]}) == {url: arxiv_id}


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/",
        "https://arxiv.org/list/cs.CL/2601",
        "https://arxiv.org/abs/",
        "https://arxiv.org/abs/26010.00003",
        "https://arxiv.org/a/someone_1",
        "https://info.arxiv.org/help/2601.00003",
        "https://notarxiv.org/abs/2601.00003",
    ],
)
def test_a_link_to_no_paper_names_none(url: str) -> None:
    """Lists, help and people are no papers, and another site is not arXiv."""
    assert linked_papers({"links": [{"domain": "arxiv.org", "url": url}]}) == {}


@pytest.mark.parametrize(
    ("urls", "number"),
    [
        ([KNOWN], 1),
        ([KNOWN, OTHER], 2),
        ([KNOWN, KNOWN, OTHER], 2),
        ([KNOWN, OTHER, UNKNOWN], 0),
        ([KNOWN, "https://info.arxiv.org/", "https://arxiv.org/list/cs.CL/2601"], 0),
        ([], 0),
    ],
)
def test_a_message_of_many_links_is_left_alone(urls: list[str], number: int) -> None:
    """From three different links on, whatever they lead to, none is looked at."""
    links = [{"domain": "arxiv.org", "url": url} for url in urls]
    assert len(linked_papers({"links": links})) == number


async def test_a_card_shows_the_stored_paper(filled: Database) -> None:
    """Title, each place newest first, a first highlight or sentence, and a way to the rest."""
    found = await filled.read(mentions.by_arxiv_id, "2601.00003")
    card = cards({KNOWN: found})[KNOWN]
    assert card["blocks"] == [
        {"type": "header", "text": plain("Routing Experts")},
        {
            "type": "context",
            "elements": [
                plain(
                    "Featured: #1 in dair, Jan 12–18, 2026 · #3 in dair,"
                    " Jan 5–11, 2026 · #1 in dair, Dec 29, 2025 – Jan 4, 2026"
                )
            ],
        },
        {"type": "section", "text": plain("Routes <tokens>")},
        {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "text": plain("Details"),
                    "action_id": "run-1",
                    "value": "1 show dair:2026-01-12#1",
                }
            ],
        },
    ]


async def test_a_highlight_goes_before_the_summary(filled: Database) -> None:
    """A paper with highlights is shown by the first of them."""
    found = await filled.read(mentions.by_arxiv_id, "2601.00009")
    assert shown(cards({OTHER: found})[OTHER])[2] == "Lead: Helps *all*"


async def test_an_older_highlight_serves_where_the_newest_has_none(filled: Database) -> None:
    """A newest mention without text does not hide an earlier highlight."""
    newest, *older = await filled.read(mentions.by_arxiv_id, "2601.00003")
    told = replace(older[0].entry, highlights=(Highlight(None, "Said before"),))
    found = [newest, replace(older[0], entry=told)]
    assert shown(cards({KNOWN: found})[KNOWN])[2] == "Said before"


async def test_a_card_names_three_places_and_counts_the_rest(filled: Database) -> None:
    """A paper that is everywhere does not fill the channel with where."""
    found = await filled.read(mentions.by_arxiv_id, "2601.00003")
    line = shown(cards({KNOWN: [*found, *found]})[KNOWN])[1]
    assert line.count("#") == 3
    assert line.endswith("· and 3 more")


NASTY = ["*<!channel>* <@U1> &amp; `x`", "\x1b[31m\u202ered", "ab " * 4_000, "\U0001f4a5" * 5_000]


@pytest.mark.parametrize("text", ["", "\u200b", *NASTY])
async def test_a_card_is_within_every_limit(filled: Database, text: str) -> None:
    """Slack takes a card of any text; rich text, which it takes nowhere in a card, is not used."""
    known = await filled.read(mentions.by_arxiv_id, "2601.00009")
    nasty = replace(known[0].entry, title=text, highlights=(Highlight(text, text),), summary=text)
    found = [Mention(1, known[0].edition, nasty)] * 5
    card = cards({OTHER: found})[OTHER]
    judge_message({"text": "card", **card})
    assert "rich_text" not in dumps(card)
    assert "mrkdwn" not in dumps(card)
    assert len(dumps(card)) < 12_000


async def test_a_known_link_has_a_card(filled: Database) -> None:
    """A link to a paper that the store knows unfurls under the message that holds it."""
    async with bench(filled) as at:
        message = await at.post(f"look: {KNOWN}v2")
        assert list(message.unfurls) == [f"{KNOWN}v2"]
        button = message.unfurls[f"{KNOWN}v2"]["blocks"][-1]["elements"][0]
        assert read_action(button) == ButtonAction(Effect.RUN, "show dair:2026-01-12#1")


async def test_other_links_are_left_alone(filled: Database) -> None:
    """An unknown paper, what is no paper and a list of three links have no card, and cost no call.

    A page and its PDF are one paper, shown under the first of the links.
    """
    async with bench(filled) as at:
        await at.post(UNKNOWN)
        await at.post("https://arxiv.org/list/cs.CL/2601")
        await at.post(f"{KNOWN} {OTHER} {UNKNOWN}")
        assert at.calls == 0
        message = await at.post(f"{KNOWN} https://arxiv.org/pdf/2601.00003v1")
        assert list(message.unfurls) == [KNOWN]


async def test_two_links_of_a_message_take_one_call(filled: Database) -> None:
    """Both cards of a message go out together, and what is unknown between them does not."""
    async with bench(filled) as at:
        both = await at.post(f"{KNOWN} {OTHER}")
        assert list(both.unfurls) == [KNOWN, OTHER]
        assert at.calls == 1
        half = await at.post(f"{UNKNOWN} {OTHER}", channel="C2")
        assert list(half.unfurls) == [OTHER]


async def test_a_channel_has_a_paper_once_in_half_an_hour(filled: Database) -> None:
    """The same paper again, by whatever link, has no card for thirty minutes; another has."""
    async with bench(filled) as at:
        await at.post(KNOWN)
        at.clock.at += timedelta(minutes=29)
        again = await at.post(f"https://arxiv.org/pdf/2601.00003 {OTHER}")
        assert list(again.unfurls) == [OTHER]
        assert (await at.post(KNOWN, channel="C2")).unfurls, "another channel has its own time"
        at.clock.at += timedelta(minutes=1)
        assert (await at.post(KNOWN)).unfurls


async def test_two_messages_at_once_have_one_card(database: Database) -> None:
    """Only the first replica shows the card."""
    await database.write(take_in, LATER, "dair")
    async with bench(database) as at:
        await asyncio.gather(at.post(KNOWN), at.post(KNOWN))
        assert at.calls == 1


async def test_writing_a_message_shows_a_card_and_uses_none_up(filled: Database) -> None:
    """A draft has a card, and so has the message once it is posted."""
    async with bench(filled) as at:
        draft = await at.post(KNOWN, composing=True)
        assert list(draft.unfurls) == [KNOWN]
        assert at.slack.calls("chat.unfurl")[0].arguments.keys() == {
            "unfurl_id", "source", "unfurls",
        }  # fmt: skip
        assert (await at.post(KNOWN)).unfurls
        assert (await at.post(KNOWN, composing=True)).unfurls


async def test_an_organisation_tells_no_source(filled: Database) -> None:
    """Without `source` and `unfurl_id` a message is named by its channel and instant."""
    async with bench(filled) as at:
        assert (await at.post(KNOWN, source=None)).unfurls


async def test_a_workspace_may_do_without_cards(filled: Database) -> None:
    """`settings unfurls off` ends them in that workspace."""
    async with bench(filled) as at:
        await at.parts.workspaces.change(Workspace("slack", "T1"), {"unfurls": "off"})
        await at.post(KNOWN)
        assert at.calls == 0
        await at.parts.workspaces.change(Workspace("slack", "T1"), {"unfurls": None})
        assert (await at.post(KNOWN)).unfurls


async def test_a_card_that_fails_is_not_tried_again(filled: Database) -> None:
    """A card that Slack refused, or may have accepted, is not sent twice in half an hour."""
    async with bench(filled) as at:
        for number, fault in enumerate((Refuse("cannot_unfurl_url"), Drop()), start=1):
            at.slack.fail("chat.unfurl", fault)
            with pytest.raises(SendError):
                await at.post(KNOWN, channel=f"C{number}")
            await at.post(KNOWN, channel=f"C{number}")
            assert at.calls == number


async def test_a_link_reaches_the_bot_and_a_repeat_changes_nothing(filled: Database) -> None:
    """Over the real connection a posted link has its card, also where Slack tells of it twice."""
    async with FakeSlack() as slack, running(filled, slack):
        ack = await slack.post_link(f"look: {KNOWN}")
        await slack.settled(lambda: ack.sent and ack.sent.unfurls)
        await slack.repeat(ack)
        await slack.post_link(OTHER)
        await slack.settled(lambda: len(slack.calls("chat.unfurl")) == 2)
        assert ack.payload is None


@pytest.mark.parametrize("channel", ["C1", "D9"])
def test_the_button_of_a_card_answers_the_user_alone(channel: str) -> None:
    """A card may be where the bot can't post, so its button is answered ephemerally."""
    container = {"type": "message_attachment", "channel_id": channel, "is_ephemeral": False}
    body = {"container": container, "channel": {"id": channel}, "user": {"id": "U1"}}
    press = ButtonAction(Effect.RUN, "show 1")
    showing = requested_by(body, from_interaction(body), press)
    assert (showing.private, showing.replaces) == (True, False)


async def test_the_bot_has_no_cards_under_its_own_links(filled: Database) -> None:
    """The bot's own messages get no cards, should Slack ever report them."""
    async with FakeSlack() as slack, running(filled, slack):
        own = await slack.post_link(KNOWN, user="UBOT1")
        other = await slack.post_link(OTHER)
        await slack.settled(lambda: other.sent and other.sent.unfurls)
        assert len(slack.calls("chat.unfurl")) == 1
        assert own.acked
