"""Lists as JSON: objects with a title in an array, under a name, or a line each. All pure.

CSL: https://github.com/citation-style-language/schema (`csl-data.json`). `externalIds` are Semantic
Scholar's.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.domain.drafts import Note
from bot.domain.paper_ids import bare_arxiv_id
from bot.domain.week_years import YearEvidence
from bot.errors import DocumentError
from bot.ingest.formats.own_list.references import Reference, read_reference
from bot.ingest.formats.own_list.rows import ListRow, ListRows, WeekHeading
from bot.ingest.formats.own_list.weeks import find_named_week, read_cell_day
from bot.ingest.limits import MOST_REFERENCES

_TITLES = ("title", "papertitle", "paper", "name", "headline")
_NOTES = ("note", "notes", "why", "comment", "comments", "annote", "takeaway")
_ABSTRACTS = ("abstract", "summary", "description", "tldr", "contenttext")
_LINKS = (
    "url", "link", "links", "urls", "href", "paperurl", "absurl", "arxivurl", "pdf", "pdfurl",
    "code", "codeurl", "github", "externalurl",
)  # fmt: skip
_ARXIV = ("arxiv", "arxivid", "eprint", "number", "id")
_DAYS = ("dateadded", "addedat", "added", "createdat", "created", "date")
_WRAPPERS = ("papers", "items", "references", "results", "data", "entries", "records", "list")
# Papers may stand in groups, whose week is told beside them.
_GROUPS = ("papers", "items", "entries")
_GROUP_NAMES = ("week", "date", "name", "title")
_BETWEEN = re.compile(r"[\s_\-]+")
_BLANKS = " \t\r\n"
_MOST_LINKS = 20
_DECODER = json.JSONDecoder()
# Deeper or longer than any list.
_UNREADABLE = (ValueError, RecursionError)


def looks_like_json(text: str) -> bool:
    """Tell such a list by its first object, which has a title."""
    if text.lstrip()[:1] not in {"[", "{"}:
        return False
    try:
        first = next(_objects(text), None)
    except _UNREADABLE:
        return False
    # What holds its paper in an object of its own is an answer of Hugging Face's.
    return (
        first is not None
        and not isinstance(first[1].get("paper"), dict)
        and bool(_title(_folded(first[1])))
    )


def read_json(text: str, evidence: YearEvidence) -> ListRows:
    """Read the objects of a document.

    Raises:
        DocumentError: where it breaks off, or has more of them than any list.
    """
    rows = ListRows()
    line = 1
    try:
        for number, (line, found) in enumerate(_rows(text), start=1):
            if number > MOST_REFERENCES:
                raise DocumentError(
                    f"The document has more than {MOST_REFERENCES:,} references.",
                    "Split it into several.",
                )
            is_object = isinstance(found, dict)
            unknown = Note(line, "no object with a title, left out")
            rows.add(_row(line, found, evidence) if is_object else unknown)
    except _UNREADABLE as error:
        raise DocumentError(
            f"The document is no whole JSON: it breaks off behind line {line:,}.",
            "Export it again, and import the whole file.",
        ) from error
    return rows


def _objects(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects with their lines, and nothing else, as `_rows` does."""
    yield from ((line, each) for line, each in _rows(text) if isinstance(each, dict))


def _rows(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the objects with their lines, those of groups too, and what stands among them.

    Raises:
        ValueError: where one breaks off.
        RecursionError: where one is too deep.
    """
    for line, value in _elements(text):
        yield from ((line, each) for each in _ungrouped(value))


def _ungrouped(value: object) -> Iterator[Any]:
    """Yield a value, or the papers that it holds, each with the week that it names."""
    groups: list[tuple[str, list[Any]]] = []
    if isinstance(value, dict):
        week = next((name for key in _GROUP_NAMES for name in _texts(value.get(key))), "")
        groups = [(week, value[key]) for key in _GROUPS if _holds_papers(value.get(key))]
        if not (groups or _title(_folded(value))):
            groups = [(key, each) for key, each in value.items() if _holds_papers(each)]
    if not groups:
        yield value
    for week, papers in groups:
        for each in papers:
            yield {"week": week, **each} if isinstance(each, dict) else each


def _holds_papers(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and bool(_title(_folded(first)))


def _elements(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the elements of an array, of one that stands under a name, or a line each."""
    start = _after_blanks(text, 0)
    if text[start : start + 1] == "[":
        yield from _values(text, start + 1, ",", "]")
        return
    first, end = _DECODER.raw_decode(text, start)
    inner = [first, *first.values()] if isinstance(first, dict) else []
    holders = (each for each in inner if isinstance(each, dict))
    found = (
        (each, each[name])
        for each in holders
        for name in _WRAPPERS
        if isinstance(each.get(name), list)
    )
    holder, wrapped = next(found, (first, None))
    if not wrapped or _after_blanks(text, end) < len(text):
        yield from _values(text, start, "", "")
        return
    line = text.count("\n", 0, start) + 1
    yield from ((line, each) for each in wrapped)
    # What stands under another name may be of another kind; papers have a title and an address.
    others = (each for each in holder.values() if isinstance(each, list) and each is not wrapped)
    yield from ((line, None) for each in others for row in each if _is_paper(row))


def _is_paper(row: object) -> bool:
    fields = _folded(row) if isinstance(row, dict) else {}
    return bool(_title(fields)) and any(_texts(fields.get(name)) for name in (*_LINKS, "doi"))


def _values(text: str, start: int, between: str, end: str) -> Iterator[tuple[int, Any]]:
    """Yield the values of an array, or those that follow each other."""
    line, counted = 1, 0
    place = _after_blanks(text, start)
    while place < len(text) and text[place] != end:
        line += text.count("\n", counted, place)
        counted = place
        value, behind = _DECODER.raw_decode(text, place)
        yield line, value
        place = _after_blanks(text, behind)
        if between and text[place : place + 1] == between:
            place = _after_blanks(text, place + 1)
        elif between and text[place : place + 1] != end:
            raise ValueError(between)
    if end and place >= len(text):
        raise ValueError(end)


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place


def _row(line: int, found: Mapping[str, Any], evidence: YearEvidence) -> ListRow | Note:
    fields = _folded(found)
    ids = fields.get("externalids")
    ids = _folded(ids) if isinstance(ids, dict) else {}
    arxiv = [bare_arxiv_id(text) for name in _ARXIV for text in _texts(fields.get(name))]
    arxiv += [bare_arxiv_id(text) for text in _texts(ids.get("arxiv"))]
    doi = [*_texts(fields.get("doi")), *_texts(ids.get("doi"))]
    days = (read_cell_day(text) for name in _DAYS for text in _texts(fields.get(name)))
    row = read_reference(
        line,
        Reference(
            title=_title(fields),
            notes=tuple(text for name in _NOTES for text in _texts(fields.get(name))),
            abstract=next((t for name in _ABSTRACTS for t in _texts(fields.get(name))), ""),
            links=tuple(text for name in _LINKS for text in _texts(fields.get(name))),
            doi=next(iter(doi), ""),
            arxiv=next(filter(None, arxiv), ""),
            day=next(filter(None, days), None),
        ),
    )
    if isinstance(row, Note):
        return row
    named = (find_named_week(text, evidence) for text in _texts(fields.get("week")))
    week = next(filter(None, named), None)
    rank = fields.get("rank")
    is_rank = isinstance(rank, int) and not isinstance(rank, bool) and 0 < rank < MOST_REFERENCES
    return replace(
        row,
        week=WeekHeading(line, "", week) if week else None,
        rank=rank if is_rank else None,
    )


def _folded(found: Mapping[str, Any]) -> dict[str, Any]:
    return {_BETWEEN.sub("", name).casefold(): value for name, value in found.items()}


def _title(fields: Mapping[str, Any]) -> str:
    return next((text for name in _TITLES for text in _texts(fields.get(name))), "")


def _texts(value: object) -> list[str]:
    """Return the texts of a value: its own, those of a list, the address of an object."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list):
        return [
            text
            for each in value[:_MOST_LINKS]
            if not isinstance(each, list)
            for text in _texts(each)
        ]
    if isinstance(value, dict):
        return [
            each for name in ("url", "href", "text") if isinstance(each := value.get(name), str)
        ]
    return []
