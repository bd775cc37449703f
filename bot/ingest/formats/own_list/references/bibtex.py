"""Lists in BibTeX and biblatex, read by bibtexparser and pylatexenc. All pure."""

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from bot.domain.drafts import Note
from bot.errors import DocumentError
from bot.ingest.formats.own_list.items import arxiv_ids_in
from bot.ingest.formats.own_list.references import Reference, read_reference
from bot.ingest.formats.own_list.rows import ListRows
from bot.ingest.formats.own_list.weeks import read_cell_day
from bot.ingest.limits import MOST_REFERENCES

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Block, Entry

_HEAD = re.compile(r"[ \t]*@[A-Za-z]{3,20}[ \t]*[{(]")
# A program's remarks may stand above the references; signs of Markdown may not.
_REMARK = re.compile(r"[ \t]*(?:%|[A-Za-z])")
_MOST_REMARKS = 10
_NOTES = ("annote", "annotation", "note", "comment", "comments")
_ARXIV_FIELDS = ("journal", "journaltitle", "howpublished", "number", "note")
_DAYS = ("date-added", "timestamp", "dateadded", "urldate")
_URL = re.compile(r"\\(?:url|href)\s*\{([^{}]{1,2000})\}")
_HREF = re.compile(r"\\href\s{0,9}\{([^{}]{1,2000})\}\s{0,9}\{([^{}]{0,500})\}")
_OTHER_ROW = re.compile(r"TY {1,2}- |\s{0,9}(?:[-*+\u2022]|\(?\d{1,3}[.)])\s+\S|\s{0,9}\|.*\|\s*$")
_LONGEST_JOINED = 2_000
_COMMAND = re.compile(r"\\[A-Za-z]+\s?|[{}\\]")
_LONGEST_FIELD = 20_000
# They write a line for each command that breaks off, and what is given back as a failed block.
_LOGS = ("bibtexparser", "pylatexenc")
# LaTeX's own names of signs that pylatexenc lacks.
_SIGNS = {
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}


def looks_like_bibtex(text: str) -> bool:
    """Tell BibTeX by its first line such as `@misc{key,`, below remarks alone."""
    lines = filter(str.strip, text.split("\n"))
    for line in islice(lines, _MOST_REMARKS):
        if _HEAD.match(line):
            return True
        if not _REMARK.match(line):
            return False
    return False


def read_bibtex(text: str) -> ListRows:
    """Read the references of a document; one that can't be read is named by its line.

    Raises:
        DocumentError: where it has more of them than any list.
    """
    from bibtexparser.middlewares import (
        RemoveEnclosingMiddleware,
        ResolveStringReferencesMiddleware,
    )
    from bibtexparser.model import (
        DuplicateBlockKeyBlock,
        Entry,
        ImplicitComment,
        ParsingFailedBlock,
    )
    from bibtexparser.splitter import Splitter

    if text.count("@") > MOST_REFERENCES:
        raise DocumentError(
            f"The document has more than {MOST_REFERENCES:,} references.",
            "Split it into several.",
        )
    for logs in _LOGS:
        logging.getLogger(logs).setLevel(logging.CRITICAL)
    library: Library = Splitter(text).split()
    _join(library)
    for middleware in (
        ResolveStringReferencesMiddleware(allow_inplace_modification=True),
        RemoveEnclosingMiddleware(allow_inplace_modification=True),
    ):
        library = middleware.transform(library)
    rows = ListRows()
    broken: list[int] = []
    for block in library.blocks:
        line = (block.start_line or 0) + 1
        entry: Block | None = block
        if isinstance(block, DuplicateBlockKeyBlock):
            entry = block.ignore_error_block
        elif isinstance(block, ImplicitComment):
            rows.unread += _rows_between(line, block.comment)
        elif isinstance(block, ParsingFailedBlock):
            rows.unread.append(Note(line, "a reference that can't be read, left out"))
            continue
        if isinstance(entry, Entry):
            broken += [line] * _read_entry(line, entry, rows)
    if broken:
        number = "1 reference has" if len(broken) == 1 else f"{len(broken):,} references have"
        rows.warnings.append(
            Note(broken[0], f"{number} LaTeX that breaks off, read as far as it goes")
        )
    return rows


def _read_entry(line: int, entry: "Entry", rows: ListRows) -> bool:
    """Read a reference; tell whether its LaTeX breaks off."""
    latex = _Latex()
    rows.add(read_reference(line, _reference(entry, latex.plain)))
    return latex.is_broken


def _rows_between(start: int, text: str) -> list[Note]:
    """Name the lines between references that are rows of another kind: items, RIS, a sheet's."""
    return [
        Note(start + number, "a row of another kind between references, left out")
        for number, line in enumerate(text.split("\n"))
        if _OTHER_ROW.match(line) or ("://" in line and not line.lstrip().startswith("%"))
    ]


def _join(library: "Library") -> None:
    """Join the parts of values: `"Proc. " # nips`."""
    strings = {name.lower(): str(each.value) for name, each in library.strings_dict.items()}
    for entry in library.entries:
        for each in entry.fields:
            if "#" in str(each.value):
                each.value = _joined(str(each.value), strings)


def _joined(value: str, strings: Mapping[str, str]) -> str:
    """Return the value of parts that `#` joins, in braces; of one part as it is."""
    parts, depth, start, in_quotes = list[str](), 0, 0, False
    for place, char in enumerate(value):
        if char == '"' and not depth:
            in_quotes = not in_quotes
        depth += (char == "{") - (char == "}")
        if char == "#" and not (depth or in_quotes):
            parts.append(value[start:place])
            start = place + 1
    if not parts:
        return value
    parts.append(value[start:])
    texts = (strings.get(part.strip().lower(), part.strip()) for part in parts)
    return "{" + "".join(map(_unenclosed, texts))[:_LONGEST_JOINED] + "}"


def _unenclosed(text: str) -> str:
    return text[1:-1] if text[:1] + text[-1:] in {'""', "{}"} else text


def _reference(entry: "Entry", plain: Callable[[str], str]) -> Reference:
    fields = {name.lower(): str(each.value) for name, each in entry.fields_dict.items()}
    is_arxiv = "arxiv" in fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower()
    title = fields.get("title", "")
    links = [
        fields.get("url", ""),
        *(found[0] for found in _HREF.findall(title)),
        *_URL.findall(fields.get("howpublished", "")),
    ]
    days = (read_cell_day(fields[name]) for name in _DAYS if name in fields)
    return Reference(
        title=plain(_HREF.sub(lambda found: found[2], title)),
        notes=tuple(plain(fields[name]) for name in _NOTES if name in fields),
        abstract=plain(fields.get("abstract", "")),
        links=tuple(map(_address, links)),
        doi=_address(fields.get("doi", "")),
        arxiv=(is_arxiv and fields.get("eprint")) or _arxiv_id(fields),
        day=next(filter(None, days), None),
    )


def _arxiv_id(fields: Mapping[str, str]) -> str:
    """Return the id in the fields where Google Scholar and others name it, empty without one."""
    found = (arxiv_ids_in(fields.get(name, "")) for name in _ARXIV_FIELDS)
    return next((ids[0] for ids in found if ids), "")


@dataclass(slots=True)
class _Latex:
    """A reader of LaTeX, and whether any of what it read breaks off."""

    is_broken: bool = False

    def plain(self, latex: str) -> str:
        """Return what LaTeX prints of a text, on one line; what breaks off as far as it goes."""
        from pylatexenc.latexwalker import (  # type: ignore[import-untyped] # the wheel ships no types
            LatexWalkerError,
        )

        text = " ".join(latex.split())[:_LONGEST_FIELD]
        if "\\" not in text and not {"{", "$", "~", "-", "`", "'"} & set(text):
            return text
        for is_strict in (True, False):
            try:
                printed = str(_decoder().latex_to_text(text, tolerant_parsing=not is_strict))
            except (LatexWalkerError, RecursionError, ValueError, IndexError, KeyError):
                self.is_broken = True
            else:
                return " ".join(printed.split())
        return " ".join(_COMMAND.sub("", text).split())


def _address(text: str) -> str:
    """Return an address without LaTeX's marks."""
    bare = _COMMAND.sub("", text) if not text.startswith("\\url") else text
    return bare.strip().removeprefix("\\url").strip("{} ")


@cache
def _decoder() -> Any:  # noqa: ANN401 - the wheel ships no types
    from pylatexenc.latex2text import (  # type: ignore[import-untyped] # the wheel ships no types
        LatexNodes2Text,
        MacroTextSpec,
        get_default_latex_context_db,
    )

    context = get_default_latex_context_db()
    macros = [MacroTextSpec(name, sign) for name, sign in _SIGNS.items()]
    context.add_context_category("signs", prepend=True, macros=macros)
    return LatexNodes2Text(latex_context=context)
