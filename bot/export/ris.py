"""Papers as a RIS file, for programs that keep references: Zotero, EndNote, Mendeley, JabRef.

The format is "RIS Format Specifications" by Research Information Systems (2001 and 2011):
https://en.wikipedia.org/wiki/RIS_(file_format). A line is a tag of two characters, two blanks, a
hyphen, a blank and a value, and ends with carriage return and line feed; `TY` opens a reference
and `ER` closes it. The text is UTF-8, which the format leaves open.

Two limits of 2001 are ignored, as today's programs do: 20 characters for `ID`, one-byte letters.
"""

from collections.abc import Iterator, Sequence

from bot.export.bibliography import (
    NO_ARXIV_FACTS,
    ArxivFacts,
    Reference,
    abstract,
    last_name_first,
    origin,
    references,
)
from bot.export.links import entry_url, flat
from store.library.arxiv import ArxivPaper
from store.records import Edition

# RIS has no type for preprints: an arXiv paper is an unpublished work (EndNote's word, too). The
# type of any other paper is unknown: generic. Zotero makes an article of both, which has all of
# our fields; a web page (ELEC) would lose the DOI.
_PREPRINT, _GENERIC = "UNPB", "GEN"


def to_ris(editions: Sequence[Edition], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write the papers of editions (newest first), each once, newest mention first."""
    return "".join(
        _record(reference, arxiv.get(reference.entry.arxiv_id or ""))
        for reference in references(editions)
    )


def _record(reference: Reference, arxiv: ArxivPaper | None) -> str:
    kind = _PREPRINT if reference.entry.arxiv_id else _GENERIC
    tagged = [(tag, flat(value or "")) for tag, value in _tagged(reference, arxiv)]
    lines = [("TY", kind), *((tag, line) for tag, line in tagged if line), ("ER", "")]
    return "".join(f"{tag}  - {line}\r\n" for tag, line in lines)


def _tagged(reference: Reference, arxiv: ArxivPaper | None) -> Iterator[tuple[str, str | None]]:
    """Yield the tags between `TY` and `ER`; `ID` is the key of the BibTeX file."""
    entry = reference.entry
    yield "ID", reference.key
    yield "TI", entry.title
    for name in arxiv.authors if arxiv else ():
        yield "AU", last_name_first(name)
    yield "PY", str(reference.year)
    yield "AN", f"arXiv:{entry.arxiv_id}" if entry.arxiv_id else None
    yield "DB", "arXiv" if entry.arxiv_id else None
    yield "DO", entry.doi
    # A semicolon would separate two URLs.
    yield "UR", (entry_url(entry) or "").replace(";", "%3B")
    yield "AB", abstract(reference, arxiv)
    for topic in entry.topics:
        yield "KW", topic
    yield "N1", origin(reference, arxiv)
