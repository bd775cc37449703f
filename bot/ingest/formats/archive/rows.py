"""The rows of an archive's tables: ranks, cells, links, and the entries that they make."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.drafts import EntryDraft, Note
from bot.domain.paper_ids import arxiv_id_in_url
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
_ITEM = re.compile(r"\s{0,9}(?:[-*+\u2022|]|\(?\d{1,3}[.)])\s")
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
class ArchiveRow:
    """A row: the line where it starts, and its text."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class _ReadRow:
    """A parsed row; `rank` is the printed one, if any, and `problems` are in words."""

    line: int
    rank: int | None
    cell: LeftCell
    links: tuple[Link, ...]
    problems: list[str]


def ends_open(text: str) -> bool:
    r"""Tell whether a text lacks the bar that ends a row; `\|` is no such bar."""
    whole = text.rstrip()
    before = whole.removesuffix("|")
    escapes = len(before) - len(before.rstrip("\\"))
    return before == whole or escapes % 2 == 1


def is_ranked_row(line: str) -> bool:
    """Tell a row with a rank; it has a bar at its start or, if that is missing, later."""
    return "|" in line and _RANK.match(line) is not None


def is_ranked_title(line: str) -> bool:
    """Tell a row with a rank and more in the same cell; a team's table has a column for each."""
    found = _RANK.match(line) if "|" in line else None
    return found is not None and line[found.end() : found.end() + 1] not in {"", "|"}


def is_item_of_paper(line: str) -> bool:
    """Tell an item or a row, of whatever kind, that leads to a paper on arXiv."""
    return _ITEM.match(line) is not None and any(
        arxiv_id_in_url(found[0]) for found in _BARE_ADDRESS.finditer(line)
    )


def printed_rank(line: str) -> int | None:
    """Read the rank that a row prints; `None` where it has none, or 0."""
    match = _RANK.match(line)
    return int(match["rank"]) or None if match else None


def _read_row(row: ArchiveRow) -> _ReadRow:
    """Read a row; its missing parts are problems."""
    left, right = _cells(_content(row.text))
    has_one_cell = right is None
    text, links_behind = _without_last_links(left)
    if right is None:
        left, right = text, links_behind
    elif links_behind and text.rstrip().endswith((".", "!", "?")):
        left, right = text, f"{links_behind} {right}"
    cell, (links, odd) = read_left_cell(left), _read_links(right)
    lacks = (
        (not row.text.lstrip().startswith("|"), "the row lacks its first |"),
        (ends_open(row.text), "the row lacks its last |"),
        (has_one_cell, "the row has one cell only"),
        (not links, "the row has no links"),
        (not cell.title, "the row has no title"),
    )
    problems = [*(problem for is_so, problem in lacks if is_so), *cell.problems, *odd]
    return _ReadRow(row.line, printed_rank(row.text), cell, links, problems)


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
    bars = [match.start() for match in _BAR_OR_ESCAPE.finditer(content) if match[0] == "|"]
    ends = zip([0, *(bar + 1 for bar in bars)], [*bars, len(content)], strict=True)
    cells = [content[start:end] for start, end in ends]
    if len(cells) == 1:
        return content, None
    linked = [index for index in range(1, len(cells)) if _holds_link(cells[index])]
    first = linked[-1] if linked else len(cells) - 1
    while first > 1 and linked and _only_links(cells[first - 1]):
        first -= 1
    return "|".join(cells[:first]), " ".join(cells[first:])


def _without_last_links(cell: str) -> tuple[str, str]:
    """Split the links off the end of a cell that should have been two."""
    end = start = len(cell)
    for match in reversed(list(_INLINE_LINK.finditer(cell))):
        if cell[match.end() : end].strip(_BETWEEN_LINKS):
            break
        end = start = match.start()
    return cell[:start], cell[start:]


def _holds_link(cell: str) -> bool:
    """Tell whether a cell has a link or a bare address anywhere."""
    return "](" in cell or _LINK.search(cell) is not None or _BARE_ADDRESS.search(cell) is not None


def _only_links(cell: str) -> bool:
    """Tell whether a cell has links, and only separators beside them."""
    return _holds_link(cell) and not _leftover(_LINK.sub(" ", cell))


def _read_links(cell: str) -> tuple[tuple[Link, ...], list[str]]:
    """Read every link of a cell, each once, and the problems with them."""
    links: dict[Link, None] = {}
    problems: list[str] = []
    for match in _LINK.finditer(cell):
        if not match["end"]:
            problems.append(f"the link {_quoted(match['label'])} is not closed")
        _add(links, problems, match["label"], match["address"])
    rest = _LINK.sub(" ", cell).strip(_SEPARATORS)
    for match in _BARE_ADDRESS.finditer(rest):
        _add(links, problems, "", match[0])
    if leftover := _leftover(rest):
        problems.append(f"among the links there is {_quoted(leftover)}, which is no link")
    return tuple(links), problems


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
    """Return a text without its bare addresses, or "" for separators alone."""
    bare = _LINE_BREAK.sub(" ", _BARE_ADDRESS.sub(" ", text))
    return plain_text(bare.strip(_SEPARATORS)).strip(_SEPARATORS)


def _quoted(text: str) -> str:
    return f'"{text}"' if len(text) <= _LONGEST_QUOTE else f'"{text[:_LONGEST_QUOTE]}\u2026"'


def read_rows(line: int, rows: Sequence[ArchiveRow]) -> tuple[tuple[EntryDraft, ...], list[Note]]:
    """Read the rows of a week whose heading is on `line`, in the order of the document.

    A row without a title or an evident rank, or that equals an earlier one, is only reported.
    """
    read = [_read_row(row) for row in rows]
    notes = [Note(row.line, problem) for row in read for problem in row.problems]
    kept: dict[tuple[int | None, LeftCell, tuple[Link, ...]], _ReadRow] = {}
    copies = []
    for row in (row for row in read if row.cell.title):
        first = kept.setdefault((row.rank, row.cell, row.links), row)
        if first is not row:
            note = f"the same row as in line {first.line}, which is kept once"
            copies.append(Note(row.line, note))
    entries: list[EntryDraft] = []
    ranks = _Ranks([row.rank for row in kept.values()])
    for place, row in enumerate(kept.values()):
        rank, remark = ranks.settle(place, has_links=bool(row.links))
        notes += [Note(row.line, remark)] if remark else []
        if rank:
            cell = row.cell
            draft = EntryDraft(
                line=row.line,
                title=cell.title,
                rank=rank,
                summary=cell.summary,
                highlights=cell.highlights,
                links=row.links,
            )
            entries.append(draft)
    return tuple(entries), [*notes, *copies, *_lacks(line, entries)]


class _Ranks:
    """The ranks of a week, assigned to its rows in order."""

    def __init__(self, printed: list[int | None]) -> None:
        self.printed = printed
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

    def settle(self, place: int, *, has_links: bool) -> tuple[int | None, str | None]:
        """Return the rank of a row and a remark: its printed rank, if it fits this row best.

        Another row, or one without a rank, gets the only rank that its neighbours leave free; a row
        with neither rank nor links gets none.
        """
        rank, gap = self.printed[place], self.last + 1
        if rank and self.owners[rank] == place:
            self.last = rank
            return rank, None
        what = f"rank {rank}, which another row has," if rank else "no rank"
        is_last = place + 1 == len(self.printed)
        is_next = gap <= WEEK_SIZE if is_last else self.printed[place + 1] == gap + 1
        if (rank or has_links) and is_next and gap not in self.owners:
            self.last = gap
            return gap, f"the row prints {what} and is kept under the rank left free for it, {gap}"
        return None, f"the row prints {what} and is not kept"


def _lacks(line: int, entries: Sequence[EntryDraft]) -> list[Note]:
    """Return notes on the ranks that a week lacks, and on a wrong order."""
    ranks = [entry.rank for entry in entries if entry.rank]
    notes = []
    if missing := [str(rank) for rank in range(1, WEEK_SIZE + 1) if rank not in ranks]:
        notes.append(Note(line, f"the week has no rank {', '.join(missing)}"))
    if ranks != sorted(ranks):
        notes.append(Note(line, "the ranks of the week do not stand in order"))
    return notes
