"""A reader's saved list as a file in several formats, with the reader's notes and tags. Pure.

The Markdown is CommonMark (https://spec.commonmark.org/0.31.2/), in which a backslash makes any
ASCII character literal. The extensions of its readers (tables, strikethrough, formulas) begin with
characters that are escaped as well.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.domain.paper_ids import entry_url, web_address
from bot.domain.untrusted_text import flat
from bot.export.bibliography import (
    NO_ARXIV_FACTS,
    ArxivFacts,
    CitedPaper,
    bare_fields,
    bare_key,
    bare_tags,
    fields_of,
    free_key,
    record,
    references,
    ris_record,
    tags_of,
)
from bot.export.json_shapes import json_text, mention_json
from bot.export.table import COLUMNS, row_of, table
from bot.replies.naming import line_about, shown_title, titles_by_ref
from bot.replies.wording import spelled_place
from store.library.editions import newest_first
from store.readers.saved import SavedPaper
from store.records import Edition, Entry

NOT_IN_AN_EDITION = "no longer in an edition"
_ENTITY = re.compile(r"&(?=#?\w+;)")
_SPECIAL = re.compile(rf"[\\`*_\[\]<>~|$]|{_ENTITY.pattern}")
# The start of a heading, a list, a rule or the underline of a heading.
_BLOCK_START = re.compile(r"\d+(?=[.)])|(?=[-+=#:])")


def to_bibtex(saved: Sequence[SavedPaper], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write a list as a bibliography."""
    records = []
    for paper, reference, key in _with_keys(saved):
        if reference:
            facts = arxiv.get(reference.entry.arxiv_id or "")
            records.append(record(key, fields_of(reference, facts, paper.note, paper.tags)))
        else:
            records.append(record(key, bare_fields(paper.title, paper.note, paper.tags)))
    return "\n".join(records)


def to_ris(saved: Sequence[SavedPaper], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write a list as a bibliography in RIS, under the keys of the BibTeX file."""
    records = []
    for paper, reference, key in _with_keys(saved):
        if reference:
            facts = arxiv.get(reference.entry.arxiv_id or "")
            records.append(ris_record(tags_of(reference, facts, paper.note, paper.tags)))
        else:
            records.append(ris_record(bare_tags(key, paper.title, paper.note, paper.tags)))
    return "".join(records)


def to_csv(saved: Sequence[SavedPaper], _arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write a list as a table: an entry's columns, when it was saved, the note, the tags."""
    rows = (
        {
            "ref": paper.ref,
            "title": paper.title,
            **(row_of(reference.edition, reference.entry) if reference else {}),
            "saved_at": paper.at.isoformat(),
            "note": paper.note,
            "tags": ";".join(paper.tags),
        }
        for paper, reference in _with_references(saved)
    )
    return table((*COLUMNS, "saved_at", "note", "tags"), rows)


def to_json(saved: Sequence[SavedPaper], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write `{"papers": […]}`, each its newest entry, when it was saved, the note, the tags."""
    found = [
        {
            **mention_json(
                reference.edition if reference else None,
                reference.entry if reference else _bare_entry(paper),
                arxiv,
            ),
            "saved_at": paper.at.isoformat(),
            "note": paper.note,
            "tags": paper.tags,
        }
        for paper, reference in _with_references(saved)
    ]
    return json_text({"papers": found})


def to_markdown(saved: Sequence[SavedPaper], _arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write a list of links to the papers, with places, tags and notes."""
    pairs = _with_references(saved)
    titles = titles_by_ref([reference.entry for _, reference in pairs if reference])
    items = (
        markdown_item(
            reference.edition,
            reference.entry,
            paper.note,
            paper.tags,
            title=titles[reference.entry.ref],
        )
        if reference
        else _item(
            [f"**{_inline(paper.title)}** · {_inline(NOT_IN_AN_EDITION)}", _tag_line(paper.tags)],
            paper.note,
        )
        for paper, reference in pairs
    )
    return "\n".join(["# Saved papers\n", *items])


def markdown_item(
    edition: Edition,
    entry: Entry,
    note: str | None = None,
    tags: Sequence[str] = (),
    *,
    title: str | None = None,
) -> str:
    """Write a paper: its title as a link, its place, one line, its links, tags and note.

    `title` is the one that it has in its list, where that is not its own.
    """
    address = entry_url(entry)
    words = (title or shown_title(entry)) if flat(entry.title) else entry.ref
    linked = _link(words, address) if address else _inline(words)
    summary = _inline(line_about(entry) or "")
    links = " · ".join(_other_links(entry, address))
    place = _inline(spelled_place(edition, entry))
    return _item([f"**{linked}** · {place}", summary, links, _tag_line(tags)], note)


@dataclass(frozen=True, slots=True)
class ListFormat:
    """A format: its label, the file's name and media type, and its writer.

    The text is whole, as in `bot.export`.
    """

    label: str
    file_name: str
    media_type: str
    write: Callable[[Sequence[SavedPaper], ArxivFacts], str]


FORMATS: Final[dict[str, ListFormat]] = {
    "bibtex": ListFormat("BibTeX", "saved.bib", "application/x-bibtex", to_bibtex),
    "csv": ListFormat("CSV", "saved.csv", "text/csv", to_csv),
    "json": ListFormat("JSON", "saved.json", "application/json", to_json),
    "markdown": ListFormat("Markdown", "saved.md", "text/markdown", to_markdown),
    "ris": ListFormat("RIS", "saved.ris", "application/x-research-info-systems", to_ris),
}


def _with_keys(
    saved: Sequence[SavedPaper],
) -> Iterator[tuple[SavedPaper, CitedPaper | None, str]]:
    """Yield each paper of a list with its reference and a key that no other has."""
    pairs = _with_references(saved)
    taken = {reference.key.lower() for _, reference in pairs if reference}
    for paper, reference in pairs:
        key = reference.key if reference else free_key(bare_key(paper.title, paper.ref), taken)
        taken.add(key.lower())
        yield paper, reference, key


def _with_references(
    saved: Sequence[SavedPaper],
) -> list[tuple[SavedPaper, CitedPaper | None]]:
    """Pair each paper of a list with its reference, `None` if no edition mentions it."""
    known = {reference.entry.paper: reference for reference in references(_editions(saved))}
    return [
        (paper, known[paper.mentions[0].paper_id] if paper.mentions else None) for paper in saved
    ]


def _editions(saved: Sequence[SavedPaper]) -> list[Edition]:
    """Return the editions that mention the papers of a list, newest first, with these alone."""
    entries: dict[Edition, list[Entry]] = {}
    for mention in (mention for paper in saved for mention in paper.mentions):
        entries.setdefault(mention.edition, []).append(mention.entry)
    return [
        replace(edition, entries=tuple(sorted(entries[edition], key=lambda one: one.position)))
        for edition in sorted(entries, key=newest_first)
    ]


def _bare_entry(saved: SavedPaper) -> Entry:
    return Entry(
        ref=saved.ref,
        position=0,
        rank=None,
        episode=None,
        title=saved.title,
        summary=None,
        highlights=(),
        heading=None,
        section=None,
        links=(),
        arxiv_id=None,
        doi=None,
    )


def _item(paragraphs: Iterable[str], note: str | None) -> str:
    with_note = [*paragraphs, f"> {_inline(note)}" if note else ""]
    first, *others = [paragraph for paragraph in with_note if paragraph]
    return "\n".join([f"- {first}\n", *(f"  {paragraph}\n" for paragraph in others)])


def _tag_line(tags: Sequence[str]) -> str:
    return _inline(f"Tags: {', '.join(tags)}") if tags else ""


def _inline(text: str) -> str:
    """Write a text on one line with every special character escaped."""
    escaped = _SPECIAL.sub(lambda found: f"\\{found[0]}", flat(text))
    start = _BLOCK_START.match(escaped)
    return f"{start[0]}\\{escaped[start.end() :]}" if start else escaped


def _other_links(entry: Entry, shown: str | None) -> Iterator[str]:
    for link in entry.links:
        address = web_address(link.url)
        if address and address != shown:
            yield _link(link.label or address, address)


def _link(words: str, address: str) -> str:
    # Brackets end an address, and entities are decoded in it.
    safe = address.replace("(", "%28").replace(")", "%29")
    return f"[{_inline(words)}]({_ENTITY.sub('&amp;', safe)})"
