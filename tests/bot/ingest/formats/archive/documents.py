"""Archives to try the parser on, all of them invented, and what every parse must keep."""

import html
import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from hypothesis import strategies as st

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    EntryDraft,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.ingest.formats.archive import FORMAT
from store.records import Highlight, Link

TODAY = date(2026, 7, 1)
NAME = "Top ML Papers of the Week"
HEAD = ("| **Paper**  | **Links** | ", "| ------------- | ------------- |")

_WORD = re.compile(r"[^\W_]+")
_TARGET = re.compile(r"\]\s*\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
_LINE_BREAK = re.compile(r"<br\s*/?>")


def parse(text: str, year: int | None = None) -> ParsedDocument:
    """Parse a text as an archive, on a day in the middle of 2026."""
    return FORMAT.parse(RawDocument("archive.md", text), ParseOptions(TODAY, year))


def row(rank: int, cell: str = "", links: str = "") -> str:
    """Return a sound row of an invented paper, or one with the cells given."""
    cell = cell or f"**Kites of Kind {rank}** - shows how kites of kind {rank} fly."
    links = (
        links or f"[Paper](https://arxiv.org/abs/2401.{rank:05}), [Tweet](https://x.com/k/{rank})"
    )
    return f"| {rank}) {cell} | {links} |"


def week(days: str, rows: Sequence[str] = (), signs: str = "##") -> str:
    """Return a week's heading, `days` with whatever follows the range, and its table."""
    rows = rows or [row(rank) for rank in range(1, 11)]
    return "\n".join([f"{signs} {NAME} {days}", *HEAD, *rows, ""])


def index_of(year: int, *days: str) -> list[str]:
    """Return the lines of an index for the weeks of a year; the anchors lead nowhere."""
    return [f"## {year}", *(f"- [{NAME} {each}](./#anchor)" for each in days), ""]


def archive(*weeks: str, index: Sequence[str] = ()) -> str:
    """Return a whole document: title, prose, index, weeks, and prose behind a rule."""
    before = ["# Kite Papers", "", "All kites of every week.", "", *index, ""]
    return "\n".join([*before, *weeks, "---", "", "Flown by hand.", ""])


def one_row(line: str) -> EntryDraft:
    """Parse a document of nine sound rows and this one as the tenth, and return its entry."""
    rows = [row(rank) for rank in range(1, 10)]
    document = parse(archive(week("(June 2 - June 8) - 2025", [*rows, line])))
    return document.editions[0].entries[-1]


def warned(document: ParsedDocument, part: str) -> list[int]:
    """Return the lines of the warnings that hold these words."""
    return [note.line for note in document.warnings if part in note.text]


def line_of(text: str, part: str) -> int:
    """Return the number of the first line that holds these words."""
    return text[: text.index(part)].count("\n") + 1


def unaccounted(text: str, document: ParsedDocument) -> list[tuple[int, set[str]]]:
    """Return every line with words that stand neither in the drafts nor, by line, in a note.

    A row must have its words in the entry that starts on its line, a heading in its edition;
    the addresses of links inside text are the one thing that may go.
    """
    noted = {note.line for note in (*document.warnings, *document.passed_over)}
    kept = {line: words for edition in document.editions for line, words in _kept(edition)}
    lines = enumerate(text.split("\n"), start=1)
    open_lines = [(number, _words(line)) for number, line in lines if number not in noted]
    lost = [(number, words - kept.get(number, set())) for number, words in open_lines]
    return [(number, words) for number, words in lost if words]


def _words(line: str) -> set[str]:
    """Return the words a reader sees; a link may start within a word, as in `wind[s](…)`."""
    visible = _TARGET.sub("] ", _LINE_BREAK.sub(" ", line)).replace("[", "")
    return set(_WORD.findall(html.unescape(visible)))


def _kept(edition: EditionDraft) -> Iterator[tuple[int, set[str]]]:
    days = f"{edition.first_day.year} {edition.last_day.year}"
    yield edition.line, set(_WORD.findall(f"{edition.title} {days}"))
    for entry in edition.entries:
        parts = [str(entry.rank), entry.title, entry.summary or ""]
        parts += [f"{each.lead} {each.text}" for each in entry.highlights]
        parts += [f"{link.label} {link.url}" for link in entry.links]
        yield entry.line, set(_WORD.findall(" ".join(parts)))


_PLAIN = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), min_size=1, max_size=8
)
_SPICE = st.sampled_from(
    [
        *("A*", "**bold**", "d_emb", "_it_", "p(x|y)", "<think>", "<br>", r"\&", "&amp;", "[x](y)"),
        *("`|`", "1)", "~300", "#1", "a:", "-", "Introduces", "www.kite.org", "two\u2011stage"),
        *("\u25cf", "\u2013", "\u2014"),
    ]
)


def texts(most_words: int = 12) -> st.SearchStrategy[str]:
    """Return texts of one line with single blanks and every sign that Markdown may mistake."""
    words = st.lists(_PLAIN | _SPICE, min_size=1, max_size=most_words)
    joined = words.map(lambda many: " ".join(" ".join(many).split()))
    return joined.filter(bool)


_LEADS = st.lists(
    st.sampled_from(["Lift", "Rope", "wind-proof", "(LLM)", "vs.", "3:1"]), min_size=1, max_size=5
)
_HIGHLIGHTS = st.builds(Highlight, st.none() | _LEADS.map(" ".join), texts(8))
_LINKS = st.builds(
    Link,
    st.sampled_from(["Paper", "Tweet", "Code & Data", "Paper 2", "System Card"]),
    st.from_regex(
        r"https://[a-z]{1,9}\.org/[a-zA-Z0-9_?=~./-]{0,20}(\([a-z_]{1,5}\))?[a-z0-9]",
        fullmatch=True,
    ),
)


@st.composite
def entries(draw: st.DrawFn, rank: int) -> EntryDraft:
    """Return an entry of a rank."""
    return EntryDraft(
        line=0,
        rank=rank,
        title=draw(texts(6)),
        summary=draw(st.none() | texts()),
        highlights=tuple(draw(st.lists(_HIGHLIGHTS, max_size=3))),
        links=tuple(draw(st.lists(_LINKS, max_size=3, unique=True))),
    )


@st.composite
def editions(draw: st.DrawFn, rule: YearRule, monday: date) -> EditionDraft:
    """Return the edition of a week, with some of its ranks."""
    last = monday + timedelta(days=6)
    days = f"{monday:%B} {monday.day} - {last:%B} {last.day}"
    ranks = sorted(draw(st.sets(st.integers(1, 10), min_size=1, max_size=4)))
    return EditionDraft(
        line=0,
        kind=DocumentKind.ARCHIVE,
        title=f"{NAME} ({days})",
        first_day=monday,
        last_day=last,
        year_rule=rule,
        entries=tuple(draw(entries(rank)) for rank in ranks),
    )


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    """Return an archive of some weeks of 2022 to 2026, newest first, under one year rule.

    Without any year in print they are of half a year, or days of two years could run on.
    """
    rule = draw(st.sampled_from([YearRule.HEADING, YearRule.INDEX, YearRule.WEEKDAY]))
    first = draw(st.integers(0, 205))
    numbers = draw(
        st.sets(st.integers(first, first + 25), min_size=1, max_size=3)
        if rule is YearRule.WEEKDAY
        else st.sets(st.integers(0, 230), min_size=1, max_size=3)
    )
    mondays = [
        date(2022, 1, 3) + timedelta(weeks=number) for number in sorted(numbers, reverse=True)
    ]
    return ParsedDocument(
        kind=DocumentKind.ARCHIVE,
        slug="dair",
        source_title="Kite Papers of the Week",
        editions=tuple(draw(editions(rule, monday)) for monday in mondays),
    )
