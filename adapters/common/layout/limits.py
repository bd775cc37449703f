"""The limits of a chat platform as data, and what things take of them. Pure.

Each platform declares its own `Limits` in its `render/limits.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from adapters.common.layout.texts import is_address

# A message holds at least twice as much payload as text, on every platform.
_PAYLOAD_FOR_TEXT = 2


class Shape(StrEnum):
    """The form of a piece, the same on every platform."""

    HEADER = "header"
    NAME = "name"
    FAINT = "faint"
    WORDS = "words"
    BULLET = "bullet"
    QUOTE = "quote"
    VERBATIM = "verbatim"


class Look(StrEnum):
    """The style of words; a `SIGN` is the level of a notice, `FAINT` words have their own line."""

    PLAIN = "plain"
    BOLD = "bold"
    FAINT = "faint"
    SIGN = "sign"


class Cost(NamedTuple):
    """The room that something takes in a message, or that is left there.

    Attributes:
        elements: blocks or components.
        payload: characters of what is sent, as JSON.
        text: characters of all texts together.
        rows: rows of buttons and menus.
    """

    elements: int = 0
    payload: int = 0
    text: int = 0
    rows: int = 0

    def plus(self, other: "Cost") -> "Cost":
        """Return both together."""
        return total(self, other)

    def minus(self, other: "Cost") -> "Cost":
        """Return what is left of this without the other."""
        return self.plus(other.times(-1))

    def times(self, count: int) -> "Cost":
        """Return so many of it together."""
        return Cost(
            count * self.elements, count * self.payload, count * self.text, count * self.rows
        )

    def fits(self, room: "Cost") -> bool:
        """Tell whether the room has place for it."""
        return (
            self.elements <= room.elements
            and self.payload <= room.payload
            and self.text <= room.text
            and self.rows <= room.rows
        )


NOTHING = Cost()


def total(*costs: Cost) -> Cost:
    """Return all together."""
    elements = payload = text = rows = 0
    for each in costs:
        elements += each[0]
        payload += each[1]
        text += each[2]
        rows += each[3]
    return Cost(elements, payload, text, rows)


@dataclass(frozen=True, slots=True)
class TextCosts:
    """The most characters that a text takes, once a platform has escaped it.

    Attributes:
        ascii: for each character of ASCII.
        beyond: for each unit of UTF-16 of any other.
        signs: what these characters take more, by how much.
    """

    ascii: int = 1
    beyond: int = 1
    signs: tuple[tuple[str, int], ...] = ()

    def of(self, text: str) -> int:
        """Return how many characters a text takes at most."""
        if not (self.ascii or self.beyond):
            return 0
        if text.isascii():
            cost = self.ascii * len(text)
        else:
            plain = len(text.encode("ascii", "ignore"))
            units = len(text.encode("utf-16-le", "surrogatepass")) // 2
            cost = self.ascii * plain + self.beyond * (units - plain)
        for sign, more in self.signs:
            if sign in text:
                cost += more * text.count(sign)
        return cost


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of elements in a message, besides their words.

    Attributes:
        words: a text of its own, by its shape.
        joined: a text that continues the one before it, by its shape.
        words_with_button: a text with a button beside it.
        words_with_menu: a text with a menu beside it.
        span: the marks around words, by their look.
        link: the marks of a link; its address is counted too.
        instant: an instant that a platform words itself.
        row: a row of buttons.
        button: a button in a row or beside a text.
        spoken: a label for screen readers.
        menu: a menu.
        option: the payload of a menu option.
        file: an attached file.
        table: a table, without its cells.
        cell: a cell of a table, besides its words.
    """

    words: Mapping[Shape, Cost]
    joined: Mapping[Shape, Cost]
    words_with_button: Cost
    words_with_menu: Cost
    span: Mapping[Look, Cost]
    link: Cost
    instant: Cost
    row: Cost
    button: Cost
    menu: Cost
    spoken: Cost = NOTHING
    option: Cost = NOTHING
    file: Cost = field(default=Cost(elements=1))
    table: Cost = NOTHING
    cell: Cost = NOTHING


@dataclass(frozen=True, slots=True, eq=False)  # each is itself, as what is laid out is kept by them
class Limits:
    """The capacity of one message on a platform, and how much of it is used.

    Attributes:
        message: the room of a message.
        costs: what things take of it besides their words.
        text: what words take of the text.
        verbatim: the same of preformatted words.
        payload: what words take of the payload.
        url: what an address takes of the text.
        longest_run: weight of a text that stays in one piece.
        longest_verbatim: the same of preformatted text.
        longest_marks: weight of the marks around words, at most.
        longest_character: weight of a unit of UTF-16, at most.
        longest_url: weight of an address that can be linked; others are shown.
        longest_header: characters of a title that can be large.
        longest_label: characters of a button's label.
        longest_option: characters of a menu option's label.
        longest_command: characters of a command behind a button.
        longest_command_payload: the same as payload.
        longest_picked_command: characters of a command behind a menu option.
        most_in_row: buttons in a row.
        most_options: options in a menu.
        most_columns: columns of a table, none where a platform has no tables.
        most_rows: rows of a table below its headings.
        links_addresses: an address in a text has to be made a link.
        joins_texts: one text holds all paragraphs of a block.
        puts_buttons_beside: a button stands beside its text; else in rows below the block.
        puts_titles_alone_beside: only the title of a paper stands beside its button, as what
            stands there is narrow on a phone; its other rows stand below both.
        puts_menus_beside: a paper in a list has a menu beside it, for all that can be done with it.
        folds_buttons: buttons too many for one row become a menu.
        shares_menu_rows: one row holds all menus of a block, and buttons too.
        names_buttons: the text names buttons and options, for who can't see them.
    """

    message: Cost
    costs: Costs
    text: TextCosts
    verbatim: TextCosts
    payload: TextCosts
    url: TextCosts
    longest_run: int
    longest_verbatim: int
    longest_marks: int
    longest_character: int
    longest_url: int
    longest_header: int
    longest_label: int
    longest_option: int
    longest_command: int
    longest_command_payload: int
    longest_picked_command: int
    most_in_row: int
    most_options: int
    most_columns: int = 0
    most_rows: int = 0
    links_addresses: bool = False
    joins_texts: bool = False
    puts_buttons_beside: bool = False
    puts_titles_alone_beside: bool = False
    puts_menus_beside: bool = False
    folds_buttons: bool = False
    shares_menu_rows: bool = False
    names_buttons: bool = False

    def weight(self, text: str) -> int:
        """Return what a text takes of the text of a message, or as much of its payload."""
        return max(self.text.of(text), self.payload.of(text) // _PAYLOAD_FOR_TEXT)

    def verbatim_weight(self, text: str) -> int:
        """Return the same of preformatted text."""
        return max(self.verbatim.of(text), self.payload.of(text) // _PAYLOAD_FOR_TEXT)

    def cost(self, text: str) -> Cost:
        """Return what words take by themselves."""
        return Cost(payload=self.payload.of(text), text=self.text.of(text))

    def is_pressable(self, command: str) -> bool:
        """Tell whether a command fits behind a button, beside other things in a message."""
        return (
            len(command) <= self.longest_command
            and self.payload.of(command) <= self.longest_command_payload
        )

    def is_pickable(self, command: str) -> bool:
        """Tell whether a command fits behind an option of a menu."""
        return len(command) <= self.longest_picked_command

    def is_linkable(self, url: str) -> bool:
        """Tell whether a link may lead to an address; others are shown as text."""
        return is_address(url) and self.url.of(url) <= self.longest_url
