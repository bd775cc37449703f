"""The topical weekly review: the real copy, its head, and what makes it whole."""

from datetime import date

import pytest

from bot.domain.drafts import DocumentKind, YearRule
from bot.errors import DocumentError
from bot.ingest.formats.review import FORMAT
from store.records import Heading
from tests.bot.ingest.formats.review.documents import (
    CACHE,
    CACHE_MORE,
    COST,
    FACTS,
    LIST,
    OVERVIEW,
    PAUSE,
    PLAYER,
    ROBOT,
    ROBOTS,
    ROBOTS_TAGLINE,
    ROUTER,
    ROUTING,
    ROUTING_TAGLINE,
    TITLE,
    UNSURE,
    copy_of,
    edition_of,
    entries_of,
    parse,
    unaccounted,
    warned,
)
from tests.shared_data import shared_file

_SEED = "seeds/001_60719b701ad4a391.txt"


def test_the_real_review_gives_its_edition() -> None:
    """The real copy gives the days of its title, its day of publication and its length."""
    parsed = parse(shared_file(_SEED).read_text(encoding="utf-8"))
    (edition,) = parsed.editions
    assert (parsed.kind, parsed.slug) == (DocumentKind.REVIEW, "paperdive")
    assert parsed.source_title == "AI Papers Week in Review"
    assert (edition.first_day, edition.last_day) == (date(2026, 6, 22), date(2026, 6, 28))
    assert (edition.published_on, edition.minutes) == (date(2026, 6, 28), 43)
    assert (edition.year_rule, edition.line) == (None, 5)
    assert edition.title.endswith("June 22–28, 2026")
    assert parsed.warnings == ()


def test_the_real_review_gives_its_entries() -> None:
    """The real copy gives 18 episodes in order, under 9 headings and 12 sections."""
    edition = edition_of(shared_file(_SEED).read_text(encoding="utf-8"))
    numbers = [162, 163, 165, 173, 167, 170, 169, 177, 164, 171, 174, 175, 172, 168, 178]
    expected = [f"E{number}" for number in [*numbers, 176, 166, 179]]
    assert [entry.episode for entry in edition.entries] == expected
    assert len(edition.headings) == 9
    assert all(heading.tagline for heading in edition.headings)
    assert len({(entry.heading, entry.section) for entry in edition.entries}) == 12
    titles = [entry.title for entry in edition.entries]
    assert len(set(titles)) == 18
    assert sum(title.endswith(")") for title in titles) == 12


def test_no_mark_is_left_in_the_real_review() -> None:
    """Seven of the real entries have two paragraphs, and no text has a mark left."""
    edition = edition_of(shared_file(_SEED).read_text(encoding="utf-8"))
    summaries = [str(entry.summary) for entry in edition.entries]
    assert sum("\n\n" in summary for summary in summaries) == 7
    text = "".join([*summaries, str(edition.overview)])
    assert not [number for number in range(162, 180) if f"E{number}" in text]


@pytest.mark.parametrize("headline", [TITLE, FACTS])
def test_a_review_is_recognised_by_headline_and_mark(headline: str) -> None:
    """The title with its week or the line of facts is enough, with a mark below."""
    assert FORMAT.recognise(f"{headline}\n\nA router learns E201.")


@pytest.mark.parametrize(
    "text",
    [
        f"{TITLE}\n\nA router learns.",
        "Weekly review · of routers\n\nA router learns E201.",
        "A router learns E201 in this week in review, from May 1 to May 7 and beyond.",
        f"{TITLE}\n\n| 1) **Routers** | E201 |",
        f"<p>{TITLE}</p>\n\nA router learns E201.",
    ],
)
def test_less_than_that_is_no_review(text: str) -> None:
    """Without a mark, a headline, or with tables or tags a text is something else."""
    assert not FORMAT.recognise(text)


def test_a_whole_copy_gives_headings_sections_and_texts() -> None:
    """Headings, taglines, sections and paragraphs are told apart by length and place alone."""
    edition = edition_of(copy_of())
    assert edition.headings == (
        Heading(ROUTING, ROUTING_TAGLINE),
        Heading(ROBOTS, ROBOTS_TAGLINE),
    )
    cache = edition.entries[1]
    assert (cache.episode, cache.heading, cache.section) == ("E202", ROUTING, UNSURE)
    assert cache.title == f"{UNSURE} (E202)"
    assert cache.summary == f"{CACHE.replace(' E202', '')}\n\n{CACHE_MORE}"
    assert edition.entries[2].title == COST
    assert edition.overview == (
        "This week (March 9–15, 2026) small routers beat big ones, caches forgot on purpose,"
        " and a robot learned to wait."
    )
    assert parse(copy_of()).warnings == ()


@pytest.mark.parametrize("line_ends", ["", "\n", "\n\n\n\n"])
def test_a_copy_may_end_in_any_number_of_empty_lines(line_ends: str) -> None:
    """What follows the last list makes no difference where it is empty."""
    assert parse(copy_of() + line_ends) == parse(copy_of())


@pytest.mark.parametrize(
    ("title", "published", "year", "expected"),
    [
        ("Week in Review: March 9–15, 2026", "Mar 15, 2026", None, (2026, None)),
        ("Week in Review: March 9–15", "Mar 15, 2026", None, (2026, YearRule.FEED)),
        ("Week in Review: March 9–15", "Mar 15, 2020", None, (2020, YearRule.FEED)),
        ("Week in Review: March 9–15", "today", None, (2026, YearRule.WEEKDAY)),
        ("Week in Review: March 9–15, 2026", "Mar 15, 2026", 2021, (2021, YearRule.OPTION)),
        ("Week in Review: March 9–15", "Mar 15, 2026", 2021, (2021, YearRule.OPTION)),
    ],
)
def test_the_year_comes_from_the_best_evidence(
    title: str, published: str, year: int | None, expected: tuple[int, YearRule | None]
) -> None:
    """The operator's year wins over the title's, that over publication, and that over weekdays."""
    text = copy_of((TITLE, title), ("Mar 15, 2026", published), ("(March 9–15, 2026) ", ""))
    edition = parse(text, year).editions[0]
    assert (edition.first_day.year, edition.year_rule) == expected


def test_the_overview_may_state_the_year() -> None:
    """Where title and facts have no year, the same days in the overview give it."""
    text = copy_of((TITLE, "Week in Review: March 9–15"), ("Mar 15, 2026 · ", ""))
    edition = edition_of(text.replace("(March 9–15, 2026)", "(March 9–15, 2020)"))
    assert (edition.first_day, edition.year_rule) == (date(2020, 3, 9), YearRule.HEADING)


def test_a_week_may_cross_the_year() -> None:
    """The stated year is that of the last day."""
    text = copy_of((TITLE, "Week in Review: December 29 – January 4, 2026"))
    edition = edition_of(text)
    assert (edition.first_day, edition.last_day) == (date(2025, 12, 29), date(2026, 1, 4))
    assert edition.year_rule is None


def test_another_site_makes_another_source() -> None:
    """Without the predefined source's site the slug is made from the title without its days."""
    parsed = parse(copy_of(("paperdive.ai", "example.org"), ("AI Papers", "Robot News")))
    assert (parsed.slug, parsed.source_title) == (
        "robot-news-week-in-review",
        "Robot News Week in Review",
    )


def test_unknown_lines_before_the_overview_are_warned_of() -> None:
    """Furniture that nobody knows is named, and the overview is still found."""
    text = copy_of((PLAYER, f"{PLAYER}\n1x speed\nhttps://paperdive.ai/reviews/11"))
    parsed = parse(text)
    assert warned(parsed, text, "1x speed") == ["not understood before the overview: 1x speed"]
    assert parsed.editions[0].url == "https://paperdive.ai/reviews/11"
    assert parsed.editions[0].overview == edition_of(copy_of()).overview


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ("Weekly review | 1 h 3 min | 4 episodes | March 16, 2026", (date(2026, 3, 16), 63)),
        ("Weekly review · 4 episodes", (None, 17)),
        ("Weekly review · Mar 15, 2026", (date(2026, 3, 15), 17)),
    ],
)
def test_facts_are_read_in_any_order(facts: str, expected: tuple[date | None, int]) -> None:
    """Facts may be missing or stand otherwise; the player tells the length where they don't."""
    edition = edition_of(copy_of((FACTS, facts)))
    assert (edition.published_on, edition.minutes) == expected


@pytest.mark.parametrize(
    ("old", "new", "line", "warning"),
    [
        ("17 min", "17 min · new", "Weekly", "not understood among the review's facts: new"),
        ("0:00\n17 min", "0:00\n19 min", "19 min", "the player says 19 minutes, not 17"),
        ("Mar 15, 2026", "Mar 15, 2020", "Weekly", "was published on 2020-03-15"),
        (
            "← all reviews",
            "← all\n\nWeek in Review: May 1–7, 2026",
            "Week in",
            "names another week",
        ),
        ("March 9–15", "March 9 – April 5", TITLE[:9], "the week is longer than two weeks"),
        ("← all reviews", "We use cookies here.", "We use", "not understood above the title"),
    ],
)
def test_odd_facts_are_warned_of(old: str, new: str, line: str, warning: str) -> None:
    """A fact that is not understood, or contradicts another, is named and changes no text."""
    text = copy_of((old, new))
    parsed = parse(text)
    assert any(note.startswith(warning) for note in warned(parsed, text, line))
    assert parsed.editions[0].entries == edition_of(text).entries
    assert len(parsed.editions[0].entries) == 4


def test_a_review_without_an_overview_has_none() -> None:
    """The first heading's tagline is not taken for an overview."""
    for text in (copy_of((f"{OVERVIEW}\n\n", "")), copy_of((f"{OVERVIEW}\n\n{ROUTING}\n\n", ""))):
        edition = edition_of(text)
        assert len(edition.entries) == 4
        assert unaccounted(text, parse(text)) == []
    edition = edition_of(copy_of((f"{OVERVIEW}\n\n", "")))
    assert (edition.overview, edition.headings[0]) == (None, Heading(ROUTING, ROUTING_TAGLINE))


def test_a_difference_from_the_claimed_count_is_warned_of() -> None:
    """One episode more than claimed is kept, and the line of the claim is named."""
    text = copy_of(("4 episodes", "3 episodes"))
    assert len(entries_of(text)) == 4
    assert warned(parse(text), text, "Weekly") == ["claims 3 episodes; 4 were found"]


def test_an_episode_that_only_the_overview_has_is_warned_of() -> None:
    """One missing episode in ten is borne, and named where the overview has it."""
    more = "\n\n".join(f"Case {number} waits E{number}. It does." for number in range(205, 211))
    text = copy_of(
        ("4 episodes", "11 episodes"),
        (ROBOT, f"{ROBOT}\n\n{more}"),
        ("wait E204", "wait E204, E211"),
    )
    parsed = parse(text)
    assert len(parsed.editions[0].entries) == 10
    assert warned(parsed, text, "This week") == ["E211 is named in the overview and has no text"]


@pytest.mark.parametrize(
    "text",
    [
        copy_of().partition(ROBOTS)[0],
        copy_of().partition(PAUSE)[0],
        copy_of().partition(ROUTER)[0],
        copy_of(("4 episodes · ", "")).partition(PAUSE)[0],
        copy_of((f"{ROBOT}\n\n", "")),
        copy_of((" E201", ""), (" E202", ""), (" E203", ""), (" E204", "")),
        copy_of((TITLE, "Week in Review"), ("(March 9–15, 2026) ", "")),
        copy_of((TITLE, "Week in Review: February 28–31, 2026")),
        copy_of() + "\n\n" + copy_of(("March 9–15", "March 16–22"), ("E20", "E21")),
        "",
    ],
)
def test_a_review_that_cannot_be_trusted_is_refused(text: str) -> None:
    """A copy that was cut short, or lacks week or episodes, or is two reviews, is an error."""
    with pytest.raises(DocumentError) as refused:
        parse(text)
    assert refused.value.sentence.endswith(".")
    assert refused.value.remedy.endswith(".")


def test_a_copy_cut_behind_the_last_episode_is_warned_of() -> None:
    """All episodes were found, but no list ends the text: something may be missing."""
    text = copy_of().removesuffix(f"\n\n{LIST}")
    warning = "no list of episodes ends the text; it may be cut short"
    assert warned(parse(text), text, "The robot waits") == [warning]
