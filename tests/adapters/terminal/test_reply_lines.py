"""The lines of a reply at the prompt, and the letters that press its buttons."""

from dataclasses import replace

import pytest
from hypothesis import given

from adapters.terminal.render import TextStyle, render
from adapters.terminal.reply_lines import (
    LetteredButton,
    letter_buttons,
    lettered_lines,
    resolve_input,
)
from bot.commands.types import PRESSED, TYPED
from bot.errors import UserError
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Level,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    Reply,
    Title,
)
from tests.any_replies import REPLIES


def _printed(*blocks: Block, refs: bool = False) -> list[str]:
    reply = Reply(blocks)
    found = lettered_lines(reply, letter_buttons(reply), refs=refs)
    return render(found, 60, TextStyle.PLAIN).split("\n")


def _paper(
    number: str, where: str | None = None, line: str | None = None, heading: str | None = None
) -> PaperLine:
    ref = f"dair:2026-01-05#{number}"
    return PaperLine(number, f"Title {number}", line, ref, where, heading)


def test_listed_papers_have_their_numbers() -> None:
    """A paper is typed by its number, which is as wide as the last one's."""
    papers = [_paper(str(number)) for number in range(1, 11)]
    assert _printed(PaperList((_paper("1", line="A line."), *papers[1:])))[:3] == [
        " [1]  Title 1",
        "      A line.",
        " [2]  Title 2",
    ]
    assert _printed(PaperList(tuple(papers)))[-1] == "[10]  Title 10"


def test_papers_without_numbers_have_letters() -> None:
    """Papers below a card are no list: each is a button."""
    papers = (_paper("1"), _paper("2"))
    assert _printed(PaperList(papers, numbered=False)) == ["[a]  Title 1", "[b]  Title 2"]


def test_a_heading_stands_once_over_its_papers() -> None:
    """A heading is shown where it begins."""
    papers = (_paper("1", heading="Agents"), _paper("2", heading="Agents"), _paper("3"))
    assert _printed(PaperList(papers)) == [
        "Agents",
        "[1]  Title 1",
        "[2]  Title 2",
        "[3]  Title 3",
    ]


def test_a_paper_of_no_one_edition_keeps_its_place() -> None:
    """Search results show where each paper stands, for programs with its ref."""
    hits = PaperList((_paper("7", "Number 7 in dair", "Why."),))
    assert _printed(hits) == ["[7]  Title 7", "     Why.", "     Number 7 in dair"]
    assert _printed(hits, refs=True)[-1] == "     Number 7 in dair · dair:2026-01-05#7"


def test_a_program_gets_the_refs_of_an_edition() -> None:
    """With refs every paper of an edition is followed by its own."""
    assert _printed(PaperList((_paper("1", heading="Agents"),)), refs=True) == [
        "Agents",
        "[1]  Title 1",
        "     dair:2026-01-05#1",
    ]


def test_a_command_stands_beside_its_button_where_it_teaches_something() -> None:
    """The command is shown beside its button unless the label or the number replaces it."""
    actions = Actions(
        (
            Button("latest", "latest"),
            Button("Newest edition", "latest"),
            Button("Some paper", "show dair:2026-01-05#3"),
            Button("Vote (2)", "vote dair:2026-01-05#3 in:card"),
        )
    )
    assert _printed(actions) == [
        "[a]  latest",
        "[b]  Newest edition · latest",
        "[c]  Some paper",
        "[d]  Vote (2)",
    ]
    assert _printed(actions, refs=True)[2] == "[c]  Some paper · show dair:2026-01-05#3"


def test_a_menu_by_itself_is_its_choices() -> None:
    """The options of a menu are listed below its label, each with its command."""
    menu = Choices("Which list?", (Button("Mine", "saved"), Button("latest", "latest")))
    assert _printed(menu) == ["Which list?", "[a]  Mine · saved", "[b]  latest"]


def test_votes_stand_below_a_paper() -> None:
    """The votes are the last of the details of a paper."""
    voted = replace(_paper("7", "Number 7 in dair"), votes=1)
    assert _printed(PaperList((voted,)))[-1] == "     Number 7 in dair · 1 vote"
    assert _printed(PaperList((replace(_paper("1"), votes=3),)))[-1] == "     3 votes"


def test_a_whole_answer() -> None:
    """Blocks have blank lines between them, and letters and numbers one width."""
    assert _printed(
        Title("Papers for x"),
        Notice(Level.INFO, "Spelling corrected."),
        PaperList(tuple(_paper(str(number)) for number in range(1, 11))),
        Pager("Page 2", "search x", "search x page:3"),
    ) == [
        "Papers for x",
        "",
        "Spelling corrected.",
        "",
        *(f" [{number}]  Title {number}" for number in range(1, 10)),
        "[10]  Title 10",
        "",
        "Page 2",
        " [a]  Previous",
        " [b]  Next",
    ]


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
