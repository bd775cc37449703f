"""The lines of a reply at the prompt."""

from dataclasses import replace

from adapters.terminal.buttons import number_buttons
from adapters.terminal.render import TextStyle, render
from adapters.terminal.reply_lines import numbered_lines
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


def _printed(*blocks: Block, refs: bool = False) -> list[str]:
    reply = Reply(blocks)
    found = numbered_lines(reply, number_buttons(reply), refs=refs)
    return render(found, 60, TextStyle.PLAIN).split("\n")


def _paper(number: str, heading: str | None = None, line: str | None = None) -> PaperLine:
    return PaperLine(number, f"Title {number}", line, f"dair:2026-01-05#{number}", heading)


def test_papers_are_chosen_by_their_own_numbers_where_these_count_from_one() -> None:
    """Papers that count from one show one number, without refs."""
    papers = [_paper(str(number)) for number in range(1, 11)]
    assert _printed(PaperList((_paper("1", line="A line."), *papers[1:])))[:3] == [
        " [1]  Title 1",
        "      A line.",
        " [2]  Title 2",
    ]
    assert _printed(PaperList(tuple(papers)))[-1] == "[10]  Title 10"


def test_other_numbers_stand_beside_the_choice() -> None:
    """Other numbers are shown beside the button's number."""
    assert _printed(PaperList((_paper("E31"), _paper("E32")))) == [
        "[1]  E31 · Title E31",
        "[2]  E32 · Title E32",
    ]
    assert _printed(PaperList((_paper("1"), _paper("3")))) == [
        "[1]  #1 · Title 1",
        "[2]  #3 · Title 3",
    ]


def test_a_heading_stands_once_over_its_papers() -> None:
    """The papers under one heading are a group, with blank lines between groups."""
    assert _printed(PaperList((_paper("1", "Agents"), _paper("2", "Agents"), _paper("3")))) == [
        "Agents",
        "[1]  Title 1",
        "[2]  Title 2",
        "",
        "[3]  Title 3",
    ]


def test_a_paper_of_no_one_edition_keeps_its_place() -> None:
    """Search results show where each paper stands, for programs with its ref."""
    hits = PaperList((_paper("7", "Number 7 in dair", "Why."),), numbered=False)
    assert _printed(hits) == ["[1]  Title 7", "     Why.", "     Number 7 in dair"]
    assert _printed(hits, refs=True)[-1] == "     Number 7 in dair · dair:2026-01-05#7"


def test_a_program_gets_the_refs_of_an_edition() -> None:
    """With refs every paper of an edition is followed by its own."""
    assert _printed(PaperList((_paper("1", "Agents"),)), refs=True) == [
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
        "[1]  latest",
        "[2]  Newest edition · latest",
        "[3]  Some paper",
        "[4]  Vote (2)",
    ]
    assert _printed(actions, refs=True)[2] == "[3]  Some paper · show dair:2026-01-05#3"


def test_a_menu_by_itself_is_its_choices() -> None:
    """The options of a menu are listed below its label, each with its command."""
    menu = Choices("Which list?", (Button("Mine", "saved"), Button("latest", "latest")))
    assert _printed(menu) == ["Which list?", "[1]  Mine · saved", "[2]  latest"]


def test_votes_stand_below_a_paper() -> None:
    """The votes are the last of the details of a paper."""
    voted = replace(_paper("7", "Number 7 in dair"), votes=1)
    assert _printed(PaperList((voted,), numbered=False))[-1] == "     Number 7 in dair · 1 vote"
    assert _printed(PaperList((replace(_paper("1"), votes=3),)))[-1] == "     3 votes"


def test_a_whole_answer() -> None:
    """Blocks have blank lines between them and numbers of one width."""
    assert _printed(
        Title("Papers for x"),
        Notice(Level.INFO, "Spelling corrected."),
        PaperList(tuple(_paper(str(number)) for number in range(1, 10)), numbered=False),
        Pager("Page 2", "search x", "search x page:3"),
    ) == [
        "Papers for x",
        "",
        "Spelling corrected.",
        "",
        *(f" [{number}]  Title {number}" for number in range(1, 10)),
        "",
        "Page 2",
        "[10]  Previous",
        "[11]  Next",
    ]
