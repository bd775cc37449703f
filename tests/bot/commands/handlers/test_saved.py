"""The reader's list in the command layer: asked as a reader asks, read as a screen reader reads."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.actor import Actor
from bot.app import Broadsheet
from bot.commands.types import PRESSED, TYPED, LineOrigin
from bot.replies.blocks import Button, Choices, File, Menu, Pager, PaperList, Reply, Verbatim
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, WEEK, Ask, FixedClock, answered
from tests.bot.ingest.imports import take_in
from tests.bot.member_channels import bot_over, rooms
from tests.bot.replies.parts import first_line, pressed, refs

OTHER = replace(READER, user="other")
EXPERTS, EARLY = "dair:2026-01-05#3", "dair:2025-12-29#1"


def _app(database: Database, minutes: int = 0) -> Broadsheet:
    clock = FixedClock()
    return bot_over(database, replace(clock, at=clock.at + timedelta(minutes=minutes)))


def _asking(database: Database, actor: Actor = READER, origin: LineOrigin = TYPED) -> Ask:
    """Return a way to ask, a minute after the time before."""
    minutes = iter(range(1000))
    return lambda text: asyncio.run(answered(_app(database, next(minutes)), text, actor, origin))


def _formats(reply: Reply) -> tuple[Button, ...]:
    [menu] = [block for block in reply.blocks if isinstance(block, Choices)]
    return menu.options


def test_what_is_saved_is_listed_the_last_first(filled: Database) -> None:
    """Each paper is listed with its place, and the whole list can be exported."""
    ask = _asking(filled)
    assert first_line(ask("save 1")) == "On your list: Sparse Attention."
    ask("save E31")
    reply = ask("saved")
    assert plain_text(reply).splitlines()[:6] == [
        "Your list",
        "",
        "2 papers, the last saved first",
        "",
        "1  When to stop",
        "   A longer look",
    ]
    assert refs(reply) == ["paperdive:E31", "dair:2026-01-05#1"]
    assert [each.command for each in _formats(reply)] == [
        "saved as:bibtex",
        "saved as:csv",
        "saved as:json",
        "saved as:markdown",
        "saved as:ris",
    ]
    assert [block.menus for block in reply.blocks if isinstance(block, PaperList)] == [
        (Menu("Take a paper off", "unsave", "Take off"),)
    ]


def test_saving_is_taken_back_and_done_again_by_buttons(filled: Database) -> None:
    """A button does what it says, and a second press answers with the present state."""
    ask = _asking(filled)
    saved = ask("save 3")
    assert pressed(saved) == {
        "Take back": f"unsave {EXPERTS}",
        "Write a note": f"note {EXPERTS}",
        "Your list": "saved",
    }
    assert first_line(ask(f"save {EXPERTS}")) == "On your list already: Routing Experts."
    back = ask(pressed(saved)["Take back"])
    assert first_line(back) == "Off your list: Routing Experts."
    assert first_line(ask(pressed(saved)["Take back"])) == "Not on your list: Routing Experts."
    assert first_line(ask(pressed(back)["Save again"])) == "On your list: Routing Experts."
    assert refs(ask("saved")) == [EXPERTS]


def test_a_paper_is_the_same_by_every_name(filled: Database) -> None:
    """The earlier entry of a paper takes off what was saved by the later one."""
    ask = _asking(filled)
    ask(f"save {EARLY}")
    assert first_line(ask("save 3")) == "On your list already: Routing Experts."
    assert refs(ask("saved")) == [EXPERTS]
    assert first_line(ask("unsave 2601.00003")) == "Off your list: Routing Experts."
    assert first_line(ask("saved")) == "Nothing is on your list yet."


def test_an_empty_list_says_how_to_fill_it(filled: Database) -> None:
    """Also where a format is asked for; a topic without papers leads to the topic."""
    ask = _asking(filled)
    for line in ("saved", "saved as:csv"):
        assert "save 3" in plain_text(ask(line))
        assert not ask(line).failed
    assert first_line(ask("saved topic:agents")) == "Nothing on agents is on your list."
    assert pressed(ask("saved topic:agents"))["Papers on agents"] == "topic agents"


def test_a_list_is_read_by_topic(filled: Database) -> None:
    """Only papers of the topic stand there, and its files have the same."""
    ask = _asking(filled)
    ask("save 1")
    ask("save 2")
    reply = ask("saved topic:agents")
    assert refs(reply) == ["dair:2026-01-05#2"]
    assert Button("BibTeX", "saved topic:agents as:bibtex") in _formats(reply)
    assert first_line(ask("saved topic:agents as:json")) == "1 paper as JSON."


def test_a_long_list_has_pages(many: Ask) -> None:
    """Ten papers a page, with the ways to those beside it; there is none so far on."""
    for rank in range(1, 12):
        many(f"save dair:2025-10-27#{rank}")
    first = many("saved")
    [pager] = [block for block in first.blocks if isinstance(block, Pager)]
    assert (len(refs(first)), pager.next) == (10, "saved page:2")
    second = many("saved page:2")
    assert (len(refs(second)), second.command) == (1, "saved page:2")
    beyond = many("saved page:9")
    assert beyond.failed
    assert pressed(beyond) == {"The first page": "saved"}


def test_a_note_stands_under_its_paper(filled: Database) -> None:
    """It saves the paper; another takes its place, and the answer has what it was."""
    ask, press = _asking(filled), _asking(filled, origin=PRESSED)
    assert first_line(ask("note 3 compare  with ours")) == (
        "Saved with your note. Routing Experts: compare with ours"
    )
    second = ask("note 3 no")
    assert plain_text(second).splitlines()[:2] == [
        "Noted on Routing Experts: no",
        "It was: compare with ours",
    ]
    assert "Your note: no" in plain_text(ask("saved"))
    assert "1 paper, the last saved first · 1 note" in plain_text(ask("saved"))
    gone = press(pressed(second)["Remove note"])
    assert plain_text(gone).splitlines()[:2] == [
        "No note on Routing Experts any more.",
        "It was: no",
    ]
    assert first_line(press(f"note {EXPERTS} remove:yes")) == "No note was on Routing Experts."
    assert refs(ask("saved")) == [EXPERTS]


def test_a_note_is_shown_and_goes_with_its_paper(filled: Database) -> None:
    """Without words `note` says what it is; who takes the paper off reads it once more."""
    ask = _asking(filled)
    assert plain_text(ask("note 3")).splitlines()[:2] == [
        "You have no note on Routing Experts.",
        f"To write one: note {EXPERTS} your words",
    ]
    ask("note 3 read: page 4")
    assert first_line(ask("note experts")) == "Your note on Routing Experts: read: page 4"
    removed = ask("unsave 3")
    assert plain_text(removed).splitlines()[:2] == [
        "Off your list: Routing Experts.",
        "Your note on it was: read: page 4",
    ]


def test_how_a_note_is_written_is_said_as_it_is_typed(filled: Database) -> None:
    """A button opens a form where there are forms; elsewhere it would lead here again."""
    typing, naming = (replace(READER, channels=rooms()), replace(READER, by_name=True))
    for actor, usage in (
        (typing, "Usage: note PAPER [TEXT]"),
        (naming, "Usage: /papers list note paper [text]"),
    ):
        reply = _asking(filled, actor)("note 3")
        assert plain_text(reply).splitlines()[1] == usage
        assert "Write a note" in pressed(reply)
    ask = _asking(filled)
    assert "Write a note" not in pressed(ask("note 3"))
    ask("note 3 mine")
    reply = ask("note 3")
    assert plain_text(reply).splitlines()[1] == f"To write another: note {EXPERTS} your words"
    assert "Write a note" not in pressed(reply)


def test_an_empty_list_says_what_to_press_and_to_type(filled: Database) -> None:
    """A chat has buttons and menus, and each platform has its way to type."""
    for actor, typed in (
        (replace(READER, channels=rooms()), "or type /papers save 3"),
        (replace(READER, by_name=True), "or type /papers list save paper:3"),
        (READER, "Save a paper by its number: save 3"),
    ):
        text = plain_text(_asking(filled, actor)("saved"))
        assert typed in text
        assert ("Press Save" in text) is actor.in_chat


def test_a_name_without_its_value_is_named(filled: Database) -> None:
    """At the end of a line it is no word of another argument."""
    ask = _asking(filled)
    for line in ("saved as:", "saved topic:agents AS:"):
        reply = ask(line)
        assert reply.failed
        assert plain_text(reply).splitlines()[:2] == [
            "Nothing stands after as:",
            "The formats are bibtex, csv, json, markdown, ris.",
        ]
    assert first_line(ask("note 3 my text:")) == "Saved with your note. Routing Experts: my text:"


def test_one_paper_is_offered_as_one(filled: Database) -> None:
    """The suggestion is one paper, or several."""
    ask = _asking(filled)
    ask("save E31")
    assert "Did you mean this one?" in plain_text(ask("unsave 1"))
    assert "This is on your list." in plain_text(ask("unsave zebra"))
    ask("save sparse rewards")
    assert "Did you mean one of these?" in plain_text(ask("unsave 2"))
    assert "These are on your list." in plain_text(ask("unsave zebra"))


def test_a_note_may_be_on_a_paper_of_several_words(filled: Database) -> None:
    """The paper is in quotes then; the note follows."""
    ask = _asking(filled)
    ask('note paper:"when to stop" now and then')
    assert "Your note: now and then" in plain_text(ask("saved"))


def test_a_note_has_its_length(filled: Database) -> None:
    """A longer one is refused with both numbers, and changes nothing."""
    ask = _asking(filled)
    assert not ask(f"note 3 {'x' * 800}").failed
    reply = ask(f"note 3 {'y' * 801}")
    assert first_line(reply) == "That is 801 characters; a note may have 800."
    assert "x" * 800 in plain_text(ask("note 3"))


def test_words_mean_a_paper_of_the_list_first(filled: Database) -> None:
    """Sparse is in two titles, one of which is on the list; where both are it asks which."""
    ask = _asking(filled)
    ask("save 1")
    assert first_line(ask("unsave sparse")) == "Off your list: Sparse Attention."
    ask("save 1")
    ask("save sparse rewards")
    reply = ask("unsave sparse")
    assert first_line(reply) == "Several papers on your list fit 'sparse'."
    assert set(pressed(reply)) == {"Sparse Attention", "Sparse Rewards"}
    assert pressed(reply)["Sparse Rewards"] == "unsave dair:2025-12-29#2"


def test_what_is_not_on_the_list_is_told_with_what_is(filled: Database) -> None:
    """The nearest on the list are offered, for a paper that isn't there and for words of none."""
    ask = _asking(filled)
    assert first_line(ask("unsave 2")) == "Not on your list: A Survey of Agents."
    ask("save sparse rewards")
    ask("save E31")
    reply = ask("unsave 1")
    assert first_line(reply) == "Not on your list: Sparse Attention."
    assert next(iter(pressed(reply).values())) == "unsave dair:2025-12-29#2"
    unknown = ask("unsave zebra")
    assert unknown.failed
    assert set(pressed(unknown)) == {"When to stop", "Sparse Rewards"}


def test_what_no_edition_has_stays_until_it_is_taken_off(filled: Database) -> None:
    """It is listed under its old title, and can be noted and removed by its ref."""
    ask = _asking(filled)
    ask("save 2")
    asyncio.run(filled.write(take_in, replace(WEEK, entries=WEEK.entries[:1])))
    reply = ask("saved")
    assert "A Survey of Agents · no longer in an edition" in plain_text(reply)
    assert refs(reply) == []
    take_off = pressed(reply)["Take off: A Survey of Agents"]
    ref = take_off.removeprefix("unsave ")
    assert first_line(ask(f"note {ref} who knows")).startswith("Noted on A Survey of Agents")
    assert "no longer in an edition" in plain_text(ask("saved as:markdown"))
    assert first_line(ask(take_off)) == "Off your list: A Survey of Agents."
    assert first_line(ask("saved")) == "Nothing is on your list yet."


def test_a_short_list_is_text_and_a_long_one_a_file(many: Ask) -> None:
    """Five papers can be copied from the answer, six come as a file; the line says how many."""
    for rank in range(1, 6):
        many(f"save dair:2025-10-27#{rank}")
    [_, text] = many("saved as:bibtex").blocks
    assert isinstance(text, Verbatim)
    assert text.text.count("@misc{") == 5
    many("save dair:2025-10-27#6")
    reply = many("saved as:json")
    [_, file] = reply.blocks
    assert isinstance(file, File)
    assert (file.name, file.media_type, file.alt) == (
        "saved.json", "application/json", "6 papers as JSON.",
    )  # fmt: skip
    assert len(json.loads(file.data)["papers"]) == 6
    assert first_line(reply) == "6 papers as JSON."


@pytest.mark.parametrize(
    ("name", "file"),
    [("bibtex", "saved.bib"), ("csv", "saved.csv"), ("md", "saved.md"), ("BIB", "saved.bib")],
)
def test_a_file_has_the_name_of_its_format(many: Ask, name: str, file: str) -> None:
    """Programs know a file by its extension."""
    for rank in range(1, 8):
        many(f"save dair:2025-10-27#{rank}")
    assert [b.name for b in many(f"saved as:{name}").blocks if isinstance(b, File)] == [file]


def test_an_unknown_format_is_answered_with_those_there_are(filled: Database) -> None:
    """The nearest is a button."""
    reply = _asking(filled)("saved as:bibtxe")
    assert reply.failed
    assert "The formats are bibtex, csv, json, markdown, ris." in plain_text(reply)
    assert pressed(reply) == {"saved as:bibtex": "saved as:bibtex"}


def test_nobody_reads_the_list_of_another(filled: Database) -> None:
    """Neither the papers nor the notes, nor in what is completed."""
    ask, other = _asking(filled), _asking(filled, OTHER)
    ask("note 3 secret")
    for line in ("saved", "saved as:json", "note 3", "unsave 3"):
        assert "secret" not in plain_text(other(line))
    assert first_line(other("saved")) == "Nothing is on your list yet."
    assert refs(ask("saved")) == [EXPERTS]


def test_what_is_shared_is_the_paper_and_no_note(filled: Database) -> None:
    """The line of whatever changed a list shows the paper to everybody."""
    ask = _asking(filled)
    for line in ("save 3", "note 3 secret", "note 3", "unsave 3", "unsave 3"):
        assert ask(line).command == f"show {EXPERTS}"


def test_nothing_is_taken_off_an_empty_list(filled: Database) -> None:
    """The answer says that the paper is not on the list, and that the list is empty."""
    reply = asyncio.run(bot_over(filled, FixedClock()).run_text("unsave 1", READER))
    assert plain_text(reply).splitlines()[:2] == [
        "Not on your list: Sparse Attention.",
        "Your list is empty.",
    ]


@pytest.mark.parametrize("line", ["saved", "saved as:csv", "saved topic:agents", "forget", "brief"])
def test_what_is_ones_own_is_private(filled: Database, line: str) -> None:
    """The list, its files, stored data and a brief can't be shared; a paper can."""
    app = bot_over(filled, FixedClock())
    saved = asyncio.run(answered(app, "save 1", READER))
    reply = asyncio.run(answered(app, line, READER))
    assert (saved.is_sharable, reply.is_sharable) == (True, False)


async def test_the_list_is_completed_first(filled: Database) -> None:
    """`unsave` offers what is there and nothing else, `note` that before other papers."""
    app = _app(filled)
    await app.run_text("save 3", READER)
    completed = [each.text for each in await app.complete("unsave ", READER)]
    assert completed == [EXPERTS]
    assert [each.text for each in await app.complete("unsave spa", READER)] == []
    noted = [each.text for each in await app.complete("note ", READER)]
    assert (noted[0], len(noted), len(set(noted))) == (EXPERTS, 3, 3)
    assert [each.text for each in await app.complete("unsave ", OTHER)] == []


async def test_a_request_that_comes_again_is_answered_the_same(filled: Database) -> None:
    """A save that is delivered twice is told as one, and a note is written once."""
    app = _app(filled)
    first = await app.run_text("save 3", READER, "k1")
    assert await app.run_text("save 3", READER, "k1") == first
    await app.run_text("note 3 one", READER, "k2")
    await app.run_text("note 3 two", READER, "k3")
    await app.run_text("note 3 one", READER, "k2")
    assert first_line(await app.run_text("note 3", READER)) == "Your note on Routing Experts: two"
