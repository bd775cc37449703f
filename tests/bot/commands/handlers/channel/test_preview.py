"""The preview of a subscription: what it would post, and why not the rest."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.commands.handlers.channel.preview import Outlook, preview_reply, why_not
from bot.commands.handlers.channel.subscribe import in_layout, short_preview
from bot.posting.digest.filters import apply_filters
from bot.replies.blocks import Actions, Button, Fields, Notice, PaperList, Reply, Text, Visibility
from bot.replies.plain_text import plain_text
from store.records import Delivery, DeliveryState, Edition, Layout, Part, Subscription
from tests.bot.posting.digest.editions import MONDAY, buttons, order, paper, week

TODAY = date(2026, 1, 12)
WEEK = week(
    paper(1, "Agents at work", "agents"),
    paper(2, "Sight", "vision"),
    paper(3, "Bare"),
    paper(4, "Search", "rag", "agents"),
)
NAME = "dair, Jan 5–11, 2026"
COMPACT = "as compact: one message, a line on the first three"
FILTERED = order(topics=("agents", "vision"), not_topics=("vision", "rag"))


def _delivery(state: DeliveryState, error: str | None = None) -> Delivery:
    sent = state is DeliveryState.SENT
    return Delivery(
        id=31,
        subscription_id=7,
        channel=FILTERED.channel,
        source="dair",
        first_day=WEEK.first_day,
        state=state,
        attempts=1,
        due_at=datetime(2026, 1, 12, 8, tzinfo=UTC),
        sent_at=datetime(2026, 1, 12, 23, 30, tzinfo=UTC) if sent else None,
        error=error,
        last_day=WEEK.last_day,
        parts=(Part(1, "k", (), url="https://example.org/post" if sent else None),),
    )


def _preview(given: Subscription, *outlooks: Outlook, past: tuple[Edition, ...] = (WEEK,)) -> Reply:
    return preview_reply(given, outlooks, past, TODAY, "subscribe change:7 monday")


def _weeks(count: int) -> tuple[Edition, ...]:
    return tuple(
        replace(
            WEEK,
            first_day=MONDAY - timedelta(weeks=back),
            last_day=MONDAY + timedelta(days=6) - timedelta(weeks=back),
        )
        for back in range(count)
    )


def test_a_preview_shows_what_and_why() -> None:
    """The user alone sees the papers that would be posted, and why the others are not."""
    reply = _preview(FILTERED, Outlook("dair", WEEK))
    assert (reply.visibility, reply.command) == (Visibility.PRIVATE, "preview 7")
    assert plain_text(reply).splitlines() == [
        "Preview of subscription 7",
        "",
        f"Would post 1 of 4 papers of dair, Jan 5–11, 2026, {COMPACT}.",
        "",
        "1  Agents at work",
        "   Says what number 1 is about",
        "   agents · dair:2026-01-05#1",
        "",
        "Not posted (wanted: agents, vision):",
        "",
        "2. Sight   vision is unwanted",
        "3. Bare    it has no topic",
        "4. Search  rag is unwanted",
        "",
        "Over the last 8 weeks these filters keep 1 of 4 papers.",
        "",
        "dair, Jan 5–11, 2026  1 of 4",
        "",
        "  > deliver 7",
        "    Post it now",
        "  > subscribe change:7 monday",
        "    Change",
    ]


def test_a_change_opens_the_form() -> None:
    """The button that changes the order opens its form, filled in."""
    [row] = [block for block in _preview(order()).blocks if isinstance(block, Actions)]
    assert row.buttons == (Button("Change", "subscribe change:7 monday", form=True),)


@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        (order(size=2), [None, None, "beyond the size of 2", "beyond the size of 2"]),
        (
            order(not_topics=("rag", "agents")),
            ["agents is unwanted", None, None, "rag, agents are unwanted"],
        ),
        (
            order(topics=("video", "vision")),
            [
                "its topic is agents",
                None,
                "it has no topic",
                "its topics are rag, agents",
            ],
        ),
    ],
)
def test_why_not(given: Subscription, reasons: list[str | None]) -> None:
    """A reason names what decided: the size, the unwanted topics, or those it has instead."""
    verdicts = apply_filters(WEEK, given)
    assert [v.reason and why_not(v, given) for v in verdicts] == reasons


@pytest.mark.parametrize(
    ("layout", "papers", "words"),
    [
        (Layout.COMPACT, 7, COMPACT),
        (Layout.FULL, 1, "as full: summaries and highlights, in one message"),
        (Layout.FULL, 7, "as full: summaries and highlights, over about 4 messages"),
        (Layout.THREAD, 7, "as thread: one message and 7 replies in its thread"),
        (Layout.THREAD, 1, "as thread: one message and 1 reply in its thread"),
    ],
)
def test_in_layout(layout: Layout, papers: int, words: str) -> None:
    """The layout is said by its name, and what that means for the channel."""
    long = [paper(number, summary="Some words. " * 100) for number in range(1, papers + 1)]
    assert in_layout(week(*long), order(layout)) == words


@pytest.mark.parametrize(
    ("today", "age"),
    [
        (TODAY, ""),
        (date(2026, 1, 19), ""),
        (date(2026, 1, 20), " (9 days old)"),
        (date(2026, 2, 2), " (3 weeks old)"),
        (date(2025, 12, 1), ""),
    ],
)
def test_an_old_edition_is_said_to_be_old(today: date, age: str) -> None:
    """An edition older than a week says so, for the first post may be old."""
    [words, _] = short_preview(order(), WEEK, today)
    assert isinstance(words, Text)
    name = f"dair, Jan 5–11, 2026{age}, as compact"
    assert words.text.startswith(f"Would post all 4 papers of {name}")


def test_a_short_preview_lists_the_first() -> None:
    """The answer to a new subscription has the edition and its first three titles."""
    words, listed = short_preview(order(), WEEK, TODAY)
    assert isinstance(words, Text)
    assert words.text.endswith("a line on the first three. The first of them:")
    assert isinstance(listed, PaperList)
    assert [(paper.number, paper.title, paper.line) for paper in listed.papers] == [
        ("1", "Agents at work", None),
        ("2", "Sight", None),
        ("3", "Bare", None),
    ]


def test_a_short_preview_of_few() -> None:
    """Few papers are all listed; of an edition of one there is no count, and none is said."""
    few, listed = short_preview(FILTERED, WEEK, TODAY)
    assert few == Text(f"Would post 1 of 4 papers of dair, Jan 5–11, 2026, {COMPACT}.")
    assert isinstance(listed, PaperList)
    [one, _] = short_preview(order(), week(paper(1)), TODAY)
    assert isinstance(one, Text)
    assert one.text.startswith("Would post the one paper of dair")
    assert short_preview(order(topics=("audio",)), WEEK, TODAY) == (
        Text("Would post nothing of dair, Jan 5–11, 2026: the filters keep no paper."),
    )


@pytest.mark.parametrize(
    ("state", "error", "sentence", "remedy"),
    [
        (
            DeliveryState.SENT,
            None,
            f"{NAME} was posted already on Jan 13, 2026.",
            "https://example.org/post",
        ),
        (
            DeliveryState.UNKNOWN,
            None,
            f"{NAME} was sent, and nobody knows whether it arrived.",
            "",
        ),
        (DeliveryState.RETRY, "Too fast.", f"{NAME} is being posted.", ""),
        (DeliveryState.PENDING, None, f"{NAME} is being posted.", ""),
    ],
)
def test_what_was_posted_is_not_offered(
    state: DeliveryState, error: str | None, sentence: str, remedy: str
) -> None:
    """A preview says what became of the edition here, by the order's own date; it is not again."""
    reply = _preview(order(), Outlook("dair", WEEK, _delivery(state, error)))
    [notice] = [block for block in reply.blocks if isinstance(block, Notice)]
    assert (notice.text, notice.remedy) == (sentence, remedy)
    assert f"As the subscription is now, that is all 4 papers, {COMPACT}." in plain_text(reply)
    assert "Would post" not in plain_text(reply)
    assert [label for label, _ in buttons(reply)] == ["Change"]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (DeliveryState.DEAD, f"{NAME} could not be posted."),
        (DeliveryState.SKIPPED, f"{NAME} was skipped."),
    ],
)
def test_what_was_not_posted_may_be(state: DeliveryState, sentence: str) -> None:
    """A failed or skipped delivery says why, and can be posted now."""
    reply = _preview(order(), Outlook("dair", WEEK, _delivery(state, "Too long.")))
    [notice] = [block for block in reply.blocks if isinstance(block, Notice)]
    assert (notice.text, notice.remedy) == (sentence, "Too long.")
    assert buttons(reply)[0] == ("Post it now", "deliver 7")


def test_each_source_has_its_part() -> None:
    """Of several sources each is shown, and what has nothing yet says so."""
    review = replace(WEEK, source="paperdive")
    reply = _preview(order(), Outlook("dair"), Outlook("paperdive", review))
    text = plain_text(reply)
    assert "dair has no edition to post yet." in text
    assert "of paperdive, Jan 5–11, 2026" in text


def test_nothing_to_post_is_not_offered() -> None:
    """Without an edition, or without a kept paper, there is no button to post."""
    nothing = _preview(order(), past=())
    assert "None of its sources has anything to post yet." in plain_text(nothing)
    assert "Over the last 8 weeks nothing came to try it on." in plain_text(nothing)
    unwanted = _preview(order(topics=("audio",)), Outlook("dair", WEEK))
    for reply in (nothing, unwanted):
        assert [label for label, _ in buttons(reply)] == ["Change"]


@pytest.mark.parametrize(
    ("given", "words", "kept"),
    [
        (order(), "it would have posted all 32 papers: it has no filters.", None),
        (order(size=3), "its size keeps 24 of 32 papers.", 3),
        (order(topics=("agents",)), "these filters keep 16 of 32 papers.", 2),
        (order(not_topics=("agents",), size=1), "these filters keep 8 of 32 papers.", 1),
    ],
)
def test_eight_weeks_are_tried(given: Subscription, words: str, kept: int | None) -> None:
    """The filters are tried on what came over eight weeks, by what would have been posted."""
    reply = _preview(given, past=_weeks(8))
    assert Text(f"Over the last 8 weeks {words}") in reply.blocks
    tables = [block for block in reply.blocks if isinstance(block, Fields)]
    assert [len(table.pairs) for table in tables] == ([8] if kept else [])
    for table in tables:
        assert table.pairs[1] == ("dair, Dec 29, 2025 – Jan 4, 2026", f"{kept} of 4")
