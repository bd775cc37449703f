"""References of bibliographies as rows of a list: BibTeX, RIS, JSON. All pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from bot.domain.drafts import Note
from bot.domain.paper_ids import bare_arxiv_id
from bot.ingest.formats.own_list.inline import TextRun, plain_pieces, web_address_of
from bot.ingest.formats.own_list.items import (
    PAPER,
    arxiv_link,
    clean_note,
    each_once,
    paper_or_address,
    read_links,
)
from bot.ingest.formats.own_list.rows import ListRow
from store.records import Highlight, Link

_ARXIV_NOTE = re.compile(r"(arXiv:\S{5,40})\s\[[\w.-]{1,20}\]")
_DOI = re.compile(r"10\.\d{4,9}/\S+")


@dataclass(frozen=True, slots=True)
class Reference:
    """The fields of a reference as plain text; `day` is when it was added to the list."""

    title: str
    notes: tuple[str, ...] = ()
    abstract: str = ""
    links: tuple[str, ...] = ()
    doi: str = ""
    arxiv: str = ""
    day: date | None = None


def read_reference(line: int, reference: Reference) -> ListRow | Note:
    """Return the row of a reference, a note where it has no title."""
    title = " ".join(reference.title.split())
    if not any(char.isalpha() for char in title):
        return Note(line, "a reference without a title, left out")
    notes = [_pieces(_without_field(note)) for note in reference.notes]
    links = [*_links(reference), *(link for note in notes for link in read_links(note))]
    texts = [text for note in notes if (text := clean_note(note))]
    abstract = clean_note(_pieces(reference.abstract))
    own = " ".join(texts) or None
    return ListRow(
        line=line,
        title=title,
        note=own or abstract,
        highlights=(Highlight("Abstract", abstract),) if own and abstract else (),
        links=each_once(links, paper_or_address),
        day=reference.day,
    )


def _without_field(note: str) -> str:
    """Return a note without the field of arXiv that Zotero writes behind a number."""
    return found[1] if (found := _ARXIV_NOTE.fullmatch(note.strip())) else note


def _pieces(text: str) -> list[TextRun]:
    return plain_pieces(" ".join(text.split()))


def _links(reference: Reference) -> Iterator[Link]:
    for each in reference.links:
        if url := web_address_of(each):
            yield Link(PAPER, url)
    if arxiv_id := bare_arxiv_id(reference.arxiv):
        yield arxiv_link(arxiv_id)
    if doi := _DOI.search(reference.doi):
        yield Link("DOI", f"https://doi.org/{doi[0]}")
