"""The ranked newsletter: the real copies, and one oddity after the other."""

from datetime import date

import pytest

from bot.domain.drafts import (
    DocumentKind,
    EntryDraft,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.ingest.encoding import repair
from bot.ingest.formats.newsletter import FORMAT
from store.records import Highlight, Link
from tests.shared_data import shared_file

TODAY = date(2026, 11, 21)
HEAD = "\U0001f947Top AI Papers of the Week\nThe Top AI Papers of the Week (January 5-11)\n"
ADVERT = "Message from the Editor\nGadgets for everyone\nOffer: half price with GADGET50\n"


def entry(rank: int) -> str:
    """Print an invented entry with two highlights."""
    return (
        f"{rank}. Paper {rank}\nPaper {rank} bends spoons.\n"
        f"Bends {rank}: spoons bend.\nNo forks {rank}: forks stay straight.\n"
    )


def entries(first: int = 1, last: int = 10) -> str:
    """Print the invented entries from one rank to another."""
    return "".join(entry(rank) for rank in range(first, last + 1))


def parse(text: str, year: int | None = None) -> ParsedDocument:
    """Parse a text as a file of that kind, on a fixed day."""
    return FORMAT.parse(RawDocument("letter.txt", text), ParseOptions(TODAY, year))


def only_entry(body: str) -> EntryDraft:
    """Parse a text with one entry and return the entry."""
    (edition,) = parse(HEAD + body).editions
    (found,) = edition.entries
    return found


def ranks(document: ParsedDocument) -> list[int | None]:
    """List the ranks of the first edition."""
    return [each.rank for each in document.editions[0].entries]


def texts(notes: tuple[Note, ...]) -> dict[int, str]:
    """Index notes by their line; of several on a line the last one counts."""
    return {note.line: note.text for note in notes}


@pytest.mark.parametrize(
    ("name", "first_day", "last_day", "highlights", "advert"),
    [
        ("seeds/000_6b97a1adf3c6bd05.txt", date(2025, 12, 22), date(2025, 12, 28), 28, [9, 10, 11]),
        ("seeds/002_dc9cd6f66951fc0f.txt", date(2026, 1, 5), date(2026, 1, 11), 35, [17, 18, 19]),
    ],
)
def test_real_copy(
    name: str, first_day: date, last_day: date, highlights: int, advert: list[int]
) -> None:
    """A real copy gives ten entries, its week by weekday, and no warning."""
    text = repair(shared_file(name).read_text(encoding="utf-8")).text
    assert FORMAT.recognise(text)
    document = parse(text)
    (edition,) = document.editions
    assert (document.kind, document.slug) == (DocumentKind.NEWSLETTER, "dair")
    assert document.source_title == "Top AI Papers of the Week"
    assert (edition.first_day, edition.last_day) == (first_day, last_day)
    assert edition.year_rule is YearRule.WEEKDAY
    assert ranks(document) == list(range(1, 11))
    assert sum(len(each.highlights) for each in edition.entries) == highlights
    assert all(each.summary for each in edition.entries)
    assert document.warnings == ()
    assert [note.line for note in document.passed_over] == [1, *advert]


@pytest.mark.parametrize(
    "name", ["seeds/000_6b97a1adf3c6bd05.txt", "seeds/002_dc9cd6f66951fc0f.txt"]
)
def test_no_word_of_a_real_advertisement_is_kept(name: str) -> None:
    """The advertisement of a real copy reaches no draft and no remark."""
    document = parse(shared_file(name).read_text(encoding="utf-8"))
    kept = repr(document).lower()
    assert not any(word in kept for word in ("earlybird", "seats", "coupon", "message from"))


def test_summary_with_colon_of_a_real_copy() -> None:
    """The line under the title is the summary even where it holds a colon."""
    document = parse(shared_file("seeds/002_dc9cd6f66951fc0f.txt").read_text(encoding="utf-8"))
    ninth = document.editions[0].entries[8]
    assert (ninth.title, ninth.highlights) == ("SWE-EVO", ())
    assert ninth.summary is not None
    assert ": " in ninth.summary


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEAD,
        "<rss>\n" + HEAD + entries(),
        HEAD + "| **Paper** | **Links** |\n| 1) Foo | x |\n" + entries(),
        "Notes (January 5-11)\nno numbers here\n",
        entries(),
    ],
)
def test_not_recognised(text: str) -> None:
    """Without heading or entries, or as a page or a table, a text is no newsletter."""
    assert not FORMAT.recognise(text)


@pytest.mark.parametrize(
    ("heading", "first_day", "rule"),
    [
        ("Top Papers (January 5-11)", date(2026, 1, 5), YearRule.WEEKDAY),
        ("## **Top Papers (Jan. 6 \u2013 12)** - 2025", date(2025, 1, 6), YearRule.HEADING),
        ("Top Papers (December 30 - January 5, 2025)", date(2024, 12, 30), YearRule.HEADING),
        ("Top Papers [Week of Feb\u00a06 to Feb 12, 2023]", date(2023, 2, 6), YearRule.HEADING),
        ("[Top Papers (Jan 9 -15, 2023)](https://a.example)", date(2023, 1, 9), YearRule.HEADING),
    ],
)
def test_headings(heading: str, first_day: date, rule: YearRule) -> None:
    """The week is found in any spelling, with or without year, markup and name above it."""
    text = f"{heading}\n\n{entries()}"
    assert FORMAT.recognise(text)
    (edition,) = parse(text).editions
    assert (edition.first_day, edition.year_rule) == (first_day, rule)


def test_title_and_address_of_the_edition() -> None:
    """The heading is kept as printed, and its link is the edition's address."""
    heading = "## [Top Papers (Jan 5-11)](https://letter.example/3)"
    (edition,) = parse(f"{heading}\n{entries()}").editions
    assert (edition.title, edition.url) == ("Top Papers (Jan 5-11)", "https://letter.example/3")


@pytest.mark.parametrize(
    ("above", "slug", "title"),
    [
        ("Spoon Weekly\nThe Spoons (January 5-11)\n", "spoon-weekly", "Spoon Weekly"),
        ("The Spoons (January 5-11)\n", "spoons", "The Spoons"),
        ("(January 5-11) The Spoons\n", "spoons", "The Spoons"),
        (
            "Spoon Weekly\nTop ML Papers of the Week (January 5-11)\n",
            "dair",
            "Top ML Papers of the Week",
        ),
        (
            "\u0161\u201eTop AI Papers of the Week (January 5-11)\n",
            "dair",
            "Top AI Papers of the Week",
        ),
    ],
)
def test_source(above: str, slug: str, title: str) -> None:
    """The publication's name, else the heading without its week, names the source."""
    document = parse(above + entries())
    assert (document.slug, document.source_title) == (slug, title)


def test_the_operator_overrules_the_year() -> None:
    """The year that the operator gives beats all evidence."""
    (edition,) = parse(HEAD + entries(), year=2020).editions
    assert (edition.last_day, edition.year_rule) == (date(2020, 1, 11), YearRule.OPTION)


def test_a_line_with_the_day_of_publication_gives_the_year() -> None:
    """A date by itself above the entries is the day of publication, and evidence."""
    document = parse(HEAD + "Jan 12, 2025\n" + entries())
    (edition,) = document.editions
    assert edition.published_on == date(2025, 1, 12)
    assert (edition.first_day, edition.year_rule) == (date(2025, 1, 5), YearRule.FEED)
    assert document.warnings == ()


def test_markup_is_taken_off() -> None:
    """Signs of lists, headings and bold, other numbering and blank lines change nothing."""
    plain = parse(HEAD + entries())
    marked = HEAD
    for line in entries().splitlines():
        if line[0].isdigit():
            marked += f"\n### **{line.replace('. ', ') ')}**\n\n"
        else:
            lead, colon, text = line.partition(":")
            marked += f"- **{lead}**{colon}{text}\n\n" if colon else f"{line}\n"
    found = parse(marked)
    assert [(e.title, e.summary, e.highlights) for e in found.editions[0].entries] == [
        (e.title, e.summary, e.highlights) for e in plain.editions[0].entries
    ]
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("line", "highlight"),
    [
        ("Three kinds: big: small: odd.", Highlight("Three kinds", "big: small: odd.")),
        ("\u25cf Spoons bend.", Highlight(None, "Spoons bend.")),
        ("**Spoons bend.** They do.", Highlight("Spoons bend", "They do.")),
        ("* **Spoons** \u2013 they bend.", Highlight("Spoons", "they bend.")),
        ("Spoons vs. forks: spoons win.", Highlight("Spoons vs. forks", "spoons win.")),
    ],
)
def test_highlights(line: str, highlight: Highlight) -> None:
    """A lead ends at the first colon; a bullet sign or a bold start tells a highlight as well."""
    assert only_entry(f"1. Spoons\nThey bend.\n{line}\n").highlights == (highlight,)


@pytest.mark.parametrize(
    "line",
    [
        "Spoons bend without a lead.",
        "Forks stay straight. They do so: always.",
        f"{'very ' * 12}long lead: text.",
        f"{'x' * 81}: text.",
        "No text: ",
    ],
)
def test_a_line_without_lead_is_named_and_left_out(line: str) -> None:
    """What is neither summary nor highlight gives a warning that quotes its start."""
    document = parse(f"{HEAD}1. Spoons\nThey bend.\n{line}\nThe end: it ends.\n")
    (found,) = document.editions[0].entries
    assert found.highlights == (Highlight("The end", "it ends."),)
    warning = texts(document.warnings)[5]
    assert line[:40].strip() in warning
    assert len(warning) < 110


@pytest.mark.parametrize("summary", ["2. We bend it.", "Result: it bends.", "7 spoons bend."])
def test_first_line_is_the_summary(summary: str) -> None:
    """The first line under the title is the summary, whatever is in it."""
    document = parse(f"{HEAD}1. Spoons\n{summary}\n" + entries(2))
    assert document.editions[0].entries[0].summary == summary
    assert ranks(document) == list(range(1, 11))


def test_entry_without_summary() -> None:
    """A title that the next entry follows at once is kept with a warning."""
    document = parse(HEAD + "1. Spoons\n" + entries(2))
    assert document.editions[0].entries[0].summary is None
    assert texts(document.warnings) == {3: "entry 1 has no summary"}


@pytest.mark.parametrize(
    ("line", "links"),
    [
        (
            "[Paper](https://a.example/1) | [Tweet](https://b.example/2)",
            [Link("Paper", "https://a.example/1"), Link("Tweet", "https://b.example/2")],
        ),
        (
            "Paper: https://a.example/1, Code: https://b.example/2.",
            [Link("Paper", "https://a.example/1"), Link("Code", "https://b.example/2")],
        ),
        ("<https://a.example/1>", [Link("Link", "https://a.example/1")]),
        ("Read it: [here](https://a.example/1)", [Link("Read it: here", "https://a.example/1")]),
    ],
)
def test_lines_of_links(line: str, links: list[Link]) -> None:
    """A line of nothing but links gives links with their labels, and no highlight."""
    found = only_entry(f"1. Spoons\n{line}\nThey bend.\n")
    assert (found.links, found.summary, found.highlights) == (tuple(links), "They bend.", ())


def test_links_inside_text() -> None:
    """A link inside a sentence leaves its words there and is kept beside them."""
    found = only_entry("1. [Spoons](https://a.example)\nThey [bend](https://b.example) far.\n")
    assert (found.title, found.summary) == ("Spoons", "They bend far.")
    assert found.links == (Link("Spoons", "https://a.example"), Link("bend", "https://b.example"))


def test_labels_without_addresses_are_passed_over() -> None:
    """A row of link labels whose addresses are lost holds nothing to keep."""
    document = parse(HEAD + "1. Spoons\nThey bend.\nPaper | Tweet\n")
    assert texts(document.passed_over)[5] == "names links, whose addresses are lost"
    assert [note.line for note in document.warnings] == [5]
