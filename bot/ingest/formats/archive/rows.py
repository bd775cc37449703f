"""The rows of an archive's tables: ranks, cells, links, and the entries that they make."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.drafts import EntryDraft, Note
from bot.ingest.formats.archive.cells import (
    ADDRESS,
    LABEL,
    LeftCell,
    plain_text,
    read_left_cell,
    unescaped,
)
from store.records import Link

# `| 3) …`, also `| 3. …`, `| **3) …`, and without the first bar; `1.58-bit` is no rank.
_RANK = re.compile(
    r"\s*+\|?\s*+(?P<mark>\*\*|__)?\s*+(?P<rank>\d{1,3})\s*\\?[).](?!\d)(?P<end>\*\*|__)?\s*"
)
_BAR_OR_ESCAPE = re.compile(r"\\.|\|")
_INLINE_LINK = re.compile(rf"!?\[{LABEL}\]\({ADDRESS}\)")
_BETWEEN_LINKS = " \t,;._)"

# `[label](address)`, also with blanks about the address, in `<…>`, or never closed.
_LINK = re.compile(
    rf"!?\[(?P<label>{LABEL})\]"
    rf'\s*+\(\s*+<?(?P<address>{ADDRESS})>?(?:\s++"[^"]*")?\s*+(?P<end>\))?'
)
_BARE_ADDRESS = re.compile(r"https?://[^\s<>()\[\]|\"']+", re.IGNORECASE)
_WEB_ADDRESS = re.compile(r"https?://[^\s/]+\.[^\s/]+", re.IGNORECASE)
_HOST_WITHOUT_SCHEME = re.compile(r"(?:[\w-]+\.)+[a-z]{2,24}(?:[/?#]|$)", re.IGNORECASE)

# Separators are unreliable in real archives, with stray brackets and underscores.
_SEPARATORS = " \t\n.,;:()[]<>_*/&+|\\-\u2013\u2014\u00b7\u2022\u00a0"
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_UNLABELLED = "Link"

# The length of quotations in notes.
_LONGEST_QUOTE = 80

# Every week of the real archive has ranks 1 to 10.
WEEK_SIZE = 10


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the line where it starts, and its text."""

    line: int
    text: str

    @property
    def is_open(self) -> bool:
        """True if the row lacks the bar that ends it."""
        return ends_open(self.text)


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A parsed row; `rank` is the printed one, if any, and `problems` are in words."""

    row: Row
    rank: int | None
    cell: LeftCell
    links: tuple[Link, ...]
    problems: tuple[str, ...]

    def entry(self, rank: int) -> EntryDraft:
        """Return the row as an entry of a rank.

        Raises:
            ValueError: for a row without a title.
        """
        return EntryDraft(
            line=self.row.line,
            title=self.cell.title,
            rank=rank,
            summary=self.cell.summary,
            highlights=self.cell.highlights,
            links=self.links,
        )


@dataclass(frozen=True, slots=True)
class LinkCell:
    """The links of a cell in their order, and the problems with it in words."""

    links: tuple[Link, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WeekRows:
    """The entries of a week in the order of the document, and the notes on its rows."""

    entries: tuple[EntryDraft, ...]
    warnings: tuple[Note, ...]


def ends_open(text: str) -> bool:
    r"""Tell whether a text lacks the bar that ends a row; `\|` is no such bar."""
    whole = text.rstrip()
    before = whole.removesuffix("|")
    escapes = len(before) - len(before.rstrip("\\"))
    return before == whole or escapes % 2 == 1


def is_ranked_row(line: str) -> bool:
    """Tell a row with a rank; it has a bar at its start or, if that is missing, later."""
    return "|" in line and _RANK.match(line) is not None


def printed_rank(line: str) -> int | None:
    """Read the rank that a row prints; `None` where it has none, or 0."""
    match = _RANK.match(line)
    return int(match["rank"]) or None if match else None


def read_row(row: Row) -> ReadRow:
    """Read a row; its missing parts are problems."""
    problems = _shape_problems(row)
    left, right = _cells(_content(row.text))
    if right is None:
        left, right = _without_last_links(left)
        problems.append("the row has one cell only")
    else:
        left, right = _with_links_behind_text(left, right)
    cell, links = read_left_cell(left), read_links(right)
    if not links.links:
        problems.append("the row has no links")
    if not cell.title:
        problems.append("the row has no title")
    problems += [*cell.problems, *links.problems]
    return ReadRow(row, printed_rank(row.text), cell, links.links, tuple(problems))


def _shape_problems(row: Row) -> list[str]:
    problems = []
    if not row.text.lstrip().startswith("|"):
        problems.append("the row lacks its first |")
    if row.is_open:
        problems.append("the row lacks its last |")
    return problems


def _content(text: str) -> str:
    """Return a row without its outer bars and its rank; a bold mark before the rank stays."""
    match = _RANK.match(text)
    if match is None:
        return _without_last_bar(text.strip().removeprefix("|"))
    mark = match["mark"] if match["mark"] and not match["end"] else ""
    start = match.end() if match["mark"] or not match["end"] else match.start("end")
    return mark + _without_last_bar(text[start:])


def _without_last_bar(text: str) -> str:
    return text if ends_open(text) else text.rstrip()[:-1]


def _cells(content: str) -> tuple[str, str | None]:
    """Split a row into its left cell and its links, which are `None` in a row of one cell.

    The text may hold bars. The links are the last cell with a link and the cells of links alone
    before it; where no cell has a link, the last one.
    """
    cells = _split(content)
    linked = [index for index in range(1, len(cells)) if holds_link(cells[index])]
    if len(cells) == 1:
        return content, None
    first = linked[-1] if linked else len(cells) - 1
    while first > 1 and linked and only_links(cells[first - 1]):
        first -= 1
    return "|".join(cells[:first]), " ".join(cells[first:])


def _split(content: str) -> list[str]:
    """Split a row at its bars, but for the escaped ones."""
    if "\\" not in content:
        return content.split("|")
    bars = [match.start() for match in _BAR_OR_ESCAPE.finditer(content) if match[0] == "|"]
    return [
        content[start:end]
        for start, end in zip([0, *(bar + 1 for bar in bars)], [*bars, len(content)], strict=True)
    ]


def _with_links_behind_text(left: str, right: str) -> tuple[str, str]:
    """Move links behind the last sentence of a text to the other links."""
    text, links = _without_last_links(left)
    if links and text.rstrip().endswith((".", "!", "?")):
        return text, f"{links} {right}"
    return left, right


def _without_last_links(cell: str) -> tuple[str, str]:
    """Split the links off the end of a cell that should have been two."""
    end = start = len(cell)
    for match in reversed(list(_INLINE_LINK.finditer(cell))):
        if cell[match.end() : end].strip(_BETWEEN_LINKS):
            break
        end = start = match.start()
    return cell[:start], cell[start:]


def holds_link(cell: str) -> bool:
    """Tell whether a cell has a link or a bare address anywhere."""
    return "](" in cell or _LINK.search(cell) is not None or _BARE_ADDRESS.search(cell) is not None


def only_links(cell: str) -> bool:
    """Tell whether a cell has links, and only separators beside them."""
    return holds_link(cell) and not _leftover(_BARE_ADDRESS.sub(" ", _LINK.sub(" ", cell)))


def read_links(cell: str) -> LinkCell:
    """Read every link of a cell, each once."""
    links: dict[Link, None] = {}
    problems: list[str] = []
    for match in _LINK.finditer(cell):
        if not match["end"]:
            problems.append(f"the link {_quoted(match['label'])} is not closed")
        _add(links, problems, match["label"], match["address"])
    rest = _LINK.sub(" ", cell).strip(_SEPARATORS)
    for match in _BARE_ADDRESS.finditer(rest):
        _add(links, problems, "", match[0])
    if rest and (leftover := _leftover(_BARE_ADDRESS.sub(" ", rest))):
        problems.append(f"among the links there is {_quoted(leftover)}, which is no link")
    return LinkCell(tuple(links), tuple(problems))


def _add(links: dict[Link, None], problems: list[str], label: str, address: str) -> None:
    """Add a link under its cleaned label, or a problem if its address is none."""
    name = plain_text(label).strip("()[]_, ") or _UNLABELLED
    url = unescaped(address).rstrip(",;")
    if _WEB_ADDRESS.match(url):
        links[Link(name, url)] = None
    elif _HOST_WITHOUT_SCHEME.match(url):
        problems.append(f"the address {_quoted(url)} lacks https://, which was added")
        links[Link(name, f"https://{url}")] = None
    else:
        problems.append(
            f"the link {_quoted(name)} leads to {_quoted(url)}, which is no web address"
        )


def _leftover(text: str) -> str:
    """Return the text of a cell without its links, or "" for separators alone."""
    return plain_text(_LINE_BREAK.sub(" ", text).strip(_SEPARATORS)).strip(_SEPARATORS)


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= _LONGEST_QUOTE else f'"{text[:_LONGEST_QUOTE]}\u2026"'


def read_rows(line: int, rows: Sequence[Row]) -> WeekRows:
    """Read the rows of a week whose heading is on `line`.

    A row without a title or an evident rank is only reported.
    """
    read = [read_row(row) for row in rows]
    notes = [Note(row.row.line, problem) for row in read for problem in row.problems]
    kept, copies = _without_copies([row for row in read if row.cell.title])
    entries: list[EntryDraft] = []
    ranks = _Ranks(kept)
    for place, row in enumerate(kept):
        rank, remark = ranks.settle(place, row)
        notes += [Note(row.row.line, remark)] if remark else []
        entries += [row.entry(rank)] if rank else []
    return WeekRows(tuple(entries), (*notes, *copies, *_lacks(line, entries)))


def _without_copies(rows: Sequence[ReadRow]) -> tuple[list[ReadRow], list[Note]]:
    """Leave out rows that equal an earlier row of the week."""
    kept: dict[tuple[int | None, LeftCell, tuple[Link, ...]], ReadRow] = {}
    notes = []
    for row in rows:
        first = kept.setdefault((row.rank, row.cell, row.links), row)
        if first is not row:
            text = f"the same row as in line {first.row.line}, which is kept once"
            notes.append(Note(row.row.line, text))
    return list(kept.values()), notes


class _Ranks:
    """The ranks of a week, assigned to its rows in order."""

    def __init__(self, rows: Sequence[ReadRow]) -> None:
        self.printed = [row.rank for row in rows]
        self.owners: dict[int, int] = {}
        for place, rank in enumerate(self.printed):
            if rank and self._fit(place) > self._fit(self.owners.setdefault(rank, place)):
                self.owners[rank] = place
        self.last = 0

    def _fit(self, place: int) -> int:
        """Count the neighbours, 0 to 2, whose ranks are next to the rank at a place."""
        rank = self.printed[place] or 0
        before = self.printed[place - 1] if place else 0
        return (before == rank - 1) + (self.printed[place + 1 : place + 2] == [rank + 1])

    def settle(self, place: int, row: ReadRow) -> tuple[int | None, str | None]:
        """Return the rank of a row and a remark: its printed rank, if it fits this row best.

        Another row, or one without a rank, gets the only rank that its neighbours leave free; a row
        with neither rank nor links gets none.
        """
        rank, gap = row.rank, self.last + 1
        if rank and self.owners[rank] == place:
            self.last = rank
            return rank, None
        what = f"rank {rank}, which another row has," if rank else "no rank"
        if (rank or row.links) and self._is_evident(place, gap):
            self.last = gap
            return gap, f"the row prints {what} and is kept under the rank left free for it, {gap}"
        return None, f"the row prints {what} and is not kept"

    def _is_evident(self, place: int, gap: int) -> bool:
        """Tell whether the rows before and after leave only this rank between them."""
        if gap in self.owners:
            return False
        if place + 1 == len(self.printed):
            return gap <= WEEK_SIZE
        return self.printed[place + 1] == gap + 1


def _lacks(line: int, entries: Sequence[EntryDraft]) -> list[Note]:
    """Return notes on the ranks that a week lacks, and on a wrong order."""
    ranks = [entry.rank for entry in entries if entry.rank]
    notes = []
    if missing := [str(rank) for rank in range(1, WEEK_SIZE + 1) if rank not in ranks]:
        notes.append(Note(line, f"the week has no rank {', '.join(missing)}"))
    if ranks != sorted(ranks):
        notes.append(Note(line, "the ranks of the week do not stand in order"))
    return notes
