"""Lists in RIS, as Zotero, EndNote, Mendeley and we write them. All pure.

The tags: "RIS Format Specifications" (2001 and 2011),
https://en.wikipedia.org/wiki/RIS_(file_format), and Zotero's translator, which takes one blank for
two (https://github.com/zotero/translators, RIS.js). rispy reads the same but tells no lines, and
gives a file up for one bad reference.
"""

import re
from collections.abc import Iterator

from bot.domain.drafts import Note
from bot.ingest.formats.own_list.references import Reference, read_reference
from bot.ingest.formats.own_list.rows import ListRows

_TAG = re.compile(r"(?P<tag>[A-Z][A-Z0-9]) {1,2}-(?: (?P<value>.*))?$")
# Some programs count references in front of them, or in a line of its own.
_COUNT = re.compile(r"\s{0,9}(?:\d{1,6}[.):]?|\[\d{1,6}\])\s{0,9}(?=TY {1,2}-|$)")
_HEAD = re.compile(r"\s*(?:\d{1,6}[.):]?\s+|\[\d{1,6}\]\s+)?TY {1,2}- ?\S")
_LONGEST_COUNT = 30
_ENDS = "ER"
_TITLES = ("TI", "T1", "CT", "BT", "ST")
_LINKS = ("UR", "L2", "L1", "LK")
_NOTES = ("N1", "RN")
_ABSTRACTS = ("AB", "N2")

# The values of each tag, each as the lines that it goes on over.
_Fields = dict[str, list[list[str]]]


def looks_like_ris(text: str) -> bool:
    """Tell RIS by its first line, the type of a reference."""
    return _HEAD.match(text) is not None


def read_ris(text: str) -> ListRows:
    """Read the references of a document."""
    rows = ListRows()
    for line, fields in _references(text, rows):
        rows.add(read_reference(line, _reference(fields)))
    return rows


def _references(text: str, rows: ListRows) -> Iterator[tuple[int, _Fields]]:
    """Yield the fields of each reference with its first line; a new type ends the one before."""
    start, fields, last = 0, _Fields(), ""
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip("\ufeff").rstrip()
        counted = _COUNT.match(bare) if not start or "TY" in bare[:_LONGEST_COUNT] else None
        bare = bare[counted.end() :] if counted else bare
        found = _TAG.match(bare)
        tag, value = (found["tag"], found["value"] or "") if found else (last, bare.strip())
        if found and tag in {"TY", _ENDS}:
            if start:
                yield start, fields
            start, fields = (number if tag == "TY" else 0), {}
        elif start and value:
            values = fields.setdefault(tag, [])
            if found or not values:
                values.append([])
            values[-1].append(value.strip())
        elif value:
            rows.unread.append(Note(number, "a line outside of a reference, left out"))
        last = tag if found else last
    if start:
        yield start, fields


def _reference(fields: _Fields) -> Reference:
    def every(*tags: str) -> tuple[str, ...]:
        return tuple(" ".join(value) for tag in tags for value in fields.get(tag, ()))

    return Reference(
        title=next(iter(every(*_TITLES)), ""),
        notes=every(*_NOTES),
        abstract=next(iter(every(*_ABSTRACTS)), ""),
        links=tuple(url for value in every(*_LINKS) for url in value.split(";")),
        doi=next(iter(every("DO", "M3")), ""),
        arxiv=next((value for value in every("AN") if "arxiv" in value.lower()), ""),
    )
