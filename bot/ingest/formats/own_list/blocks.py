"""The blocks of a document in Markdown: its parts are counted, its tables cost what they hold.

Markdown is read by a library (https://spec.commonmark.org/0.31.2/, with the tables of
https://github.github.com/gfm/#tables-extension-). It fills the cells that the rows of a table lack,
hundreds for a letter, and leaves out what lies too deep with all that is below it. So a table is a
token a row here, whose cells are parted when it is read, and deeper lists and quotes are text.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.errors import DocumentError
from bot.ingest.limits import LONGEST_LINE, MOST_PARTS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

ROW = "table_row"
# Levels of the library, two for a list and one for a quote. It gives up at twenty.
_DEEPEST = 16
_BLANKS = " \t\r\n\f\v"  # Markdown's, which a no-break blank is not of

_Rule = Callable[["StateBlock", int, int, bool], bool]
References = dict[str, Any]
"""The addresses of `[label]: address` lines, as the library notes them."""


def read_blocks(text: str) -> tuple[Sequence["Token"], References]:
    """Return the tokens of a document's blocks, whose text is not read yet, and its references.

    Raises:
        DocumentError: where it has more parts than any list.
    """
    references: References = {}
    return _blocks().parse(text, references), references


def read_inline(text: str, references: References | None = None) -> Iterator["Token"]:
    """Yield the tokens of a text, some lines at a time."""
    for part in _parts(text):
        (inline,) = _markdown().parseInline(part, references)
        yield from inline.children or ()


def cells_of(row: "Token") -> list[str]:
    """Return the cells of a table's row."""
    from markdown_it.rules_block.table import escapedSplit

    cells = [cell.strip(_BLANKS) for cell in escapedSplit(row.content)]
    start = 1 if cells and not cells[0] else 0
    end = len(cells) - 1 if cells and not cells[-1] else len(cells)
    return cells[start:end]


def _parts(text: str) -> Iterator[str]:
    """Yield a text in parts of whole lines, no longer than a line may be.

    The end of the last line of a part is the next one's beginning, for it is a sign of its own.
    """
    place = 0
    while len(text) - place > LONGEST_LINE:
        end = text.rfind("\n", place + 1, place + LONGEST_LINE)
        end = end if end > 0 else place + LONGEST_LINE
        yield text[place:end]
        place = end
    yield text[place:]


@cache
def _markdown() -> "MarkdownIt":
    """Return the reader of Markdown: CommonMark, tables, struck words, no HTML or indented code."""
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False})
    return reader.enable(["table", "strikethrough"]).disable("code")


@cache
def _blocks() -> "MarkdownIt":
    """Return a reader of blocks alone, by the rules of this module."""
    from markdown_it import MarkdownIt, rules_block

    logging.getLogger("markdown_it").setLevel(logging.WARNING)  # it tells of each try of each rule
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("code")
    reader.core.ruler.enableOnly(["normalize", "block"])
    ruler = reader.block.ruler
    # What each interrupts is as the library has it.
    within = ["paragraph", "reference", "blockquote"]
    ruler.at("table", _read_rows, {"alt": ["paragraph", "reference"]})
    ruler.at("list", _unless_deep(rules_block.list_block), {"alt": within})
    ruler.at("blockquote", _unless_deep(rules_block.blockquote), {"alt": [*within, "list"]})
    ruler.before("table", "parts", _count)
    return reader


def _count(state: "StateBlock", start: int, _end: int, _silent: bool) -> bool:  # noqa: FBT001 - the library's
    """Read nothing, and refuse a document of too many parts.

    Raises:
        DocumentError: where it has.
    """
    if len(state.tokens) > MOST_PARTS:
        raise DocumentError(
            f"The list has more than {MOST_PARTS:,} parts by line {start + 1:,}: a row of a table"
            " is one, a heading three, an item six.",
            "Split it into several.",
        )
    return False


def _unless_deep(rule: _Rule) -> _Rule:
    def read(state: "StateBlock", start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the library's
        return state.level < _DEEPEST and rule(state, start, end, silent)

    return read


def _read_rows(state: "StateBlock", start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the library's
    """Read a table as a token a row, from its head to what ends it."""
    from markdown_it.rules_block import table

    if not table(state, start, end, silent=True):
        return False
    if silent:
        return True
    before, state.parentType = state.parentType, "table"
    state.push("table_open", "table", 1).map = [start, start + 1]
    line = start
    while line < end and (line < start + 2 or not _ends_table(state, line, end)):
        if line != start + 1:  # the rule below the head
            _count(state, line, end, silent)
            row = state.push(ROW, "tr", 0)
            row.map = [line, line + 1]
            row.content = _line(state, line)
        line += 1
    state.push("table_close", "table", -1)
    state.parentType, state.line = before, line
    return True


def _ends_table(state: "StateBlock", line: int, end: int) -> bool:
    if state.sCount[line] < state.blkIndent or not _line(state, line):
        return True
    # A table is ended by what ends a quote.
    return any(rule(state, line, end, True) for rule in state.md.block.ruler.getRules("blockquote"))  # noqa: FBT003 - takes no keywords


def _line(state: "StateBlock", line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip(_BLANKS)
