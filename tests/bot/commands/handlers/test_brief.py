"""`brief`, and `show` as far as that counts as seen: asked as readers ask."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from threading import Event

import pytest

from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.types import BackgroundTasks
from bot.domain.drafts import EditionDraft
from bot.replies.blocks import Moments, PaperCard, Reply, Text, Title
from bot.replies.plain_text import plain_text
from bot.sources.followed import predefined
from store import sources as followed
from store.database import Database, Session
from store.posting import subscriptions
from store.readers import seen
from store.readers.seen import FeedScope
from store.records import Channel, ChannelFacts, Subscription, SubscriptionState, Workspace
from store.workspaces import people
from tests.bot.conftest import READER, FixedClock, answered, bot_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.member_channels import bot_over
from tests.bot.replies.parts import buttons
from tests.store.consensus.fused_weeks import SECOND, takes_in, week
from tests.store.posting.test_subscriptions import ORDER

CLOCK = FixedClock()


@pytest.fixture
def long_week(database: Database) -> Database:
    """Return a store with a week of two papers of 150 words each, and an older one of three."""
    asyncio.run(takes_in(database, ("dair", _long(1, 2)), ("dair", _older())))
    return database


def _long(*numbers: int) -> EditionDraft:
    """Draft papers of 50 words and a highlight of 100 each."""
    words = " ".join(["word"] * 48)
    return edition(
        *(
            entry(rank, f"Paper {number}", words, highlights=["point " * 99])
            for rank, number in enumerate(numbers, start=1)
        ),
        first_day=SECOND,
    )


def _older() -> EditionDraft:
    return week(7, 8, 9, first_day=MONDAY - timedelta(weeks=5))


def _ask(
    app: Broadsheet | Database, text: str, actor: Actor = READER, key: str | None = None
) -> Reply:
    bot = bot_over(app, CLOCK) if isinstance(app, Database) else app
    return asyncio.run(_asked(bot, text, actor, key))


async def _asked(bot: Broadsheet, text: str, actor: Actor, key: str | None = None) -> Reply:
    """Ask as a program of its own does, which ends when all is done."""
    reply = await bot.run_text(text, actor, key)
    await bot.wait()
    return reply


def _cards(reply: Reply) -> list[tuple[str, int]]:
    """Return the papers of a brief, each with how many highlights of it are shown."""
    cards = [block for block in reply.blocks if isinstance(block, PaperCard)]
    return [(card.title, len(card.highlights)) for card in cards]


def _titles(reply: Reply) -> list[str]:
    return [title for title, _ in _cards(reply)]


def _said(reply: Reply) -> list[str]:
    """Return the title and the paragraphs of a reply."""
    return [block.text for block in reply.blocks if isinstance(block, Title | Text)]


def test_a_brief_says_what_it_is_and_what_it_leaves(long_week: Database) -> None:
    """Two papers fit two minutes, the second without its highlight; three older ones are left."""
    reply = _ask(long_week, "brief 1")
    assert _cards(reply) == [("Paper 1", 1), ("Paper 2", 0)]
    assert _said(reply) == [
        "Your brief: 1 minute, 2 papers",
        "New to you from all sources: the newest week first, in each the best first.",
        "Left out: 1 highlight; Details 2 has all.",
        "3 papers left, which take about 1 minute.",
    ]
    by_label = {label: button.command for label, button in buttons(reply).items()}
    assert by_label["Details 1"] == "show dair:2026-01-12#1"
    assert by_label["Save"] == "save dair:2026-01-12#2"
    assert by_label["Next 1 minute"] == "brief 1"
    assert reply.command == "brief of:1"


def test_more_goes_on_where_a_brief_ended(long_week: Database) -> None:
    """It does as the button below; after the last paper it says that this was all."""
    assert _titles(_ask(long_week, "brief 1")) == ["Paper 1", "Paper 2"]
    following = _ask(long_week, "more")
    assert (following.ran, len(_titles(following))) == ("brief 1", 3)
    assert "That was all there is." in plain_text(_ask(long_week, "more"))


def test_more_goes_on_after_a_brief_of_one_paper(database: Database) -> None:
    """That is spoken of by its number too."""
    words = "word " * 250
    papers = (entry(rank, f"Paper {rank}", words) for rank in (1, 2))
    asyncio.run(takes_in(database, ("dair", edition(*papers, first_day=SECOND))))
    assert _titles(_ask(database, "brief 1")) == ["Paper 1"]
    assert _ask(database, "show 1").ran == "show dair:2026-01-12#1"
    assert _titles(_ask(database, "more")) == ["Paper 2"]


def test_a_brief_that_was_too_long_is_cut(long_week: Database) -> None:
    """It has its first papers, as many as fit; a list that is none offers briefs."""
    _ask(long_week, "search paper")
    none = _ask(long_week, "shorter please")
    assert "What you saw last here is no brief." in plain_text(none)
    assert "Brief of 2 minutes" in buttons(none)
    assert len(_titles(_ask(long_week, "brief 10"))) == 5
    shorter = _ask(long_week, "brief 1 of:last")
    assert (shorter.ran, shorter.command) == ("brief 1 of:1", "brief 1 of:1")
    assert _cards(shorter) == [("Paper 1", 1), ("Paper 2", 0)]
    assert _ask(long_week, "shorter please").ran == "brief 2 of:1"


def test_papers_are_numbered_as_their_buttons(long_week: Database) -> None:
    """The number stands before each title, and means the same when it is typed."""
    app = bot_of(long_week)
    reply = asyncio.run(answered(app, "brief 10", READER))
    cards = [block for block in reply.blocks if isinstance(block, PaperCard)]
    assert [card.number for card in cards] == [str(place) for place in range(1, len(cards) + 1)]
    assert f"2  {cards[1].title}" in plain_text(reply)
    assert asyncio.run(answered(app, "show 2", READER)).ran == f"show {cards[1].ref}"


def test_buttons_are_numbered_as_the_papers_stand(long_week: Database) -> None:
    """Whatever rank a source gave it, a paper's button has its place in the brief."""
    by_label = {label: each.command for label, each in buttons(_ask(long_week, "brief 30")).items()}
    assert [by_label.get(f"Details {place}") for place in range(1, 7)] == [
        "show dair:2026-01-12#1",
        "show dair:2026-01-12#2",
        "show dair:2025-12-01#1",
        "show dair:2025-12-01#2",
        "show dair:2025-12-01#3",
        None,
    ]


def test_what_is_left_is_told_in_all_and_of_the_newest(long_week: Database) -> None:
    """The rest of the last four weeks has a length; all of it has a number, which goes down."""
    asyncio.run(takes_in(long_week, ("other", week(5, 6))))
    assert [_said(_ask(long_week, "brief 1"))[-1] for _ in range(2)] == [
        "5 papers left; the newest 2, since Dec 15, 2025, take about 1 minute.",
        "Nothing is left: you are up to date.",
    ]
    asyncio.run(takes_in(long_week, ("other", week(5, 6, 4))))
    other = replace(READER, user="other")
    for line in ("show 2601.00005", "show 2601.00006"):
        _ask(long_week, line, other)
    assert _said(_ask(long_week, "brief 1", other))[-1] == (
        "4 papers left; the newest one, since Dec 15, 2025, takes about 1 minute."
    )


def test_a_brief_says_where_it_has_as_many_papers_as_there_may_be(database: Database) -> None:
    """An hour of titles alone ends at a hundred, which is no hour; the rest comes next."""
    titles = edition(*(entry(rank, f"Title {rank}") for rank in range(1, 102)))
    asyncio.run(takes_in(database, ("dair", titles)))
    first, second = (_ask(database, "brief 60") for _ in range(2))
    assert _said(first)[0] == "Your brief: 1 minute, 100 papers"
    assert "100 papers at most at once." in _said(first)
    assert "100 papers at most at once." not in _said(second)
    assert _titles(second) == ["Title 101"]


def test_briefs_go_on_until_nothing_is_left(long_week: Database) -> None:
    """Then it says so, and when there usually is more; what comes new is told at once."""
    asyncio.run(long_week.write(followed.predefine, predefined()))
    for text in ("brief 1 min", "brief"):
        assert _cards(_ask(long_week, text))
    last = _ask(long_week, "brief")
    assert _said(last) == [
        "Your brief: you are up to date",
        "You have seen all there is from all sources.",
        "New editions usually come:",
    ]
    [expected] = [block for block in last.blocks if isinstance(block, Moments)]
    assert [f"{slug} {at:%Y-%m-%d %H:%M}" for slug, at in expected.pairs] == [
        "dair 2026-11-22 14:00",
        "hf-daily 2026-11-23 00:10",
    ]
    assert list(buttons(last)) == ["Newest edition", "Sources"]
    asyncio.run(takes_in(long_week, ("other", week(6))))
    assert _titles(_ask(long_week, "brief")) == ["Paper 6"]
    assert _said(_ask(long_week, "brief of:3"))[-1] == "Nothing is left: you are up to date."


def test_an_empty_store_has_no_brief(empty_app: Broadsheet) -> None:
    """It says what would fill it."""
    assert plain_text(_ask(empty_app, "brief")).startswith("No edition is stored yet.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("brief 0", "minutes: 0 is too small."),
        ("brief 61", "minutes: 61 is too large."),
        (
            "brief soon",
            "I can't read 'soon' as a number of minutes, period, topic or source.",
        ),
        ("brief minutes:soon", "minutes: I can't read 'soon' as a whole number."),
        ("brief of:mine", "of: A brief is named by a number, not 'mine'."),
        ("brief of:99", "You have no such brief."),
        ("brief of:999999999", "You have no such brief."),
    ],
)
def test_what_is_no_time_or_no_brief_is_refused(long_week: Database, text: str, said: str) -> None:
    """In a sentence, and nothing is seen by it."""
    reply = _ask(long_week, text)
    assert (reply.failed, plain_text(reply).splitlines()[0]) == (True, said)
    assert asyncio.run(long_week.read(people.find_person, READER.person)) is None


def test_a_brief_is_shown_again_to_its_reader_alone(long_week: Database) -> None:
    """The same papers cut in the same way; to anybody else it is unknown, and shows no title."""
    given = _ask(long_week, "brief 1")
    assert _ask(long_week, "brief of:1") == replace(given, ran="brief of:1")
    other = replace(READER, user="other")
    refused = _ask(long_week, "brief of:1", other)
    assert refused.failed
    assert "Paper" not in plain_text(refused)
    assert buttons(refused)["Your next brief"].command == "brief"
    assert _titles(_ask(long_week, "brief 1", other)) == ["Paper 1", "Paper 2"]


def test_a_request_that_comes_again_is_answered_the_same(long_week: Database) -> None:
    """A request that is delivered twice moves the reader on once."""
    first = _ask(long_week, "brief 1", key="slack:1")
    assert _ask(long_week, "brief 1", key="slack:1") == first
    assert _titles(_ask(long_week, "brief 1", key="slack:2")) == ["Paper 7", "Paper 8", "Paper 9"]


def test_a_request_that_comes_again_after_its_reader_was_forgotten_tells_nothing(
    long_week: Database,
) -> None:
    """It says that it was answered, and stores nothing about whom nothing is to be stored."""
    _ask(long_week, "brief 1", key="slack:1")
    asyncio.run(long_week.write(people.delete_person, READER.person))
    again = _ask(long_week, "brief 1", key="slack:1")
    assert plain_text(again).splitlines()[0] == "This was asked and answered before."
    assert asyncio.run(long_week.read(people.find_person, READER.person)) is None


def test_a_person_has_one_stream_wherever_they_ask(long_week: Database) -> None:
    """On Discord a server and a direct message are one; two Slack workspaces are two."""
    server = Actor("discord", "G1", "7", Role.READER, channel="C1", home="@7")
    places = [server, replace(server, workspace="@7", channel=None)]
    told = [_titles(_ask(long_week, "brief 1", each)) for each in places]
    assert told == [["Paper 1", "Paper 2"], ["Paper 7", "Paper 8", "Paper 9"]]
    teams = [Actor("slack", team, "U1", Role.READER, channel="C1") for team in ("T1", "T2")]
    assert [_titles(_ask(long_week, "brief 1", each)) for each in teams] == [told[0]] * 2


def _order(channel: str, *sources: str, private: bool = False) -> Subscription:
    place = Channel(Workspace("slack", "T1"), channel)
    facts = ChannelFacts(channel, private=private)
    active = SubscriptionState.ACTIVE
    return replace(ORDER, channel=place, facts=facts, sources=sources, state=active)


def _orders(database: Database, orders: Sequence[Subscription]) -> None:
    for order in orders:
        asyncio.run(database.write(subscriptions.add_subscription, order))
        asyncio.run(database.write(subscriptions.save_channel_facts, order.channel, order.facts))


def test_a_brief_is_of_the_sources_that_are_followed_here(long_week: Database) -> None:
    """The channel's own; elsewhere the workspace's, but for those of channels one is not in."""
    asyncio.run(takes_in(long_week, ("other", week(5)), ("third", week(6))))
    orders = [_order("C1", "other"), _order("C2", "third"), _order("C3", "dair", private=True)]
    _orders(long_week, orders)
    asker = Actor("slack", "T1", "U1", Role.READER)

    def asked(actor: Actor) -> tuple[list[str], str]:
        reply = _ask(long_week, "brief", actor)
        return _titles(reply), _said(reply)[1].partition(":")[0]

    here, direct = replace(asker, channel="C1"), replace(asker, user="U2", channel="D1")
    within = replace(asker, user="U3", channel="C9", parent="C3")
    assert asked(here) == (["Paper 5"], "New to you from other")
    assert asked(direct) == (["Paper 5", "Paper 6"], "New to you from other and third")
    assert asked(within)[1] == "New to you from dair"
    assert asked(here) == ([], "You have seen all there is from other.")


def test_what_was_shown_is_no_longer_new(long_week: Database) -> None:
    """`show` counts, and so does its Details button; being listed or drawn by chance does not."""
    for text in ("latest", "week 2026-W03", "related dair:2026-01-12#1", "random", "search paper"):
        assert not _ask(long_week, text).failed
    assert not _ask(long_week, "show 2026-01-12#1").failed
    assert not _ask(long_week, "show dair:2026-01-12#1").failed
    assert _titles(_ask(long_week, "brief 1")) == ["Paper 2", "Paper 7", "Paper 8", "Paper 9"]


def test_a_paper_is_shown_also_where_nothing_can_be_written(
    long_week: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """It is not noted, as seen or spoken of, which is logged; a known one is not written again."""
    _ask(long_week, "show paper 2")
    long_week.require_revisions(["0001"])
    with caplog.at_level(logging.WARNING):
        replies = [_ask(long_week, f"show paper {number}") for number in (2, 1)]
    assert [_titles(each) for each in replies] == [["Paper 2"], ["Paper 1"]]
    assert [each.message for each in caplog.records] == ["background_write_refused"] * 2


async def test_a_paper_is_shown_while_others_write(long_week: Database) -> None:
    """The answer waits for no writer; a brief that follows knows of it all the same.

    On SQLite there is one writer, who writes here until both were asked.
    """
    bot, begun, end = bot_over(long_week, CLOCK), Event(), Event()
    writing = asyncio.create_task(long_week.write(_hold, begun, end))
    await asyncio.to_thread(begun.wait)
    try:
        async with asyncio.timeout(5):
            assert _titles(await bot.run_text("show paper 1", READER)) == ["Paper 1"]
        briefed = asyncio.create_task(bot.run_text("brief 1", READER))
    finally:
        end.set()
    await writing
    assert "Paper 1" not in _titles(await briefed)


async def test_a_brief_waits_for_what_is_noted_of_its_reader(long_week: Database) -> None:
    """A paper that was opened just before is noted by then, however long that takes."""
    background, noting = BackgroundTasks(), asyncio.Event()

    async def note() -> None:
        await noting.wait()
        ref = "dair:2026-01-12#1"
        await long_week.write_locking_rows(seen.open_paper, READER.person, ref, CLOCK.now())

    bot = bot_of(long_week, CLOCK, background=background)
    background.start(note(), READER.person)
    briefed = asyncio.create_task(bot.run_text("brief 1", READER))
    assert not (await asyncio.wait({briefed}, timeout=0.2))[0]
    noting.set()
    assert "Paper 1" not in _titles(await briefed)


def _hold(_session: Session, begun: Event, end: Event) -> None:
    """Write until that is to end."""
    begun.set()
    end.wait()


async def test_two_devices_at_once_get_different_papers(long_week: Database) -> None:
    """Both ask the bot in the same moment: every paper is told, none twice."""
    bots = [bot_over(long_week, CLOCK) for _ in range(2)]
    replies = await asyncio.gather(*(bot.run_text("brief 1", READER) for bot in bots))
    assert sorted(title for reply in replies for title in _titles(reply)) == [
        f"Paper {number}" for number in (1, 2, 7, 8, 9)
    ]
    left = await long_week.read(
        seen.unseen_summary, READER.person, FeedScope(None, CLOCK.now().date())
    )
    assert left.papers == 0
