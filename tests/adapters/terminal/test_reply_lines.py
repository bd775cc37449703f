"""The lines of a reply at the prompt."""

from dataclasses import replace

from adapters.terminal.buttons import letter_buttons
from adapters.terminal.render import TextStyle, render
from adapters.terminal.reply_lines import lettered_lines
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
