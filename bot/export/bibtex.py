r"""Papers as a BibTeX file, for LaTeX and for programs that keep references.

Syntax, fields and braces: https://www.ctan.org/pkg/bibtex (btxdoc). The fields for arXiv:
https://info.arxiv.org/help/hypertex/bibstyles. biblatex reads the same (its manual, 2.2.5:
`archivePrefix` is `eprinttype`, `annote` is `annotation`).

We know a journal only by its DOI, so every paper is a `@misc`; authors, class and abstract are
those that arXiv tells. Text is UTF-8: letters of all languages stand as they are, and only the
signs of LaTeX are escaped.
"""

import re
from collections.abc import Mapping, Sequence

from bot.export.authors import is_group
from bot.export.links import entry_url
from bot.export.papers import Paper, abstract, origin, papers
from bot.export.text import flat
from store.library.arxiv import NO_METADATA, ArxivPaper
from store.records import Edition

# BibTeX counts braces whether a backslash stands before them or not, so `\{` won't do. The
# signs < > | are others in LaTeX's first encoding, OT1.
_IN_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_"},
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
# Neighbours that LaTeX would join to one sign, such as two hyphens to a dash.
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=[`?!])(?=`)|(?<=,)(?=,)")
# Addresses and ids are read as they stand; only what would end the field must go.
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


def to_bibtex(editions: Sequence[Edition], told: Mapping[str, ArxivPaper] = NO_METADATA) -> str:
    """Write the papers of editions (newest first), each once, newest mention first.

    `told` is what arXiv says of them, by their ids.
    """
    return "\n".join(
        record(paper.key, fields_of(paper, told.get(paper.entry.arxiv_id or "")))
        for paper in papers(editions)
    )


def record(key: str, fields: Mapping[str, str]) -> str:
    """Write one paper, its fields in their order; those without a value are left out."""
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
    return f"@misc{{{key},\n{''.join(lines)}}}\n"


def fields_of(paper: Paper, told: ArxivPaper | None, note: str | None = None) -> dict[str, str]:
    """Return what is said of a paper, with what arXiv tells and a reader's own note."""
    entry = paper.entry
    return {
        "author": " and ".join(map(_author, told.authors)) if told else "",
        "title": _with_its_capitals(_latex(entry.title)),
        "year": str(paper.year),
        "eprint": _verbatim(entry.arxiv_id),
        "archivePrefix": "arXiv" if entry.arxiv_id else "",
        "primaryClass": _verbatim(told.categories[0]) if told and told.categories else "",
        "doi": _verbatim(entry.doi),
        "url": _verbatim(entry_url(entry)),
        "abstract": _latex(abstract(paper, told)),
        "keywords": _latex(", ".join(entry.topics)),
        "annote": _latex(f"{note} [{origin(paper, told)}]" if note else origin(paper, told)),
    }


def bare_fields(title: str, note: str | None) -> dict[str, str]:
    """Return what is said of a paper of which nothing is known but its title, and a note."""
    return {"title": _with_its_capitals(_latex(title)), "annote": _latex(note)}


def _author(name: str) -> str:
    """Write a name; one in braces is not taken apart, and no word in it parts two authors."""
    is_whole = is_group(name) or "and" in name.lower().split()
    return _with_its_capitals(_latex(name)) if is_whole else _latex(name)


def _with_its_capitals(latex: str) -> str:
    """Brace a title, so that no style changes its case.

    A brace with a backslash right after it would do the reverse: BibTeX takes such a group for
    one accented letter and does change what stands in it (btxdoc, section 4).
    """
    return f"{{{{}}{latex}}}" if latex.startswith("\\") else f"{{{latex}}}"


def _latex(text: str | None) -> str:
    """Write a text on one line, so that LaTeX prints it sign by sign."""
    return _LIGATURE.sub("{}", flat(text or "").translate(_IN_LATEX))


def _verbatim(name: str | None) -> str:
    return flat(name or "").translate(_VERBATIM)
