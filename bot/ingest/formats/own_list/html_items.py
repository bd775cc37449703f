"""Lists and tables in HTML, as READMEs have them, said as Markdown's. All pure.

What is said takes other lines, so each is kept with the number of the one that it comes from.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.ingest.formats.html_lines import with_headings
from bot.ingest.formats.own_list.inline import is_paper_address, pieces_of
from bot.ingest.formats.own_list.items import is_titled_link
from bot.ingest.formats.own_list.tables.columns import has_links, is_header

Line = tuple[int, str]
"""The number of a line of the document, from 0, and the text that is read there."""
_BEGIN = re.compile(r"<(?:ul|ol|dl|table)(?=[\s>])[^<>]{0,300}>", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>ul|ol|dl|li|dt|dd|table|caption|colgroup|col|thead|tbody|tfoot|tr|td|th)(?=[\s/>])(?P<rest>[^<>]{0,300})>",
    re.IGNORECASE,
)
_ITEM_BEFORE = re.compile(r"\s{0,20}(?:[-*+]|\d{1,3}[.)])\s+(?=\S)")
_FENCE = re.compile(r"\s{0,20}(?:```|~~~)")
_SPAN = re.compile(r"rowspan\s{0,3}=\s{0,3}[\"']?(\d{1,3})", re.IGNORECASE)
_MARKDOWN_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s|\|.*\|$")
_OWN_RANK = re.compile(r"\d{1,3}[.)]\s")
_BLOCK_SIGN = re.compile(r"(?=[-+*#>=~|]\s|[#>=~`|-]{2})")
_DEEPEST = 6
_MOST_SPANS = 8


def with_items(text: str) -> tuple[str, Sequence[int] | None]:
    """Return a text whose lists and tables in HTML are Markdown's, and the lines' numbers.

    The numbers are `None` where nothing is said in other lines.
    """
    if _BEGIN.search(text) is None:
        return text, None
    lines = list(_said(text.split("\n")))
    said = "\n".join(line for _, line in lines)
    return with_headings(said), [number for number, _ in lines]


def _said(lines: Sequence[str]) -> Iterator[Line]:
    place = start = 0
    in_code, margin, is_below_item = False, "", False
    while place < len(lines):
        line = lines[place]
        in_code ^= not start and _FENCE.match(line) is not None
        found = None if in_code else _BEGIN.search(line, start)
        before = line[start : found.start()] if found else line[start:]
        if found is None or "|" in before or before.count("`") % 2:
            if not start or line[start:].strip():
                yield place, line if not start else f"{margin}{line[start:].strip()}"
            if line.strip():
                is_below_item = _ITEM_BEFORE.match(line) is not None or line[:2] == "  "
            place, start = place + 1, 0
            continue
        part = _Part(place, start, before, is_below_item=is_below_item)
        end, behind = part.read(lines, found.start())
        if part.is_said:
            yield from part.said
            place, start, margin = end, behind, part.margin
        else:
            yield place, line[start:]
            yield from ((i, lines[i]) for i in range(place + 1, end + 1))
            place, start = end + 1, 0


@dataclass(slots=True)
class _Level:
    """A list that is open: whether it counts, its items, and how wide its mark is."""

    is_numbered: bool
    count: int = 0
    width: int = 2


@dataclass(slots=True)
class _Row:
    number: int
    cells: list[list[str]] = field(default_factory=list)
    has_head: bool = False


class _Part:
    """A list or a table in HTML with all in it, from its first tag to where that ends.

    `said` are its lines, `is_said` is false of one without items or papers, which stays as it is.
    """

    def __init__(self, place: int, start: int, before: str, *, is_below_item: bool) -> None:
        self.said: list[Line] = []
        self.is_said = True
        item = _ITEM_BEFORE.match(before)
        indent = len(before) - len(before.lstrip()) if is_below_item else 0
        indent = item.end() if item else indent
        self.margin = " " * min(indent, 4 * _DEEPEST)
        if before.strip():
            self.said.append((place, before if not start else before.strip()))
        self._levels: list[_Level] = []
        self._texts: list[str] = []
        self._at = place
        self._in_item = False
        self._has_items = False
        self._has_markdown = False
        self._rows: list[_Row] = []
        self._tables = 0
        self._spans: dict[int, int] = {}

    def read(self, lines: Sequence[str], start: int) -> tuple[int, int]:
        """Read lines from a place in the first one; return the place where the part ends."""
        first = self._at
        for place in range(first, len(lines)):
            line = lines[place]
            if place > first and _HEADING.match(line):
                return self._end(place - 1), len(lines[place - 1])
            for tag in _TAG.finditer(line, start):
                self._add(line[start : tag.start()], place)
                start = tag.end()
                if not self.is_said:
                    return place, start
                self._tag(tag, place)
                if not (self._levels or self._tables):
                    return self._end(place), start
            self._add(line[start:], place)
            if not self.is_said:
                return place, len(line)
            start = 0
        return self._end(len(lines) - 1), len(lines[-1])

    def _add(self, text: str, place: int) -> None:
        bare = text.strip()
        if not bare:
            return
        if not self._has_items:
            self.is_said = False
        elif self._tables:
            self._has_markdown = self._has_markdown or _MARKDOWN_ITEM.match(bare) is not None
            if self._rows and self._rows[-1].cells:
                self._rows[-1].cells[-1].append(bare)
        else:
            self._at = self._at if self._texts or self._in_item else place
            self._texts.append(bare)

    def _tag(self, tag: re.Match[str], place: int) -> None:
        name, is_end = tag["name"].lower(), bool(tag["end"])
        self._has_items = self._has_items or name not in {"ul", "ol", "dl", "table"}
        if name == "table":
            self._flush()
            self._tables = max(0, self._tables + (-1 if is_end else 1))
            if is_end and not self._tables:
                self._end_table()
        elif self._tables:
            self._cell(name, tag, place, is_end=is_end)
        elif name in {"ul", "ol", "dl"}:
            self._flush()
            if not is_end:
                self._levels.append(_Level(name == "ol"))
            elif self._levels:
                self._levels.pop()
        elif name in {"li", "dt"}:
            self._flush()
            self._in_item = not is_end
            self._at = place
        elif name == "dd":
            self._flush()

    def _flush(self) -> None:
        """Say the item that is open, or the text behind one."""
        text, self._texts = " ".join(self._texts), []
        is_new, self._in_item = self._in_item, False
        if not text or not self._levels:
            return
        depth = min(len(self._levels), _DEEPEST)
        level = self._levels[-1]
        before = self.margin + " " * sum(each.width for each in self._levels[: depth - 1])
        if not is_new:
            self.said.append((self._at, f"{before}{' ' * level.width}{_bare(text)}"))
            return
        mark = "- "
        if level.is_numbered:
            level.count += 1
            mark = f"{level.count}. "
        if _OWN_RANK.match(text):
            mark = ""
        level.width = len(mark) or 3
        self.said.append((self._at, f"{before}{mark}{_bare(text)}"))

    def _cell(self, name: str, tag: re.Match[str], place: int, *, is_end: bool) -> None:
        if is_end or name not in {"tr", "td", "th"}:
            return
        if name == "tr":
            self._rows.append(_Row(place))
            return
        if not self._rows:
            self._rows.append(_Row(place))
        row = self._rows[-1]
        while left := self._spans.get(len(row.cells), 0):
            self._spans[len(row.cells)] = left - 1
            row.cells.append([])
        span = _SPAN.search(tag["rest"])
        if span and len(row.cells) < _MOST_SPANS:
            self._spans[len(row.cells)] = int(span[1]) - 1
        row.has_head = row.has_head or name == "th"
        row.cells.append([])

    def _end_table(self) -> None:
        """Say a table of papers; one that only places things on a page stays as it is."""
        rows = [(row, [_cell_text(cell) for cell in row.cells]) for row in self._rows if row.cells]
        self._rows, self._spans = [], {}
        if not rows:
            return
        names = [_plain(cell) for cell in rows[0][1]]
        is_head = rows[0][0].has_head or is_header(names) or has_links(names)
        papers = [
            (row.number, column, cell, piece)
            for row, cells in rows
            for column, cell in enumerate(cells)
            if "://" in cell
            for piece in pieces_of(cell)
            if is_paper_address(piece.url)
        ]
        if self._has_markdown or not (papers or (is_head and is_header(names))):
            self.is_said = bool(self._levels)
            return
        columns = {column for _, column, _, piece in papers if is_titled_link(piece)}
        if not is_head and len(columns) != 1:
            # Each cell is all that is said of a paper, often beside a picture.
            items = dict.fromkeys((number, cell) for number, _, cell, _ in papers)
            self.said += [(number, f"- {_bare(cell)}") for number, cell in items]
            return
        head = names if is_head else ["" for _ in names]
        self.said.append((rows[0][0].number, ""))
        self.said.append((rows[0][0].number, _row(head)))
        self.said.append((rows[0][0].number, _row(["---"] * len(head))))
        self.said += [(row.number, _row(cells)) for row, cells in rows[is_head:]]
        self.said.append((rows[-1][0].number, ""))

    def _end(self, place: int) -> int:
        self._flush()
        if self._tables:
            self._end_table()
        self.said.append((place, self.margin))
        return place


def _bare(text: str) -> str:
    """Return a text that begins no block of Markdown."""
    return f"\\{text}" if _BLOCK_SIGN.match(text) else text


def _cell_text(parts: Sequence[str]) -> str:
    return " ".join(parts).replace("|", "\\|")


def _plain(cell: str) -> str:
    return "".join(piece.text for piece in pieces_of(cell)) if "<" in cell or "*" in cell else cell


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
