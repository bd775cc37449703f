"""The limits and the cleaning of a parsed document. All pure.

The limits are several times what any known round-up has: a publisher decides on a document's
length, and each text is searched, laid out and cut into messages for every reader.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from bot.domain.drafts import EditionDraft, EntryDraft, Note, ParsedDocument
from bot.domain.untrusted_text import without_controls
from bot.replies.wording import shorten
from store.records import Highlight

# The longest known title has 134 characters, summary 2,163, highlight 549, address 380; the most
# highlights of an entry are 9, links 4, and entries of an edition some 1,000.
MOST_LINES = 500_000  # of any document
MOST_COLUMNS = 300  # of a table; Zotero's have 87
# Of a list in Markdown: a row of a table is one, a heading three, an item six. A list of ten papers
# a week, each with three lines below it, has 100,000 after eight years.
MOST_PARTS = 250_000
MOST_REFERENCES = 100_000  # of a bibliography
LONGEST_LINE = 40_000  # of a list
LONGEST_TITLE = 500
LONGEST_TEXT = 10_000  # a summary, an overview, all highlights together
LONGEST_HIGHLIGHT = 2_000
LONGEST_ADDRESS = 2_000
MOST_HIGHLIGHTS = 30
MOST_LINKS = 50
MOST_HEADINGS = 200
MOST_ENTRIES = 3_000
LONGEST_EDITION = 4_000_000  # all of it together: 2,000 entries of 2,000 letters each
MOST_NOTES = 10_000  # of a document
MOST_OF_A_KIND = 20  # as notes by themselves
_MOST_LINES_NAMED = 3
_WORDS_OF_NAME = 2
_VARIABLE = re.compile(r"[\"\u201c][^\"\u201c\u201d]{0,600}[\"\u201d]|\d[\d,.]*")
# A title of nothing else: an entry has to have one.
_UNTITLED = "Untitled"
_T = TypeVar("_T")


def within_limits(parsed: ParsedDocument) -> ParsedDocument:
    """Return a document cut to the limits, with a warning for each entry that was cut."""
    editions = tuple(map(_edition, parsed.editions))
    warnings = [
        note
        for cut, whole in zip(editions, parsed.editions, strict=True)
        for note in _warnings(cut, whole)
    ]
    return replace(
        parsed,
        editions=editions,
        source_title=_title(parsed.source_title),
        warnings=noted(
            sorted(
                one_a_kind([*map(_note, parsed.warnings), *warnings]),
                key=lambda note: note.line,
            )
        ),
        passed_over=noted(list(map(_note, parsed.passed_over))),
    )


def one_a_kind(notes: Iterable[Note], most: int = MOST_OF_A_KIND) -> list[Note]:
    """Return one note for more than so many that tell the same of other lines.

    A kind is what stands before a colon, else what stands behind it; numbers and quotations are
    no part of it.
    """
    few, told = _united(notes, _front, most)
    few, more = _united(few, _behind, most)
    return [*few, *told, *more]


def _united(
    notes: Iterable[Note], kind_of: Callable[[str], str], most: int
) -> tuple[list[Note], list[Note]]:
    """Return the notes of kinds of which there are few, and one for each of the others."""
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        kinds.setdefault(_VARIABLE.sub("#", kind_of(note.text)), []).append(note)
    few, told = list[Note](), list[Note]()
    for same in kinds.values():
        if len(same) <= most:
            few += same
            continue
        first, *others = sorted(same, key=lambda note: note.line)
        lines = ", ".join(f"{note.line:,}" for note in others[:_MOST_LINES_NAMED])
        text = f"{kind_of(first.text)}; {len(others):,} more like it: lines {lines}, \u2026"
        told.append(Note(first.line, text))
    return few, told


def _front(text: str) -> str:
    """Return what stands before the colon of a note, if that is more than a name and a number."""
    front, colon, _ = text.partition(": ")
    return front if colon and len(front.split()) > _WORDS_OF_NAME else text


def _behind(text: str) -> str:
    return text.partition(": ")[2] or text


def noted(notes: Sequence[Note]) -> tuple[Note, ...]:
    """Return the first notes, and how many more there are."""
    kept = tuple(notes[:MOST_NOTES])
    if left := len(notes) - len(kept):
        return (*kept, Note(kept[-1].line, f"and {left:,} remarks more"))
    return kept


def _warnings(cut: EditionDraft, whole: EditionDraft) -> Iterator[Note]:
    if replace(cut, entries=()) != replace(whole, entries=()):
        yield Note(whole.line, "its title, overview or headings are too long, and are cut")
    if left := len(whole.entries) - len(cut.entries):
        most = "entries" if len(cut.entries) == MOST_ENTRIES else "letters"
        bound = MOST_ENTRIES if most == "entries" else LONGEST_EDITION
        yield Note(whole.line, f"has more than {bound:,} {most}; {left:,} entries are left out")
    for kept, entry in zip(cut.entries, whole.entries, strict=False):
        if kept != entry:
            yield Note(entry.line, "an entry is too long, and is cut")


def _note(note: Note) -> Note:
    return replace(note, text=_title(note.text))


def _edition(edition: EditionDraft) -> EditionDraft:
    headings = [
        replace(heading, title=_title(heading.title), tagline=_text(heading.tagline))
        for heading in edition.headings[:MOST_HEADINGS]
    ]
    return replace(
        edition,
        title=_title(edition.title),
        overview=_text(edition.overview),
        url=edition.url if _fits(edition.url) else None,
        headings=tuple(headings),
        entries=tuple(_entries(edition.entries[:MOST_ENTRIES])),
    )


def _entries(entries: Iterable[EntryDraft]) -> Iterator[EntryDraft]:
    """Yield the first entries, each within its limits, up to the length of an edition together."""
    left = LONGEST_EDITION
    for entry in map(_entry, entries):
        left -= _length(entry)
        if left < 0:
            return
        yield entry


def _length(entry: EntryDraft) -> int:
    texts = [entry.title, entry.summary, entry.heading, entry.section]
    texts += [text for each in entry.highlights for text in (each.lead, each.text)]
    texts += [text for link in entry.links for text in (link.label, link.url)]
    return sum(len(text or "") for text in texts)


def _entry(entry: EntryDraft) -> EntryDraft:
    links = [
        replace(link, label=_title(link.label))
        for link in entry.links[:MOST_LINKS]
        if _fits(link.url)
    ]
    return replace(
        entry,
        title=_title(entry.title),
        summary=_text(entry.summary),
        highlights=tuple(_highlights(entry.highlights[:MOST_HIGHLIGHTS])),
        heading=entry.heading and _title(entry.heading),
        section=entry.section and _title(entry.section),
        links=tuple(links),
    )


def _highlights(highlights: Iterable[Highlight]) -> Iterator[Highlight]:
    """Yield the first highlights, up to the length of a text together."""
    left = LONGEST_TEXT
    for highlight in highlights:
        lead = highlight.lead and _title(highlight.lead)
        text = shorten(highlight.text, LONGEST_HIGHLIGHT)
        left -= len(lead or "") + len(text)
        if left < 0:
            return
        yield Highlight(lead, text)


def _title(text: str) -> str:
    return shorten(text, LONGEST_TITLE)


def _text(text: str | None) -> str | None:
    return text and shorten(text, LONGEST_TEXT)


def _fits(url: str | None) -> bool:
    """Tell whether an address is short enough: cut, it would lead elsewhere."""
    return bool(url) and len(url or "") <= LONGEST_ADDRESS


def sanitized(parsed: _T) -> _T:
    """Return a text, or a tuple or record of texts, without control characters.

    This comes after parsing: JSON and HTML spell such characters out, and the repair of encodings
    needs the ones in a document.
    """
    cleaned: Any = parsed
    if isinstance(parsed, str) and not isinstance(parsed, Enum):
        cleaned = without_controls(parsed)
    elif isinstance(parsed, tuple):
        cleaned = tuple(map(sanitized, parsed))
    elif is_dataclass(parsed) and not isinstance(parsed, type):
        after = {field.name: sanitized(getattr(parsed, field.name)) for field in fields(parsed)}
        if isinstance(parsed, EntryDraft) and not after["title"].strip():
            after["title"] = _UNTITLED
        cleaned = replace(parsed, **after)
    result: _T = cleaned
    return result
