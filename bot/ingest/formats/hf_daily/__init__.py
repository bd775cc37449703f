"""Hugging Face's daily papers: a list in JSON, of which every ISO week is an edition.

The votes rank a week's papers. The rules in words: `docs/formats.md`. The endpoint is
https://huggingface.co/api/daily_papers?week=2025-W04, described at
https://huggingface.co/docs/hub/en/api#get-apidailypapers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    EntryDraft,
    Format,
    Note,
    ParsedDocument,
    ParseOptions,
    RawDocument,
)
from bot.errors import DocumentError, WrongShape
from bot.ingest.formats.hf_daily.papers import (
    Element,
    ListedPaper,
    Reading,
    looks_like_list,
    read_elements,
    read_paper,
    unread_fields,
)
from store.records import Link

SLUG = "hf-daily"
TITLE = "Hugging Face Daily Papers"

_SITE = "https://huggingface.co/papers"


@dataclass(frozen=True, slots=True)
class _Listed:
    """A paper and the element that lists it."""

    element: Element
    paper: ListedPaper


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Parse a list of daily papers: one edition an ISO week in which papers were listed.

    A document is the whole of each week that it touches; nothing in it depends on the order
    of the list.

    Raises:
        DocumentError: where it is no list, lists nothing, or nothing in it can be read.
    """
    elements = read_elements(document)
    readings = [(element, read_paper(element.value)) for element in elements]
    listed = [_Listed(element, reading.paper) for element, reading in readings if reading.paper]
    if not listed:
        raise _nothing_read(document, readings)
    kept, again = _each_once(listed)
    editions = _editions(kept)
    return ParsedDocument(
        kind=DocumentKind.HF_DAILY,
        slug=SLUG,
        source_title=TITLE,
        editions=editions,
        warnings=(*_year_not_needed(options, editions), *_problems(readings)),
        passed_over=(*_unread(listed), *again),
    )


FORMAT = Format(kind=DocumentKind.HF_DAILY, recognise=looks_like_list, parse=parse)


def _nothing_read(
    document: RawDocument, readings: Sequence[tuple[Element, Reading]]
) -> DocumentError:
    if not readings:
        return DocumentError(f"{document.path} lists no paper.", "Ask for a week that has some.")
    first = "; ".join(readings[0][1].problems)
    return WrongShape(
        f"{document.path} lists no paper that can be read.", f"In its first element {first}."
    )


def _problems(readings: Iterable[tuple[Element, Reading]]) -> list[Note]:
    return [
        Note(
            element.line,
            f"element {element.place}: {'; '.join(reading.problems)};"
            f" {'kept without it' if reading.paper else 'left out'}",
        )
        for element, reading in readings
        if reading.problems
    ]


def _unread(listed: Sequence[_Listed]) -> list[Note]:
    """Name the fields, once for all elements, that hold nothing for an entry to keep."""
    names = sorted({name for found in listed for name in unread_fields(found.element.value)})
    return [Note(listed[0].element.line, f"fields not read: {', '.join(names)}")] if names else []


def _year_not_needed(options: ParseOptions, editions: Iterable[EditionDraft]) -> list[Note]:
    """Note that the operator's year was not used, where it differs from the document's."""
    if options.year is None or all(edition.last_day.year == options.year for edition in editions):
        return []
    return [Note(1, f"the days came with their years, {options.year} is not used")]


def _each_once(listed: Sequence[_Listed]) -> tuple[list[_Listed], list[Note]]:
    """Keep each paper once: with the most votes, which are the latest."""
    of_paper: dict[str, list[_Listed]] = defaultdict(list)
    for found in listed:
        of_paper[found.paper.arxiv_id].append(found)
    kept = [max(same, key=_latest) for same in of_paper.values()]
    places = {found.paper.arxiv_id: found.element.place for found in kept}
    again = [
        Note(
            found.element.line,
            f"element {found.element.place}: {found.paper.arxiv_id} again;"
            f" element {place} counts, which has no fewer votes",
        )
        for found in listed
        if (place := places[found.paper.arxiv_id]) != found.element.place
    ]
    return kept, again


def _latest(listed: _Listed) -> tuple[int, date, str]:
    paper = listed.paper
    return paper.votes, paper.listed_on, repr(paper)


def _editions(listed: Iterable[_Listed]) -> tuple[EditionDraft, ...]:
    weeks: dict[date, list[_Listed]] = defaultdict(list)
    for found in listed:
        day = found.paper.listed_on
        weeks[day - timedelta(days=day.weekday())].append(found)
    return tuple(_edition(monday, weeks[monday]) for monday in sorted(weeks))


def _edition(monday: date, listed: Iterable[_Listed]) -> EditionDraft:
    ranked = sorted(listed, key=_by_votes)
    week = f"{monday:%G-W%V}"
    return EditionDraft(
        line=min(found.element.line for found in ranked),
        kind=DocumentKind.HF_DAILY,
        title=f"{TITLE} ({week})",
        first_day=monday,
        last_day=monday + timedelta(days=6),
        year_rule=None,
        url=f"{_SITE}/week/{week}",
        entries=tuple(_entry(rank, found) for rank, found in enumerate(ranked, start=1)),
    )


def _by_votes(listed: _Listed) -> tuple[int, str]:
    """Return the key of an order by votes, then by arXiv id, which never changes."""
    return -listed.paper.votes, listed.paper.arxiv_id


def _entry(rank: int, listed: _Listed) -> EntryDraft:
    paper = listed.paper
    return EntryDraft(
        line=listed.element.line,
        rank=rank,
        title=paper.title,
        summary=_summary(paper),
        links=_links(paper),
    )


def _summary(paper: ListedPaper) -> str | None:
    """Return the site's own sentence, which lists show, and the abstract, which cards add."""
    texts = dict.fromkeys(text for text in (paper.takeaway, paper.abstract) if text)
    return "\n\n".join(texts) or None


def _links(paper: ListedPaper) -> tuple[Link, ...]:
    named = (
        ("Paper", f"https://arxiv.org/abs/{paper.arxiv_id}"),
        ("Code", paper.repository),
        ("Project", paper.project_page),
        ("Hugging Face", f"{_SITE}/{paper.arxiv_id}"),
    )
    labels: dict[str, str] = {}
    for label, url in named:
        if url:
            labels.setdefault(url, label)
    return tuple(Link(label, url) for url, label in labels.items())
