"""Return the documents of the benchmarks: the real ones, or generated ones of the same size."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import count

import pytest

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft, ParsedDocument, YearRule
from store.records import Highlight, Link
from tests.bot.ingest.formats.archive.printer import print_archive
from tests.bot.ingest.formats.feed.printer import Printed, print_markup, print_rss
from tests.bot.ingest.formats.newsletter.printer import print_newsletter
from tests.shared_data import shared_file

# As many weeks as the real archive has, which makes about as many bytes.
WEEKS = 65
_NEWEST_WEEK = date(2026, 1, 5)
_SYLLABLES = ("ka", "ro", "mi", "ten", "lu", "vas", "dor", "pe", "nix", "gal", "sho", "bri")


@dataclass(frozen=True, slots=True)
class Corpus:
    """An archive and a newsletter as bytes, and a sentence on where each came from."""

    archive: bytes
    newsletter: bytes
    origins: tuple[str, ...]


def real_or_generated() -> Corpus:
    """Return the real documents; each that is absent is replaced by an invented one."""
    stand_ins = generated()
    archive, newsletter = (
        _read_or(stand_in, name)
        for stand_in, name in (
            (stand_ins.archive, "archive-README.md"),
            (stand_ins.newsletter, "seeds/002_dc9cd6f66951fc0f.txt"),
        )
    )
    return Corpus(archive[0], newsletter[0], (archive[1], newsletter[1]))


def generated(weeks: int = WEEKS) -> Corpus:
    """Return invented documents, the same in every run; the archive has so many weeks."""
    invent = _Inventor()
    mondays = [_NEWEST_WEEK - timedelta(weeks=number) for number in range(weeks)]
    archive = print_archive(_document(*(invent.week(monday) for monday in mondays)))
    newsletter = print_newsletter(_document(invent.newsletter()))
    return Corpus(
        archive.encode(),
        newsletter.encode(),
        (f"an invented archive of {weeks} weeks", "an invented newsletter"),
    )


def generated_feeds(feeds: int, posts: int) -> tuple[bytes, ...]:
    """Return invented feeds of so many weekly posts each; no two have a paper in common."""
    invent = _Inventor()
    mondays = [_NEWEST_WEEK - timedelta(weeks=number) for number in range(posts)]
    return tuple(
        print_rss(*map(_post, map(invent.week, mondays)), title=f"Letter {number}").encode()
        for number in range(feeds)
    )


def _post(edition: EditionDraft) -> Printed:
    url = f"https://letter.example/p/{edition.first_day}"
    return Printed(print_markup(edition), url=url, published_on=edition.last_day)


def _read_or(stand_in: bytes, name: str) -> tuple[bytes, str]:
    try:
        path = shared_file(name)
    except pytest.skip.Exception as absent:
        return stand_in, f"an invented document, for {absent}"
    return path.read_bytes(), name


def _document(*editions: EditionDraft) -> ParsedDocument:
    return ParsedDocument(DocumentKind.ARCHIVE, "dair", "Top AI Papers of the Week", editions)


class _Inventor:
    """Invents texts; a few of the words are common and most are rare, as in real ones."""

    def __init__(self) -> None:
        self._random = random.Random(7)  # noqa: S311 - texts that repeat, not a secret
        self._words = [a + b + c for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
        self._weights = [1 / (place + 10) for place in range(len(self._words))]
        self._papers = count(1)

    def week(self, monday: date) -> EditionDraft:
        """Return a week of an archive: ten rows, every third with highlights."""
        entries = [self._ranked(rank, highlights=0 if rank % 3 else 2) for rank in range(1, 11)]
        return _edition(DocumentKind.ARCHIVE, monday, YearRule.HEADING, tuple(entries))

    def newsletter(self) -> EditionDraft:
        """Return a week's newsletter: ten entries, each with highlights."""
        entries = [self._ranked(rank, highlights=3) for rank in range(1, 11)]
        return _edition(DocumentKind.NEWSLETTER, _NEWEST_WEEK, YearRule.WEEKDAY, tuple(entries))

    def _ranked(self, rank: int, highlights: int) -> EntryDraft:
        paper = next(self._papers)
        links = (
            Link("Paper", f"https://arxiv.org/abs/2401.{paper:05}"),
            Link("Tweet", f"https://x.com/papers/status/{paper:019}"),
        )
        return EntryDraft(
            line=0,
            rank=rank,
            title=self._line("", 4),
            summary=self._text(49),
            highlights=tuple(
                Highlight(self._line("", 2), self._text(32)) for _ in range(highlights)
            ),
            links=links,
        )

    def _line(self, first: str, length: int) -> str:
        return " ".join([first, *self._choose(length)]).strip().capitalize()

    def _text(self, length: int) -> str:
        return f"{self._line('', length)}."

    def _choose(self, length: int) -> list[str]:
        return self._random.choices(self._words, self._weights, k=length)


def _edition(
    kind: DocumentKind, monday: date, rule: YearRule, entries: tuple[EntryDraft, ...]
) -> EditionDraft:
    sunday = monday + timedelta(days=6)
    days = f"{monday:%B} {monday.day} - {sunday:%B} {sunday.day}"
    return EditionDraft(
        line=0,
        kind=kind,
        title=f"Top AI Papers of the Week ({days})",
        first_day=monday,
        last_day=sunday,
        year_rule=rule,
        entries=entries,
    )
