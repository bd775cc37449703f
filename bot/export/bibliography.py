r"""Papers as a bibliography, each once: as BibTeX and as RIS. Pure.

BibTeX's syntax, fields and braces: https://www.ctan.org/pkg/bibtex (btxdoc). The fields for arXiv:
https://info.arxiv.org/help/hypertex/bibstyles. biblatex reads the same (its manual, 2.2.5:
`archivePrefix` is `eprinttype`, `annote` is `annotation`). A journal is known by its DOI alone, so
every paper is a `@misc`; authors, class and abstract come from arXiv.

RIS is read by Zotero, EndNote, Mendeley and JabRef. The format is "RIS Format Specifications" by
Research Information Systems (2001 and 2011): https://en.wikipedia.org/wiki/RIS_(file_format). A
line is a tag of two characters, two blanks, a hyphen, a blank and a value, and ends with carriage
return and line feed; `TY` opens a reference and `ER` closes it. Two limits of 2001 are ignored, as
today's programs do: 20 characters for `ID`, one-byte letters.

Both are UTF-8, which RIS leaves open: letters of all languages are kept.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from typing import Final

from bot.domain.paper_ids import entry_url
from bot.domain.untrusted_text import flat
from bot.replies.wording import spelled_place
from store.identity.grouping import arxiv_year
from store.library.arxiv import ArxivPaper
from store.records import Edition, Entry
from store.text import title_key

ArxivFacts = Mapping[str, ArxivPaper]
"""The facts from arXiv, by arXiv id."""
NO_ARXIV_FACTS: Final[ArxivFacts] = {}

# ASCII letters, digits and points, with hyphens between: every program accepts these in a key.
# https://tex.stackexchange.com/questions/581901
_KEY_PART = re.compile(r"[A-Za-z0-9.]+")
_LONGEST_KEY = 80  # cut between words
# Some papers are by a group, whose name has no first and last part.
_GROUP = re.compile(
    r"\b(?:team|group|collaboration|consortium|project|lab|labs|institute|community)$|[,&@\d]",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r"(?:Jr|Sr)\.?|I{2,3}|IV")

# BibTeX counts braces even behind a backslash, so `\{` won't do. The characters < > | print as
# others in LaTeX's first encoding, OT1.
_LATEX_ESCAPES = str.maketrans(
    {
        **{char: f"\\{char}" for char in "&%$#_"},
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)
# Pairs that LaTeX would join, such as two hyphens to a dash.
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=[`?!])(?=`)|(?<=,)(?=,)")
# URLs and ids are read verbatim; only characters that would end the field are encoded.
_VERBATIM_ESCAPES = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})

# RIS has no type for preprints: an arXiv paper is an unpublished work (EndNote's word, too). The
# type of any other paper is unknown: generic. Zotero makes an article of both, which has all of
# our fields; a web page (ELEC) would lose the DOI.
_PREPRINT, _GENERIC = "UNPB", "GEN"


@dataclass(frozen=True, slots=True)
class CitedPaper:
    """A paper with the facts of its newest entry.

    `entry` is in `edition`, with the ids that any entry of the paper has. `year` is from the arXiv
    id, else the year in which the oldest edition with the paper ends. `key` is ASCII, unique in
    the bibliography, and stays the same when newer editions mention the paper.
    """

    key: str
    year: int
    entry: Entry
    edition: Edition


def references(editions: Sequence[Edition]) -> list[CitedPaper]:
    """Return the papers of editions (newest first), in the order of their newest mention."""
    mentions: dict[int | str, list[tuple[Edition, Entry]]] = defaultdict(list)
    for edition in editions:
        for entry in edition.entries:
            mentions[_identity(entry)].append((edition, entry))
    taken: set[str] = set()
    found = {}
    # The oldest paper is named first, so that a newer paper never takes its key.
    for edition in reversed(editions):
        for identity in map(_identity, edition.entries):
            if identity not in found:
                reference = _reference(mentions[identity])
                key = free_key(reference.key, taken)
                taken.add(key.lower())
                found[identity] = replace(reference, key=key)
    return [found[identity] for identity in mentions]


def origin(reference: CitedPaper, arxiv: ArxivPaper | None = None) -> str:
    """Say which edition mentioned a paper, and which text is that edition's.

    The summary is included if the authors' abstract takes its place elsewhere.
    """
    entry = reference.entry
    where = f"{spelled_place(reference.edition, entry)}."
    if entry.withdrawn:
        where = f"Withdrawn from arXiv. {where}"
    if not entry.summary:
        return where
    if arxiv is None or not arxiv.abstract:
        return f"{where} The abstract is that edition's summary."
    return f"{where} That edition's summary: {entry.summary}"


def abstract(reference: CitedPaper, arxiv: ArxivPaper | None = None) -> str | None:
    """Return the authors' abstract if it is known, else the edition's summary."""
    return arxiv.abstract if arxiv and arxiv.abstract else reference.entry.summary


def bare_key(title: str, ref: str) -> str:
    """Return the key of a paper that no edition has, made from its title or its ref."""
    return _joined(title_key(title)) or _joined(ref)


def free_key(key: str, taken: Collection[str]) -> str:
    """Return a key that is not taken, numbered if needed: `kites-2026`, `kites-2026-2`.

    `taken` is in lower case: BibTeX refuses keys that differ in case alone.
    """
    keys = chain([key], (f"{key}-{number}" for number in count(2)))
    return next(key for key in keys if key.lower() not in taken)


def is_group(name: str) -> bool:
    """Tell whether an author's name is most likely that of a group."""
    return _GROUP.search(name) is not None


def last_name_first(name: str) -> str:
    """Return `Gomez, Aidan N.` for `Aidan N. Gomez`, and `van der Berg, Jan`.

    Single words and names of groups stay as they are.
    """
    words = name.split()
    if len(words) < 2 or is_group(name):  # noqa: PLR2004 - a first and a last name
        return name
    suffix = [words.pop()] if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else []  # noqa: PLR2004 - a first and a last name beside it
    start = len(words) - 1
    while start > 1 and words[start - 1].islower():
        start -= 1
    return ", ".join([" ".join(words[start:]), " ".join(words[:start]), *suffix])


def _identity(entry: Entry) -> int | str:
    """Return the paper's id; an entry from outside the store is a paper by itself."""
    return entry.ref if entry.paper is None else entry.paper


def _reference(mentions: Sequence[tuple[Edition, Entry]]) -> CitedPaper:
    """Join the mentions of one paper, newest first; another paper may have the same key."""
    edition, newest = mentions[0]
    entry = replace(
        newest,
        arxiv_id=next((entry.arxiv_id for _, entry in mentions if entry.arxiv_id), None),
        doi=next((entry.doi for _, entry in mentions if entry.doi), None),
    )
    first_edition, oldest = mentions[-1]
    year = arxiv_year(entry.arxiv_id) if entry.arxiv_id else first_edition.last_day.year
    return CitedPaper(_key(entry.arxiv_id, oldest, year), year, entry, edition)


def _key(arxiv_id: str | None, oldest: Entry, year: int) -> str:
    """Return `arXiv2501.12948`, else words and year as `sparse-attention-2026`, else the ref."""
    if arxiv_id:
        return f"arXiv{_joined(arxiv_id)}"
    words = _joined(title_key(oldest.title))
    return f"{words}-{year}" if words else _joined(oldest.ref)


def _joined(text: str) -> str:
    """Join the parts of a text that a key may have, dropping the last ones if it is too long."""
    joined = "-".join(_KEY_PART.findall(text))
    if len(joined) <= _LONGEST_KEY:
        return joined
    cut = joined[: _LONGEST_KEY + 1].rpartition("-")[0]
    return cut or joined[:_LONGEST_KEY]


def to_bibtex(editions: Sequence[Edition], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write the papers of editions (newest first), each once, newest mention first."""
    return "\n".join(
        record(reference.key, fields_of(reference, arxiv.get(reference.entry.arxiv_id or "")))
        for reference in references(editions)
    )


def record(key: str, fields: Mapping[str, str]) -> str:
    """Write one paper with its fields; those without a value are left out."""
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
    return f"@misc{{{key},\n{''.join(lines)}}}\n"


def fields_of(
    reference: CitedPaper,
    arxiv: ArxivPaper | None,
    note: str | None = None,
    keywords: Sequence[str] = (),
) -> dict[str, str]:
    """Return the fields of a paper, with the facts from arXiv, a reader's own note and keywords."""
    entry = reference.entry
    where = origin(reference, arxiv)
    return {
        "author": " and ".join(map(_author, arxiv.authors)) if arxiv else "",
        "title": _braced(_latex(entry.title)),
        "year": str(reference.year),
        "eprint": _verbatim(entry.arxiv_id),
        "archivePrefix": "arXiv" if entry.arxiv_id else "",
        "primaryClass": _verbatim(arxiv.categories[0]) if arxiv and arxiv.categories else "",
        "doi": _verbatim(entry.doi),
        "url": _verbatim(entry_url(entry)),
        "abstract": _latex(abstract(reference, arxiv)),
        "keywords": _keywords(*keywords, *entry.topics),
        "annote": _latex(f"{note} [{where}]" if note else where),
    }


def bare_fields(title: str, note: str | None, keywords: Sequence[str] = ()) -> dict[str, str]:
    """Return the fields of a paper that no edition has: its title, what a reader has on it."""
    return {
        "title": _braced(_latex(title)),
        "keywords": _keywords(*keywords),
        "annote": _latex(note),
    }


def _keywords(*words: str) -> str:
    return _latex(", ".join(dict.fromkeys(words)))


def _author(name: str) -> str:
    """Write a name, in braces if BibTeX must not split it."""
    is_whole = is_group(name) or "and" in name.lower().split()
    return _braced(_latex(name)) if is_whole else _latex(name)


def _braced(latex: str) -> str:
    """Put a title in braces, so that no style changes its case.

    A backslash right behind the brace would do the reverse: BibTeX takes such a group for one
    accented letter and does change its case (btxdoc, section 4).
    """
    return f"{{{{}}{latex}}}" if latex.startswith("\\") else f"{{{latex}}}"


def _latex(text: str | None) -> str:
    """Write a text on one line, so that LaTeX prints it literally."""
    return _LIGATURE.sub("{}", flat(text or "").translate(_LATEX_ESCAPES))


def _verbatim(name: str | None) -> str:
    return flat(name or "").translate(_VERBATIM_ESCAPES)


def to_ris(editions: Sequence[Edition], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write the papers of editions (newest first), each once, newest mention first."""
    return "".join(
        ris_record(tags_of(reference, arxiv.get(reference.entry.arxiv_id or "")))
        for reference in references(editions)
    )


def ris_record(tagged: Iterable[tuple[str, str | None]]) -> str:
    """Write one paper with its tags; those without a value are left out."""
    values = ((tag, flat(value or "")) for tag, value in tagged)
    lines = [f"{tag}  - {value}\r\n" for tag, value in values if value]
    return "".join([*lines, "ER  - \r\n"])


def tags_of(
    reference: CitedPaper,
    arxiv: ArxivPaper | None,
    note: str | None = None,
    keywords: Sequence[str] = (),
) -> Iterator[tuple[str, str | None]]:
    """Yield the tags of a paper, a reader's note and keywords first of their kind.

    `ID` is the key of the BibTeX file.
    """
    entry = reference.entry
    yield "TY", _PREPRINT if entry.arxiv_id else _GENERIC
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
    for word in dict.fromkeys((*keywords, *entry.topics)):
        yield "KW", word
    yield "N1", note
    yield "N1", origin(reference, arxiv)


def bare_tags(
    key: str, title: str, note: str | None, keywords: Sequence[str] = ()
) -> Iterator[tuple[str, str | None]]:
    """Yield the tags of a paper that no edition has: its title, what a reader has on it."""
    yield "TY", _GENERIC
    yield "ID", key
    yield "TI", title
    for word in keywords:
        yield "KW", word
    yield "N1", note
