"""Absences and recaps: asked as people ask who were away, and answered over the weeks they mean."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from bot.actor import Actor
from bot.app import Broadsheet
from bot.domain.drafts import EditionDraft
from bot.replies.blocks import Notice, PaperCard, PaperLine, PaperList, Reply, Text, Title
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, FixedClock, answered, bot_of
from tests.bot.ingest.drafts import edition, entry
from tests.bot.replies.parts import buttons
from tests.store.consensus.fused_weeks import SECOND, takes_in


@pytest.fixture
def many_weeks(database: Database) -> Database:
    """Return a store with three weeks of four papers each, up to January 18, 2026."""
    weeks = (("dair", _week(ago, first)) for ago, first in ((0, 11), (1, 21), (2, 31)))
    asyncio.run(takes_in(database, *weeks))
    return database


def _week(ago: int, first: int) -> EditionDraft:
    papers = (
        entry(rank, f"Paper {first + rank - 1}", f"Kites count to {rank}. Then more.")
        for rank in range(1, 5)
    )
    return edition(*papers, first_day=SECOND - timedelta(weeks=ago))


def _ask(app: Broadsheet | Database, text: str, actor: Actor = READER) -> Reply:
    bot = bot_of(app) if isinstance(app, Database) else app
    return asyncio.run(answered(bot, text, actor))


def _lines(reply: Reply) -> list[PaperLine]:
    return [line for each in reply.blocks if isinstance(each, PaperList) for line in each.papers]


def _listed(reply: Reply) -> list[str]:
    return [line.title for line in _lines(reply)]


def _said(reply: Reply) -> list[str]:
    return [block.text for block in reply.blocks if isinstance(block, Title | Text)]


def test_a_recap_lists_the_best_of_all_its_weeks(many_weeks: Database) -> None:
    """Ten papers, a line each, and the weeks that it spans; *More* has the others."""
    line = "brief since:2025-12-29 until:2026-01-18"
    reply = _ask(many_weeks, line)
    assert _said(reply) == [
        "Your recap: 3 weeks · Dec 29, 2025 – Jan 18, 2026",
        "New to you from all sources: the best of all these weeks first.",
        "2 papers left.",
    ]
    assert _listed(reply)[:5] == ["Paper 11", "Paper 21", "Paper 31", "Paper 12", "Paper 22"]
    assert len(_listed(reply)) == 10
    first = _lines(reply)[0]
    assert (first.line, first.where) == ("Kites count to 1", "#1 in dair, Jan 12–18, 2026")
    assert buttons(reply)["More"].command == line
    assert reply.command == f"{line} of:1"
    assert _ask(many_weeks, reply.command).blocks == reply.blocks
    assert _listed(_ask(many_weeks, line)) == ["Paper 24", "Paper 34"]


def test_more_goes_on_with_a_recap(many_weeks: Database) -> None:
    """As it turns the pages of a list, and numbers speak of the papers."""
    app = bot_of(many_weeks)
    assert len(_listed(_ask(app, "brief since:2025-12-29"))) == 10
    assert _ask(app, "show 2").ran == "show dair:2026-01-05#1"
    assert _listed(_ask(app, "more")) == ["Paper 24", "Paper 34"]


@pytest.mark.parametrize("line", ["brief 1 since:2025-12-29", "brief 2026-W02", "brief"])
def test_minutes_or_a_single_week_make_no_recap(many_weeks: Database, line: str) -> None:
    """They are read from the newest on, with what is said of each."""
    reply = _ask(many_weeks, line)
    assert [block for block in reply.blocks if isinstance(block, PaperCard)]
    assert not _listed(reply)


def test_a_period_without_papers_is_told_with_the_nearest(many_weeks: Database) -> None:
    """It is not called read."""
    reply = _ask(many_weeks, "brief since:2024-01 until:2024-05")
    assert plain_text(reply).splitlines()[0] == "No paper from Jan 1 – May 31, 2024 is stored."
    commands = [each.command for each in buttons(reply).values()]
    assert commands == ["brief since:2026-01-01 until:2026-01-04", "brief"]


def test_a_recap_that_was_seen_is_up_to_date(many_weeks: Database) -> None:
    """Then all papers are offered."""
    first, second, third = (_ask(many_weeks, "brief since:2025-12-29") for _ in range(3))
    assert (len(_listed(first)), len(_listed(second))) == (10, 2)
    assert _said(third)[0] == "Your brief: you are up to date"
    assert buttons(third)["Brief of all papers"].command == "brief"


def test_a_catch_up_begins_where_the_reader_was_last_seen(many_weeks: Database) -> None:
    """What was shown in this visit is none before it; without one it is the plain brief."""
    january = bot_of(many_weeks, FixedClock(datetime(2026, 1, 6, 9, tzinfo=UTC)))
    march = bot_of(many_weeks, FixedClock(datetime(2026, 3, 3, 9, tzinfo=UTC)))
    away, new = (replace(READER, user=name) for name in ("away", "new"))
    _ask(january, "latest", away)
    _ask(march, "latest", new)
    assert _ask(march, "what happened while I was gone?", new).ran == "brief"
    assert _ask(march, "What did I miss?", away).ran == "brief since:2026-01-06"


def test_in_the_evening_the_morning_is_the_last_visit(many_weeks: Database) -> None:
    """Nothing is new then: the newest edition and the days before are offered."""
    _ask(bot_of(many_weeks, FixedClock(datetime(2026, 3, 3, 7, tzinfo=UTC))), "latest")
    evening = bot_of(many_weeks, FixedClock(datetime(2026, 3, 3, 19, tzinfo=UTC)))
    reply = _ask(evening, "what did I miss?")
    lines = plain_text(reply).splitlines()
    assert "Nothing new since you were last here, today." in lines
    assert any(each.startswith("The newest edition is dair, ") for each in lines)
    assert [each.command for each in buttons(reply).values()] == [
        "latest", 'brief since:"last 7 days"', "brief",
    ]  # fmt: skip
    on_agents = _ask(evening, "brief agents since:last visit")
    assert "Nothing new on agents since you were last here, today." in plain_text(on_agents)
    empty = _ask(evening, "brief since:2026-03-02")
    assert plain_text(empty).startswith("No paper since Mar 2, 2026 is stored.")


def test_a_visit_of_lists_alone_is_known_all_through_the_next(many_weeks: Database) -> None:
    """Each list takes the place of the one before, here or there, in one program or the next."""
    there = replace(READER, channel="C1")
    _ask(bot_of(many_weeks, FixedClock(datetime(2026, 1, 6, 9, tzinfo=UTC))), "latest", there)
    for hour, line, actor in (
        (7, "latest", there),
        (12, "topic", there),
        (14, "search kites", READER),
        (21, "latest", there),
    ):
        bot = bot_of(many_weeks, FixedClock(datetime(2026, 3, 3, hour, tzinfo=UTC)))
        _ask(bot, line, actor)
        for where in (READER, there):
            ran = _ask(bot, "what happened while I was gone?", where).ran
            assert ran == "brief since:2026-01-06"


def test_a_visit_is_known_from_what_was_opened(many_weeks: Database) -> None:
    """Whatever was shown since, on the day of the question."""
    january = FixedClock(datetime(2026, 1, 6, 9, tzinfo=UTC))
    march = bot_of(many_weeks, FixedClock(datetime(2026, 3, 3, 9, tzinfo=UTC)))
    _ask(bot_of(many_weeks, january, system_clock=january), "brief 1")
    _ask(march, "latest")
    reply = _ask(march, "What did I miss?")
    assert reply.ran == "brief since:2026-01-06"
    assert reply.read_as == "Read as: brief since:2026-01-06"
    assert _said(reply)[0] == "Your recap: 2 weeks · Jan 5–18, 2026"


_NO_AUTHORS = "No authors are stored yet: arXiv has not been asked about these papers."
_TODAY = FixedClock(datetime(2026, 11, 25, 9, tzinfo=UTC))


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("brief june 8 to june 28", "brief 2026-06-08..2026-06-28"),
        ("brief last 3 weeks", "brief 2026-11-04..2026-11-25"),
        ("brief between march and may 2025", "brief 2025-03-01..2025-05-31"),
        ("top between march and may 2025", "top 2025-03-01..2025-05-31"),
        ("top june 8 to june 28", "top 2026-06-08..2026-06-28"),
        ("top last 3 weeks", "top 2026-11-04..2026-11-25"),
        ("top 2023 to 2025", "top 2023-01-01..2025-12-31"),
        ("top q1 to q3 2025", "top 2025-01-01..2025-09-30"),
        ("search agents june 8 to june 28", "search agents since:2026-06-08 until:2026-06-28"),
        ("search agents between march and may 2025",
         "search agents since:2025-03-01 until:2025-05-31"),
        ("search agents last 3 weeks", "search agents since:2026-11-04"),
        ("search agents since june 10", "search agents since:2026-06-10"),
        ("search agents 2025", "search agents since:2025-01-01 until:2025-12-31"),
        ("search AIME 2024", "search AIME 2024"),
        ('search "in june 2025"', 'search "in june 2025"'),
        ("agents june 8 to june 28", "search agents since:2026-06-08 until:2026-06-28"),
        ("agents from june 2024 to now", "search agents since:2024-06-01"),
        ("best 2025 papers", "top 2025"),
        ("best papers since 2024", "top since:2024-01-01"),
        ("top since:2024 until:march 2025", "top since:2024-01-01 until:2025-03-31"),
        ("agents papers by percy liang", "search agents percy liang"),
        ("¿qué me perdí?", "brief"),
        ("was habe ich verpasst?", "brief"),
        ("Was habe ich letzte Woche verpasst?", "brief since:2026-11-16 until:2026-11-22"),
        ("o que eu perdi?", "brief"),
        ("qu'est-ce que j'ai raté ?", "brief"),
        ("我错过了什么？", "brief"),
        ("what happened in June?", "top 2026-06"),
        ("recap of May", "brief since:2026-05-01 until:2026-05-31"),
        ("I was on holiday for two weeks", "brief since:2026-11-11"),
    ],
)  # fmt: skip
def test_periods_are_read_in_commands_and_in_plain_words(
    many_weeks: Database, line: str, ran: str
) -> None:
    """A range, the last weeks and a year are filters beside other words, whatever the command."""
    assert _ask(bot_of(many_weeks, _TODAY), line).ran == ran


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("most cited papers of 2026",
         "Citations are not stored: this is what the sources rank best."),
        ("best paper ever", "The best ever can't be known: this is what the sources rank best."),
        ("top most cited", "Citations are not stored: this is what the sources rank best."),
        ("papers by Bengio", _NO_AUTHORS),
        ("papers on memory, oldest first",
         "The order of a search can't be chosen: this is what fits the words best."),
        ("longest paper on memory",
         "Lengths of papers are not stored: this is what fits the words best."),
    ],
)  # fmt: skip
def test_what_can_t_be_used_is_said_first(many_weeks: Database, line: str, first: str) -> None:
    """With what is shown instead."""
    reply = _ask(many_weeks, line)
    assert isinstance(reply.blocks[0], Notice)
    assert reply.blocks[0].text == first


@pytest.mark.parametrize(
    "line",
    [
        "offline rl",
        "the last layer",
        "catch up growth",
        "going away from attention",
        "offline evaluation of recommender systems since 2024",
        "distributed training since 2024, highlights?",
        "I read something about state space models last month, what was it",
        "we trained a model for two weeks and it diverged, why?",
        "we had a bug last week, can you fix it",
        "our paper came out in october, is it listed?",
        "my advisor asked me yesterday what grokking is",
        "I spent last week debugging, can you recommend a tool",
        "I tried to install you yesterday, what went wrong",
        "I want to cancel what I set up last week",
        "I gave a talk last month, can you give me the slides",
        "we changed our name last month, how do we rename the channel",
        "I've used you for three weeks, what else can you do",
        "I saw three great papers last week, show me more like them",
        "I joined the team last week, help",
        "we hired five people in october, can you add them",
        "I've got two hours on friday, what should I read",
        "we have a reading group on thursday, pick something",
        "my students were asking last week what rag is",
        "have I read anything in october?",
        "my kid was born on nov 3, what a day",
        "did anyone ask for me while I was gone?",
        "how many messages came in last week when I was off",
        "I was away for a week. what is lora?",
        "I could not open the pdf yesterday, give me the link",
        "it has been shown that scaling helps, which paper",
        "what did DeepSeek do in january",
        "enlighten me on grokking",
        "models that can walk past me",
        "behind the scenes of gpt-4",
        "I've read until page 3 of paper 2",
        "the last thing I saw was a cat",
        "what did Anthropic have in september",
        "I'm on leave, who can approve the bot?",
        "gone with the wind dataset",
        "after the conference everyone talked about grpo, what is it?",
        "my student was absent for a month and asks about grokking",
        "how did rag change in the last year",
        "what did i miss in this paper",
        "I'm off on holiday, bye!",
        "I was out last week so stupid question: what does LoRA stand for?",
        "papers about being under a rock",
    ],
)
def test_words_of_other_things_are_no_absence(many_weeks: Database, line: str) -> None:
    """A word that an absence does not have makes the line a search."""
    reply = _ask(many_weeks, line)
    assert not (reply.ran or "").startswith("brief")


def test_dates_are_days_where_a_list_begins(many_weeks: Database) -> None:
    """`since june 10` is that day, not the Monday before."""
    assert date(2026, 6, 10).weekday() == 2
    assert _ask(bot_of(many_weeks, _TODAY), "brief since:june 10").ran == "brief since:2026-06-10"
