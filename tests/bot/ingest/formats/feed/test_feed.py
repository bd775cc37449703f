"""The feed: the sample that is shaped like Substack's, and what a post is made of."""

import subprocess
import sys
from datetime import date

import pytest

from bot.domain.drafts import (
    DocumentKind,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.domain.paper_ids import arxiv_id
from bot.ingest.formats.feed import FORMAT
from tests.bot.ingest.formats.feed.printer import (
    NAME,
    Printed,
    print_atom,
    print_rss,
)
from tests.shared_data import shared_file

SAMPLE = "samples/substack_feed.xml"
TODAY = date(2026, 11, 21)
HEAD = "<h1>The Spoons (January 5-11)</h1>"


def parse(text: str, year: int | None = None) -> ParsedDocument:
    """Parse a feed on a fixed day."""
    return FORMAT.parse(RawDocument("feed.xml", text), ParseOptions(TODAY, year))


def sample() -> ParsedDocument:
    """Parse the sample."""
    return parse(shared_file(SAMPLE).read_text(encoding="utf-8"))


def entry(rank: int) -> str:
    """Print an invented entry with two highlights."""
    return (
        f"<h2>{rank}. Paper {rank}</h2><p>Paper {rank} bends spoons.</p><ul>"
        f"<li><p><b>Bends {rank}:</b> spoons bend.</p></li>"
        f"<li><p><b>No forks {rank}:</b> forks stay straight.</p></li></ul>"
    )


def entries(first: int = 1, last: int = 10) -> str:
    """Print the invented entries from one rank to another."""
    return "".join(entry(rank) for rank in range(first, last + 1))


def texts(notes: tuple[Note, ...]) -> list[str]:
    """List what notes say."""
    return [note.text for note in notes]


def test_the_sample_gives_two_weeks() -> None:
    """The sample holds two round-ups of ten papers, dated by the feed."""
    document = sample()
    assert (document.kind, document.slug) == (DocumentKind.FEED, "sample-nlp-newsletter")
    assert document.source_title == "Sample NLP Newsletter"
    first, second = document.editions
    assert (first.first_day, first.last_day) == (date(2026, 3, 2), date(2026, 3, 8))
    assert (second.first_day, second.last_day) == (date(2026, 2, 23), date(2026, 3, 1))
    assert (first.published_on, second.published_on) == (date(2026, 3, 8), date(2026, 3, 1))
    assert first.year_rule is second.year_rule is YearRule.FEED
    assert first.url == "https://newsletter.example.org/p/top-ai-papers-of-the-week-sample-2"
    for edition in document.editions:
        assert [each.rank for each in edition.entries] == list(range(1, 11))
        assert all(each.summary and arxiv_id(each.links) for each in edition.entries)
    assert document.warnings == ()


def test_highlights_of_the_sample() -> None:
    """The first week of the sample has 14 bullets, none at its last three, the second has 2."""
    first, second = sample().editions
    assert sum(len(each.highlights) for each in first.entries) == 14
    assert [each.rank for each in first.entries if not each.highlights] == [8, 9, 10]
    assert sum(len(each.highlights) for each in second.entries) == 2
    leads = [
        each.lead for edition in (first, second) for e in edition.entries for each in e.highlights
    ]
    assert all(leads)
    assert not any(lead.endswith(":") for lead in leads if lead)


def test_links_of_the_sample() -> None:
    """Each entry of the sample links to its paper, all but the fourth and eighth to a tweet."""
    for edition in sample().editions:
        labels = {each.rank: [link.label for link in each.links] for each in edition.entries}
        assert [rank for rank, found in labels.items() if found == ["Paper"]] == [4, 8]
        assert all(found in (["Paper"], ["Paper", "Tweet"]) for found in labels.values())


def test_entities_of_the_sample() -> None:
    """Entities are the signs that they stand for, and no-break blanks are blanks."""
    fourth = sample().editions[0].entries[3]
    assert fourth.summary is not None
    assert "authors\u2019 point" in fourth.summary
    assert "loss \u2014 and" in fourth.summary
    assert fourth.highlights[1].text.endswith("short & steady.")
    words = repr([each.entries for each in sample().editions])
    assert not any(sign in words for sign in ("&#", "&amp", "&nbsp", "\\xa0", "<"))


@pytest.mark.parametrize(
    "word",
    ["Message from the Editor", "SAMPLE25", "seats are left", "Enroll", "Subscribe", "cover"],
)
def test_no_word_of_an_advertisement_of_the_sample_is_kept(word: str) -> None:
    """Advertisements, buttons, widgets and pictures of the sample reach no draft and no remark."""
    assert word not in repr(sample())


def test_the_post_about_agents_is_passed_over() -> None:
    """The sample's post that is no round-up yields nothing, and is named."""
    document = sample()
    assert "starts with a number" not in repr(document)
    (said,) = [text for text in texts(document.passed_over) if "no round-up" in text]
    assert "AI Agents Weekly" in said
    assert "2026-03-07" in said


@pytest.mark.parametrize("printer", [print_rss, print_atom])
@pytest.mark.parametrize("above", ["", "\n <!-- a > b -->\n<?xml-stylesheet href='x'?>\n"])
def test_recognised(printer: object, above: str) -> None:
    """RSS and Atom are recognised below comments and instructions, and give the same."""
    text = printer(Printed(HEAD + entries()))  # type: ignore[operator] # one of the two printers
    text = above + text.removeprefix('<?xml version="1.0" encoding="UTF-8"?>\n')
    assert FORMAT.recognise(text)
    (edition,) = parse(text).editions
    assert (edition.title, edition.first_day) == ("The Spoons (January 5-11)", date(2026, 1, 5))
    assert edition.published_on == date(2026, 1, 11)
    assert edition.url == "https://letter.example/p/spoons"
    assert len(edition.entries) == 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<",
        "<html><rss></rss></html>",
        "<rssfoo>",
        "Spoons\n<rss>",
        "<!-- <rss> -->",
        '{"rss": 1}',
    ],
)
def test_not_recognised(text: str) -> None:
    """A text whose outermost element is another one is no feed."""
    assert not FORMAT.recognise(text)


def test_posts_begin_in_their_lines() -> None:
    """Editions, entries and remarks have the line in which their post begins."""
    text = print_rss(
        Printed("<p>None.</p>"), Printed(HEAD + entries(1, 6)), Printed("<p>None.</p>")
    )
    document = parse("\n\n" + text.replace("?>\n", "?>"))
    (edition,) = document.editions
    assert edition.line == 5
    assert {each.line for each in edition.entries} == {5}
    assert [note.line for note in document.warnings] == [5]
    assert [note.line for note in document.passed_over] == [4, 6]


def test_remarks_name_the_post_and_its_line() -> None:
    """A remark tells which post it is about and which line of it, as read."""
    body = HEAD + entries(1, 9) + entry(10) + "<p>Nothing to see.</p>"
    (warning,) = texts(parse(print_rss(Printed(body))).warnings)
    assert warning == (
        'the post "Spoons of the week" of 2026-01-11, line 42 as read:'
        ' not understood, left out of entry 10: "Nothing to see."'
    )


@pytest.mark.parametrize(
    ("title", "teaser", "heading"),
    [
        ("Spoons (January 5-11)", "All about spoons", "Spoons (January 5-11)"),
        ("Spoons", "The Spoons (January 5-11)", "The Spoons (January 5-11)"),
    ],
)
def test_the_week_may_stand_above_the_post(title: str, teaser: str, heading: str) -> None:
    """Where the post has no heading with a week, its title or its subtitle is the heading."""
    post = Printed(entries(), title=title, teaser=teaser)
    (edition,) = parse(print_rss(post)).editions
    assert (edition.title, edition.first_day) == (heading, date(2026, 1, 5))
    assert len(edition.entries) == 10


def test_the_year() -> None:
    """The operator's year beats the heading's, and that the feed's."""
    text = print_rss(Printed(HEAD.replace("11)", "11, 2020)") + entries()))
    for year, rule, given in ((2020, YearRule.HEADING, None), (2015, YearRule.OPTION, 2015)):
        (edition,) = parse(text, given).editions
        assert (edition.last_day.year, edition.year_rule) == (year, rule)


def test_the_source() -> None:
    """The feed's title names the source, else the round-up's heading does."""
    text = print_rss(Printed(HEAD + entries()))
    assert (parse(text).slug, parse(text).source_title) == ("spoon-weekly", NAME)
    untitled = parse(text.replace(NAME, ""))
    assert (untitled.slug, untitled.source_title) == ("spoons", "The Spoons")


def test_what_reads_feeds_is_not_loaded_before_it_is_needed() -> None:
    """Knowing the formats loads neither the library for feeds nor the one for HTML."""
    code = (
        "import sys; from bot.ingest.documents import formats; formats();"
        " sys.exit(any(name in sys.modules for name in ('feedparser', 'selectolax')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
