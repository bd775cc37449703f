"""Colours, marks and dashes: told apart by everybody, and without any colour too."""

from dataclasses import dataclass

# A sheet of its own behind everything, so that light and dark chats show the same picture.
PAPER = "#fbfaf7"
INK = "#24292f"
FAINT = "#5f6670"
GRID = "#e3e0d8"
EDGE = "#cfcbc0"


@dataclass(frozen=True, slots=True)
class Style:
    """How a curve is drawn: its colour, its mark, and its dashes in line widths, none if solid.

    `size` is the mark's in points; thin ones are larger.
    """

    colour: str
    mark: str
    dashes: tuple[float, ...] = ()
    size: float = 7


# Hues near those of Okabe and Ito (https://jfly.uni-koeln.de/color/), darkened so that they stand
# three to one against the sheet (https://www.w3.org/TR/WCAG22/#non-text-contrast), and moved apart
# in lightness, which everybody sees. tests/bot/plotting/test_styles.py measures both.
STYLES = (
    Style("#1a86e0", "o"),
    Style("#e06300", "s", (4, 1.4)),
    Style("#09715c", "^", (), 8),
    Style("#d056a0", "D", (1.2, 1.2), 6.5),
    Style("#9b8555", "v", (4, 1.4), 8),
    Style("#18171d", "P", (6, 1.4, 1.2, 1.4), 8.5),
    Style("#0a3b60", "X", (), 8.5),
    Style("#534b05", "*", (1.2, 1.2), 11),
)
