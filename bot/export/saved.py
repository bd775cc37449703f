"""A reader's list as a file, each paper with the reader's note. All pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.export.as_json import mention_json, written
from bot.export.bibtex import bare_fields, fields_of, record
from bot.export.markdown import bare_item, item, to_markdown
from bot.export.papers import Paper, bare_key, free_key, papers
from bot.export.table import COLUMNS, facts, table
from store.library.arxiv import NO_METADATA, ArxivPaper
from store.library.editions import newest_first
from store.readers.saved import SavedPaper
from store.records import Edition, Entry

Told = Mapping[str, ArxivPaper]
NOWHERE = "no longer in an edition"


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name in a sentence, the file's name and media type, and what writes it."""

    words: str
    file: str
    media_type: str
    write: Callable[[Sequence[SavedPaper], Told], str]


def to_bibtex(saved: Sequence[SavedPaper], told: Told = NO_METADATA) -> str:
    """Write a list as a bibliography; `told` is what arXiv says of papers, by their ids."""
    pairs = _with_papers(saved)
    taken = {paper.key.lower() for _, paper in pairs if paper}
    records = []
    for each, paper in pairs:
        if paper:
            fields = fields_of(paper, told.get(paper.entry.arxiv_id or ""), each.note)
            records.append(record(paper.key, fields))
        else:
            key = free_key(bare_key(each.title, each.ref), taken)
            taken.add(key.lower())
            records.append(record(key, bare_fields(each.title, each.note)))
    return "\n".join(records)


def to_csv(saved: Sequence[SavedPaper], _told: Told = NO_METADATA) -> str:
    """Write a list as a table: an entry's columns, then when it was saved and the note."""
    rows = (
        {**_row(each, paper), "saved_at": each.at.isoformat(), "note": each.note}
        for each, paper in _with_papers(saved)
    )
    return table((*COLUMNS, "saved_at", "note"), rows)


def to_json(saved: Sequence[SavedPaper], told: Told = NO_METADATA) -> str:
    """Write `{"papers": […]}`, each as its newest entry with when it was saved and the note."""
    found = [
        {
            **_facts(each, paper, told),
            "saved_at": each.at.isoformat(),
            "note": each.note,
        }
        for each, paper in _with_papers(saved)
    ]
    return written({"papers": found})


def to_markdown_list(saved: Sequence[SavedPaper], _told: Told = NO_METADATA) -> str:
    """Write a list to be read: titles that lead to the papers, places and notes."""
    items = (
        item(paper.edition, paper.entry, each.note)
        if paper
        else bare_item(each.title, NOWHERE, each.note)
        for each, paper in _with_papers(saved)
    )
    return to_markdown("Saved papers", items)


FORMATS: Final[dict[str, Format]] = {
    "bibtex": Format("BibTeX", "saved.bib", "application/x-bibtex", to_bibtex),
    "csv": Format("CSV", "saved.csv", "text/csv", to_csv),
    "json": Format("JSON", "saved.json", "application/json", to_json),
    "markdown": Format("Markdown", "saved.md", "text/markdown", to_markdown_list),
}
"""The formats by name. What is written is whole, as for `bot.export.formats`."""


def _with_papers(saved: Sequence[SavedPaper]) -> list[tuple[SavedPaper, Paper | None]]:
    """Return each paper of a list as editions tell it, `None` where none mentions it."""
    known = {paper.entry.paper: paper for paper in papers(_editions(saved))}
    return [(each, known[each.mentions[0].paper_id] if each.mentions else None) for each in saved]


def _editions(saved: Sequence[SavedPaper]) -> list[Edition]:
    """Return the editions that mention the papers of a list, newest first, without any others."""
    entries: dict[Edition, list[Entry]] = {}
    for mention in (mention for each in saved for mention in each.mentions):
        entries.setdefault(mention.edition, []).append(mention.entry)
    return [
        replace(edition, entries=tuple(sorted(entries[edition], key=lambda one: one.position)))
        for edition in sorted(entries, key=newest_first)
    ]


def _row(saved: SavedPaper, paper: Paper | None) -> dict[str, object]:
    if paper is None:
        return {"ref": saved.ref, "title": saved.title}
    return facts(paper.edition, paper.entry)


def _facts(saved: SavedPaper, paper: Paper | None, told: Told) -> dict[str, object]:
    if paper is None:
        return mention_json(None, _bare(saved))
    return mention_json(paper.edition, paper.entry, told)


def _bare(saved: SavedPaper) -> Entry:
    """Return an entry of which nothing is known but its ref and title."""
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
