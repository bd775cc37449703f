"""Hugging Face's daily papers: a list in JSON, of which every ISO week is an edition.

The votes rank a week's papers. The rules in words: `docs/formats.md`. The endpoint is
https://huggingface.co/api/daily_papers?week=2025-W04, described at
https://huggingface.co/docs/hub/en/api#get-apidailypapers. What the site says is believed only as
validated here.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails

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
from bot.domain.paper_ids import bare_arxiv_id
from bot.errors import DocumentError, WrongShape
from store.records import Link

SLUG = "hf-daily"
TITLE = "Hugging Face Daily Papers"

_SITE = "https://huggingface.co/papers"

# JSON can spell what no text holds and no database takes: control characters, half characters.
_BLANKS = re.compile(r"[\s\x00-\x1f\x7f]+")
_HALVES = re.compile(r"[\ud800-\udfff]")
_ADDRESS = re.compile(r"https?://[^\s<>\x00-\x1f\ud800-\udfff]{1,2000}", re.IGNORECASE)
_EXPECTED = {
    "paper": "an object with the facts of a paper",
    "id": "an arXiv id such as 2501.12948",
    "title": "a title",
    "upvotes": "a whole number of votes",
    "submittedOnDailyAt": "an instant such as 2025-01-23T06:35:00Z",
    "summary": "a text",
    "ai_summary": "a text",
    "githubRepo": "a web address",
    "projectPage": "a web address",
}

# A paper is one without these.
_OPTIONAL = frozenset({"summary", "ai_summary", "githubRepo", "projectPage"})
_LONGEST_QUOTE = 60
_BETWEEN = re.compile(r"[\s,]*")

# The signs of an answer in JSON: a list of objects, and in these a paper with the
# instant at which it was listed.
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
_HAS_PAPER = re.compile(r'"paper"\s*:\s*\{')
_LISTED_AT = "submittedOnDailyAt"
_REMEDY = (
    "Expected is the answer of https://huggingface.co/api/daily_papers?week=2025-W04,"
    " a list in JSON; if it was cut off, fetch it again."
)


def _arxiv_id(text: str) -> str:
    found = bare_arxiv_id(text)
    if found is None:
        raise ValueError("no arXiv id")
    return found


def _on_one_line(text: str) -> str:
    """Return a text without the line breaks at which the site wraps titles and abstracts."""
    return _BLANKS.sub(" ", _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)).strip()


def _title(text: str) -> str:
    if not (title := _on_one_line(text)):
        raise ValueError("no words")
    return title


def _text(text: str | None) -> str | None:
    return _on_one_line(text or "") or None


def _address(text: str | None) -> str | None:
    stripped = (text or "").strip()
    if stripped and not _ADDRESS.fullmatch(stripped):
        raise ValueError("no address")
    return stripped or None


def _day(value: object) -> date:
    """Return the day (UTC) of an instant in ISO 8601; one without a zone is none."""
    at = datetime.fromisoformat(str(value))
    # A day at either end of the calendar has no whole week.
    if at.tzinfo is None or not MINYEAR < at.year < MAXYEAR:
        raise ValueError("no instant")
    return at.astimezone(UTC).date()


class ListedPaper(BaseModel):
    """The fields that are read of an element's `paper`.

    `listed_on` is the day (UTC) of `submittedOnDailyAt`, on which the site listed it; `takeaway` is
    `ai_summary`, the site's own sentence about the paper.
    """

    arxiv_id: Annotated[str, AfterValidator(_arxiv_id)] = Field(alias="id")
    title: Annotated[str, AfterValidator(_title)]
    votes: int = Field(alias="upvotes", ge=0, strict=True)
    listed_on: Annotated[date, BeforeValidator(_day)] = Field(alias="submittedOnDailyAt")
    abstract: Annotated[str | None, AfterValidator(_text)] = Field(None, alias="summary")
    takeaway: Annotated[str | None, AfterValidator(_text)] = Field(None, alias="ai_summary")
    repository: Annotated[str | None, AfterValidator(_address)] = Field(None, alias="githubRepo")
    project_page: Annotated[str | None, AfterValidator(_address)] = Field(None, alias="projectPage")


class _Element(BaseModel):
    paper: ListedPaper


@dataclass(frozen=True, slots=True)
class ListElement:
    """One element: its place in the list (from 1), the line on which it starts, its value."""

    place: int
    line: int
    value: object


class _Listed(NamedTuple):
    """A paper and the element that lists it."""

    element: ListElement
    paper: ListedPaper


# An element, its paper if it holds one, and the problems with it in words.
_Reading = tuple[ListElement, ListedPaper | None, tuple[str, ...]]


def read_paper(element: object) -> tuple[ListedPaper | None, tuple[str, ...]]:
    """Return an element's paper, `None` where it is none, and the problems with it in words.

    An optional field that is broken is left out.
    """
    try:
        return _Element.model_validate(element).paper, ()
    except ValidationError as error:
        errors = error.errors()
    problems = tuple(map(_problem, errors))
    broken = {error["loc"][-1] for error in errors if error["loc"]}
    if not isinstance(element, dict) or not broken <= _OPTIONAL:
        return None, problems
    facts = {name: value for name, value in element["paper"].items() if name not in broken}
    return ListedPaper.model_validate(facts), problems


def _unread_fields(element: object) -> set[str]:
    """Return the names of the fields of an element, and of its paper, that are not read."""
    if not isinstance(element, dict) or not isinstance(element.get("paper"), dict):
        return set()
    inner = {f"paper.{name}" for name in element["paper"] if name not in _EXPECTED}
    return inner | element.keys() - {"paper"}


def _problem(error: ErrorDetails) -> str:
    where = error["loc"]
    if not where:
        return f"it is {_shown(error['input'])}, expected an object that holds a paper"
    name = ".".join(map(str, where))
    if error["type"] == "missing":
        return f"{name} is missing"
    return f"{name} is {_shown(error['input'])}, expected {_EXPECTED[str(where[-1])]}"


def _shown(value: object) -> str:
    """Return a value as JSON; of an object or a list return the name alone."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def looks_like_list(text: str) -> bool:
    """Tell an answer of the site by a paper in its list that has an instant of listing.

    An answer that was cut off counts as one, so that it is refused with a reason.
    """
    is_marked = f'"{_LISTED_AT}"' in text and _HAS_PAPER.search(text) is not None
    if not (is_marked and text.lstrip().startswith("[")):
        return False
    try:
        return any(map(_is_listed, json.loads(text)))
    except (ValueError, RecursionError):
        return _LIST_OF_OBJECTS.match(text) is not None


def read_elements(document: RawDocument) -> list[ListElement]:
    """Read the list's elements in their order.

    Raises:
        DocumentError: if it is no JSON, or no list.
    """
    try:
        values = json.loads(document.text)
        if isinstance(values, list):
            return list(_with_lines(document.text, len(values)))
    except json.JSONDecodeError as error:
        sentence = (
            f"{document.path} is no whole JSON: it can't be read from line {error.lineno},"
            f" column {error.colno} on."
        )
        is_other = not document.text[: error.pos].strip()
        raise (WrongShape if is_other else DocumentError)(sentence, _REMEDY) from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{document.path} is no JSON that can be read.", _REMEDY) from error
    raise WrongShape(f"{document.path} is no list of papers.", _REMEDY)


def _is_listed(value: object) -> bool:
    paper = value.get("paper") if isinstance(value, dict) else None
    return isinstance(paper, dict) and _LISTED_AT in paper


def _with_lines(text: str, count: int) -> Iterator[ListElement]:
    """Yield the elements of a complete list with their lines, which JSON parsers lose."""
    decoder = json.JSONDecoder()
    line, seen, end = 1, 0, text.index("[") + 1
    for place in range(1, count + 1):
        between = _BETWEEN.match(text, end)
        start = between.end() if between else end
        line, seen = line + text.count("\n", seen, start), start
        value, end = decoder.raw_decode(text, start)
        yield ListElement(place, line, value)


def parse(document: RawDocument, options: ParseOptions) -> ParsedDocument:
    """Parse a list of daily papers: one edition an ISO week in which papers were listed.

    A document is the whole of each week that it touches; nothing in it depends on the order
    of the list.

    Raises:
        DocumentError: where it is no list, lists nothing, or nothing in it can be read.
    """
    readings = [(e, *read_paper(e.value)) for e in read_elements(document)]
    listed = [_Listed(element, paper) for element, paper, _ in readings if paper]
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
        unread_rows=len(readings) - len(listed),
    )


def _nothing_read(document: RawDocument, readings: Sequence[_Reading]) -> DocumentError:
    if not readings:
        return DocumentError(f"{document.path} lists no paper.", "Ask for a week that has some.")
    _, _, problems = readings[0]
    first = "; ".join(problems)
    return WrongShape(
        f"{document.path} lists no paper that can be read.", f"In its first element {first}."
    )


def _problems(readings: Iterable[_Reading]) -> list[Note]:
    return [
        Note(
            element.line,
            f"element {element.place}: {'; '.join(problems)};"
            f" {'kept without it' if paper else 'left out'}",
        )
        for element, paper, problems in readings
        if problems
    ]


def _unread(listed: Sequence[_Listed]) -> list[Note]:
    """Name the fields, once for all elements, that hold nothing for an entry to keep."""
    names = sorted({name for found in listed for name in _unread_fields(found.element.value)})
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
    # By votes, then by arXiv id, which never changes.
    ranked = sorted(listed, key=lambda found: (-found.paper.votes, found.paper.arxiv_id))
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


def _entry(rank: int, listed: _Listed) -> EntryDraft:
    line, paper = listed.element.line, listed.paper
    # The site's own sentence, which lists show, and the abstract, which cards add.
    texts = dict.fromkeys(text for text in (paper.takeaway, paper.abstract) if text)
    summary = "\n\n".join(texts) or None
    return EntryDraft(line, paper.title, rank, summary=summary, links=_links(paper))


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


FORMAT = Format(kind=DocumentKind.HF_DAILY, recognise=looks_like_list, parse=parse)
