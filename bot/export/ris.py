"""Papers as a RIS file, for programs that keep references: Zotero, EndNote, Mendeley, JabRef.

The format is Research Information Systems', "RIS Format Specifications" (2001 and 2011):
https://en.wikipedia.org/wiki/RIS_(file_format). A line is a tag of two signs, two blanks, a
hyphen, a blank and a value, and ends with carriage return and line feed; `TY` opens a
reference and `ER` closes it. The text is UTF-8, which the format leaves open.

Two limits of 2001 are not kept, as no program of today asks for them: 20 signs for `ID`,
and one-byte letters.
"""

from collections.abc import Iterator, Mapping, Sequence

from bot.export.authors import last_name_first
from bot.export.links import entry_url
from bot.export.papers import Paper, abstract, origin, papers
from bot.export.text import flat
from store.library.arxiv import NO_METADATA, ArxivPaper
from store.records import Edition

# RIS has no type for preprints: an arXiv paper is an unpublished work (EndNote's word, too).
# Of the others nobody told us what they are: generic. Zotero makes an article of both, whose
# fields take in all of ours; as a web page (ELEC) it would lose the DOI.
_PREPRINT, _ANYTHING = "UNPB", "GEN"


def to_ris(editions: Sequence[Edition], told: Mapping[str, ArxivPaper] = NO_METADATA) -> str:
    """Write the papers of editions (newest first), each once, newest mention first.

    `told` is what arXiv says of them, by their ids.
    """
    return "".join(
        _reference(paper, told.get(paper.entry.arxiv_id or "")) for paper in papers(editions)
    )


def _reference(paper: Paper, told: ArxivPaper | None) -> str:
    type_of_reference = _PREPRINT if paper.entry.arxiv_id else _ANYTHING
    tagged = [(tag, line) for tag, value in _tagged(paper, told) if (line := flat(value or ""))]
    lines = [("TY", type_of_reference), *tagged, ("ER", "")]
    return "".join(f"{tag}  - {line}\r\n" for tag, line in lines)


def _tagged(paper: Paper, told: ArxivPaper | None) -> Iterator[tuple[str, str | None]]:
    """Yield the tags between `TY` and `ER`; `ID` is the key of the BibTeX file."""
    entry = paper.entry
    yield "ID", paper.key
    yield "TI", entry.title
    for name in told.authors if told else ():
        yield "AU", last_name_first(name)
    yield "PY", str(paper.year)
    yield "AN", f"arXiv:{entry.arxiv_id}" if entry.arxiv_id else None
    yield "DB", "arXiv" if entry.arxiv_id else None
    yield "DO", entry.doi
    # A semicolon would part two addresses.
    yield "UR", (entry_url(entry) or "").replace(";", "%3B")
    yield "AB", abstract(paper, told)
    for topic in entry.topics:
        yield "KW", topic
    yield "N1", origin(paper, told)
