"""Buttons as lettered choices: which letters each gets, and what pressing one types."""

import pytest
from hypothesis import given

from adapters.terminal.buttons import LetteredButton, letter_buttons, resolve_input
from bot.commands.types import PRESSED, TYPED
from bot.errors import UserError
from bot.replies.blocks import (
    Actions,
    Button,
    Choices,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Title,
)
from tests.any_replies import REPLIES


def _papers(*numbers: str, numbered: bool = True) -> PaperList:
    papers = (PaperLine(number, f"Paper {number}", None, f"x#{number}") for number in numbers)
    return PaperList(tuple(papers), numbered)


def _commands(reply: Reply) -> list[list[tuple[str, str]]]:
    return [
        [(choice.letters, choice.button.command) for choice in choices]
        for choices in letter_buttons(reply)
    ]


CHOICES = [
    LetteredButton("1", Button("Details 1", "show a#3")),
    LetteredButton("a", Button("Details 3", "show a#3")),
    LetteredButton("b", Button("Details 3", "show b#3")),
    LetteredButton("c", Button("Newest  edition", "latest")),
    LetteredButton("d", Button("Newest edition", "latest")),
    LetteredButton("e", Button("Next", "search x page:2")),
]


def test_buttons_have_letters_and_listed_papers_their_numbers() -> None:
    """Letters go through all blocks, and a block without buttons has none."""
    reply = Reply(
        (
            Title("Papers"),
            Actions((Button("Newest edition", "latest"),)),
            _papers("7", "8"),
            _papers("9", "10", numbered=False),
            Pager("Page 2", "search x page:1", "search x page:3"),
        )
    )
    assert _commands(reply) == [
        [],
        [("a", "latest")],
        [("7", "show x#7"), ("8", "show x#8")],
        [("b", "show x#9"), ("c", "show x#10")],
        [("d", "search x page:1"), ("e", "search x page:3")],
    ]


def test_letters_go_on_after_z() -> None:
    """The 27th button is `aa`."""
    many = Actions(tuple(Button(str(place), f"show {place}") for place in range(28)))
    [choices] = letter_buttons(Reply((many,)))
    assert [each.letters for each in choices[-3:]] == ["z", "aa", "ab"]
    assert resolve_input("ab", choices) == ("show 27", PRESSED)


def test_a_form_is_its_command() -> None:
    """There are no forms here: what opens one elsewhere types its command."""
    reply = Reply((Actions((Button("Choose when…", "subscribe monday", form=True),)),))
    [choices] = letter_buttons(reply)
    for line in ("Choose when…", "a", "subscribe monday"):
        assert resolve_input(line, choices) == ("subscribe monday", PRESSED)


@given(REPLIES)
def test_every_button_of_any_reply_has_its_letters(reply: Reply) -> None:
    """Each button has letters of its own, but for papers, which have their numbers."""
    expected: list[str] = []
    for block in reply.blocks:
        if isinstance(block, PaperList) and not block.numbered:
            expected += [f"show {paper.ref}" for paper in block.papers]
        elif isinstance(block, Actions):
            expected += [button.command for button in block.buttons]
        elif isinstance(block, Choices):
            expected += [button.command for button in block.options]
        elif isinstance(block, Pager):
            expected += filter(None, (block.previous, block.next))
    by_block = zip(reply.blocks, letter_buttons(reply), strict=True)
    choices = [
        choice
        for block, choices in by_block
        for choice in choices
        if not (isinstance(block, PaperList) and block.numbered)
    ]
    assert [resolve_input(each.letters, choices)[0] for each in choices] == expected


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("a", "show a#3"),
        ("B", "show b#3"),
        (" e ", "search x page:2"),
        ("next", "search x page:2"),
        ("NEXT", "search x page:2"),
        ("newest   Edition", "latest"),
        ("previous", "previous"),
        ("f", "f"),
        ("save a", "save a"),
        ("search 4", "search 4"),
        ("½", "½"),
    ],
)
def test_a_line_is_letters_a_label_or_a_command(text: str, command: str) -> None:
    """Letters and labels resolve to their commands, anything else to itself."""
    origin = TYPED if command == text else PRESSED
    assert resolve_input(text, CHOICES) == (command, origin)


@pytest.mark.parametrize("text", ["1", "99", "0", "9" * 5000])
def test_a_number_is_no_button(text: str) -> None:
    """A number is a paper of the list seen last, which the bot knows, and this answer need not."""
    assert resolve_input(text, CHOICES) == (text, TYPED)


def test_a_label_of_several_choices_is_asked_about() -> None:
    """An ambiguous label is an error that lists the letters."""
    with pytest.raises(UserError) as caught:
        resolve_input("details 3", CHOICES)
    assert caught.value.sentence == "Details 3 stands there 2 times."
    assert caught.value.remedy == "Type the letter of one: a, b."
