"""One row of an archive's table: its rank, its cells, and the entry they make."""

import re
from dataclasses import dataclass

from bot.domain.drafts import EntryDraft
from bot.ingest.formats.archive.cells import LeftCell, read_left_cell
from bot.ingest.formats.archive.links import holds_link, only_links, read_links
from bot.ingest.formats.archive.text import ADDRESS, LABEL
from store.records import Link

# `| 3) …`, also `| 3. …`, `| **3) …`, and without the first bar; `1.58-bit` is no rank.
_RANK = re.compile(
    r"\s*+\|?\s*+(?P<mark>\*\*|__)?\s*+(?P<rank>\d{1,3})\s*\\?[).](?!\d)(?P<end>\*\*|__)?\s*"
)
_BAR_OR_ESCAPE = re.compile(r"\\.|\|")
_INLINE_LINK = re.compile(rf"!?\[{LABEL}\]\({ADDRESS}\)")
_BETWEEN_LINKS = " \t,;._)"


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands: `line` is where it starts, `text` the whole of it."""

    line: int
    text: str

    @property
    def is_open(self) -> bool:
        """Whether the row lacks the bar that ends it."""
        return ends_open(self.text)


@dataclass(frozen=True, slots=True)
class ReadRow:
    """What a row says. `rank` is as printed, or `None`; `problems` are in words."""

    row: Row
    rank: int | None
    cell: LeftCell
    links: tuple[Link, ...]
    problems: tuple[str, ...]

    def entry(self, rank: int) -> EntryDraft:
        """Give the row as an entry, under the rank that was settled for it.

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
    """Read a row. What it lacks is a problem, and whatever it has is kept."""
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
    """Give a row without its outer bars and its rank; a bold mark before the rank stays."""
    match = _RANK.match(text)
    if match is None:
        return _without_last_bar(text.strip().removeprefix("|"))
    mark = match["mark"] if match["mark"] and not match["end"] else ""
    start = match.end() if match["mark"] or not match["end"] else match.start("end")
    return mark + _without_last_bar(text[start:])


def _without_last_bar(text: str) -> str:
    return text if ends_open(text) else text.rstrip()[:-1]


def _cells(content: str) -> tuple[str, str | None]:
    """Part a row into its left cell and its links, whatever bars stand inside the text.

    The links are the last cell that holds one, with the cells of mere links before it;
    where no cell holds any, the last one. `None` stands for a row of one cell.
    """
    cells = _parted(content)
    linked = [index for index in range(1, len(cells)) if holds_link(cells[index])]
    if len(cells) == 1:
        return content, None
    first = linked[-1] if linked else len(cells) - 1
    while first > 1 and linked and only_links(cells[first - 1]):
        first -= 1
    return "|".join(cells[:first]), " ".join(cells[first:])


def _parted(content: str) -> list[str]:
    """Part a row at its bars, but for the escaped ones."""
    if "\\" not in content:
        return content.split("|")
    bars = [match.start() for match in _BAR_OR_ESCAPE.finditer(content) if match[0] == "|"]
    return [
        content[start:end]
        for start, end in zip([0, *(bar + 1 for bar in bars)], [*bars, len(content)], strict=True)
    ]


def _with_links_behind_text(left: str, right: str) -> tuple[str, str]:
    """Move links that stand behind the last sentence of a text to the other links."""
    text, links = _without_last_links(left)
    if links and text.rstrip().endswith((".", "!", "?")):
        return text, f"{links} {right}"
    return left, right


def _without_last_links(cell: str) -> tuple[str, str]:
    """Take the links off the end of a cell that should have been two."""
    end = start = len(cell)
    for match in reversed(list(_INLINE_LINK.finditer(cell))):
        if cell[match.end() : end].strip(_BETWEEN_LINKS):
            break
        end = start = match.start()
    return cell[:start], cell[start:]
