"""Buttons as numbered choices: which number each gets, and what pressing one types."""

from dataclasses import replace

import pytest
from hypothesis import given

from adapters.terminal.buttons import NumberedButton, number_buttons, resolve_input
from bot.errors import UserError
from bot.replies.blocks import (
    Actions,
    Button,
    Choices,
    Menu,
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


def _commands(reply: Reply) -> list[list[tuple[int, str]]]:
    return [
        [(choice.number, choice.button.command) for choice in choices]
        for choices in number_buttons(reply)
    ]


CHOICES = [
    NumberedButton(1, Button("Details 3", "show a#3")),
    NumberedButton(2, Button("Details 3", "show b#3")),
    NumberedButton(3, Button("Newest  edition", "latest")),
    NumberedButton(4, Button("Newest edition", "latest")),
    NumberedButton(5, Button("Next", "search x page:2")),
]


def test_buttons_are_numbered_as_they_stand() -> None:
    """Through all blocks, from one on, and a block without buttons has no choices."""
    reply = Reply(
        (
            Title("Papers"),
            _papers("7", "E3", numbered=False),
            Actions((Button("Newest edition", "latest"),)),
            Pager("Page 2", "search x page:1", "search x page:3"),
        )
    )
    assert _commands(reply) == [
        [],
        [(1, "show x#7"), (2, "show x#E3")],
        [(3, "latest")],
        [(4, "search x page:1"), (5, "search x page:3")],
    ]


def test_a_form_is_its_command() -> None:
    """There are no forms here: what opens one elsewhere types its command."""
    reply = Reply((Actions((Button("Choose when…", "subscribe monday", form=True),)),))
    [choices] = number_buttons(reply)
    assert (
        resolve_input("Choose when…", choices) == resolve_input("1", choices) == "subscribe monday"
    )


def test_papers_of_an_edition_come_first() -> None:
    """Papers that count from one are pressed by their own numbers."""
    above = Actions((Button("Other source", "latest from:x"),))
    pager = Pager("Week 2", None, "week 3")
    assert _commands(Reply((above, _papers("1", "2"), _papers("1"), pager))) == [
        [(4, "latest from:x")],
        [(1, "show x#1"), (2, "show x#2")],
        [(3, "show x#1")],
        [(5, "week 3")],
    ]


@given(REPLIES)
def test_every_button_of_any_reply_has_its_number(reply: Reply) -> None:
    """Each button has one number, counted from one."""
    expected: list[str] = []
    for block in reply.blocks:
        if isinstance(block, PaperList):
            expected += [f"show {paper.ref}" for paper in block.papers]
        elif isinstance(block, Actions):
            expected += [button.command for button in block.buttons]
        elif isinstance(block, Choices):
            expected += [button.command for button in block.options]
        elif isinstance(block, Pager):
            expected += filter(None, (block.previous, block.next))
    choices = [choice for block in number_buttons(reply) for choice in block]
    typed = [resolve_input(str(number), choices) for number in range(1, len(expected) + 1)]
    assert sorted(typed) == sorted(expected)
    assert len(choices) == len(expected)


def test_a_number_behind_a_word_is_the_commands_own() -> None:
    """A number after a command word is the command's argument."""
    listed = replace(_papers("7", "9", numbered=False), menus=(Menu("Save a paper", "save"),))
    choices = [choice for block in number_buttons(Reply((listed,))) for choice in block]
    assert resolve_input("save 1", choices) == "save 1"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("1", "show a#3"),
        ("02", "show b#3"),
        (" 5 ", "search x page:2"),
        ("next", "search x page:2"),
        ("NEXT", "search x page:2"),
        ("newest   Edition", "latest"),
        ("previous", "previous"),
        ("show 1", "show 1"),
        ("search 4", "search 4"),
        ("½", "½"),
    ],
)
def test_a_line_is_a_number_a_label_or_a_command(text: str, command: str) -> None:
    """Numbers and labels resolve to their commands, anything else to itself."""
    assert resolve_input(text, CHOICES) == command


@pytest.mark.parametrize(
    ("text", "choices", "offer"),
    [
        ("6", CHOICES, "offers 1 to 5"),
        ("0", CHOICES, "offers 1 to 5"),
        ("2", CHOICES[:1], "offers only 1"),
        ("3", [], "offers none"),
    ],
)
def test_a_number_that_is_not_offered_gets_a_sentence(
    text: str, choices: list[NumberedButton], offer: str
) -> None:
    """The error names the offered numbers and the command for a paper."""
    with pytest.raises(UserError) as caught:
        resolve_input(text, choices)
    assert caught.value.sentence == f"There is no choice {text}: the last answer {offer}."
    assert caught.value.remedy == f"show {text} asks for paper {text} of the newest edition."


def test_a_number_of_many_digits_is_only_named() -> None:
    """A long number is shortened in the error."""
    with pytest.raises(UserError) as caught:
        resolve_input("9" * 5000, CHOICES)
    assert caught.value.sentence.startswith(f"There is no choice {'9' * 19}…: ")


def test_a_label_of_several_choices_is_asked_about() -> None:
    """An ambiguous label is an error that lists the numbers."""
    with pytest.raises(UserError) as caught:
        resolve_input("details 3", CHOICES)
    assert caught.value.sentence == "Details 3 stands there 2 times."
    assert caught.value.remedy == "Type the number of one: 1, 2."
