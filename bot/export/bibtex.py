r"""Papers as a BibTeX file, for LaTeX and for programs that keep references.

Syntax, fields and braces: https://www.ctan.org/pkg/bibtex (btxdoc). The fields for arXiv:
https://info.arxiv.org/help/hypertex/bibstyles. biblatex reads the same (its manual, 2.2.5:
`archivePrefix` is `eprinttype`, `annote` is `annotation`).

A journal is known by its DOI alone, so every paper is a `@misc`; authors, class and abstract come
from arXiv. Text is UTF-8: letters of all languages are kept, and only the special characters of
LaTeX are escaped.
"""

import re
from collections.abc import Mapping, Sequence

from bot.export.bibliography import (
    NO_ARXIV_FACTS,
    ArxivFacts,
    Reference,
    abstract,
    is_group,
    origin,
    references,
)
from bot.export.links import entry_url, flat
from store.library.arxiv import ArxivPaper
from store.records import Edition

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
    reference: Reference, arxiv: ArxivPaper | None, note: str | None = None
) -> dict[str, str]:
    """Return the fields of a paper, with the facts from arXiv and a reader's own note."""
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
        "keywords": _latex(", ".join(entry.topics)),
        "annote": _latex(f"{note} [{where}]" if note else where),
    }


def bare_fields(title: str, note: str | None) -> dict[str, str]:
    """Return the fields of a paper that no edition has: its title and a reader's note."""
    return {"title": _braced(_latex(title)), "annote": _latex(note)}


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
