"""The terminal client: files written to its folder without overwriting, and lines from a pipe."""

import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.terminal.client import TerminalClient, write_files
from bot.replies.blocks import Level, Notice, Reply, Text
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.adapters.common.services import services_over
from tests.file_replies import ALT, PICTURE, PLOT, TABLE, reply_with
from tests.flows.program import BROADSHEET, Program


def test_a_file_is_written_and_told_in_one_line(tmp_path: Path) -> None:
    """The folder has the complete file, and the reply its name."""
    told = plain_text(write_files(reply_with(PICTURE), tmp_path)[0]).split("\n")
    assert f"Written to trends.png: {ALT}" in told
    assert (tmp_path / "trends.png").read_bytes() == PICTURE.data


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """An existing file or link target is not overwritten."""
    (tmp_path / "trends.png").write_text("mine")
    (tmp_path / "trends-2.png").symlink_to(tmp_path / "elsewhere")
    told = plain_text(write_files(reply_with(PICTURE, PICTURE), tmp_path)[0])
    assert (tmp_path / "trends.png").read_text() == "mine"
    assert not (tmp_path / "elsewhere").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "trends-2-2.png", "trends-2.png", "trends-3.png", "trends.png"
    ]  # fmt: skip
    assert "Written to trends-3.png" in told


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../up.png", "up.png"),
        ("/etc/passwd", "etc-passwd"),
        ("..", "file"),
        ("-rf.txt", "rf.txt"),
        (".hidden", "hidden"),
        ("a\x1b[31m\nb.csv", "a-31m-b.csv"),
        ("x" * 300 + ".bib", "x" * 60 + ".bib"),
    ],
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str, kept: str) -> None:
    """Each file is in the folder, visible, under a plain name."""
    folder = tmp_path / "here"
    folder.mkdir()
    write_files(reply_with(replace(TABLE, name=name)), folder)
    assert [path.name for path in folder.iterdir()] == [kept]
    assert list(tmp_path.iterdir()) == [folder]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    """The reply is shown, with a notice about the file and a remedy."""
    reply, failures = write_files(reply_with(PICTURE), tmp_path / "gone")
    sentence = "trends.png could not be written: this folder can't be written to."
    remedy = "Ask once more in a folder that you may write to."
    assert failures == (Notice(Level.ERROR, sentence, remedy),)
    assert "9 papers in the last." in plain_text(reply)
    assert "trends.png" not in plain_text(reply)


def test_what_a_file_holds_is_said_once(tmp_path: Path) -> None:
    """The alternative text is left out if the reply has the same text."""
    told = plain_text(write_files(Reply((Text(TABLE.alt), TABLE)), tmp_path)[0])
    assert told.split("\n\n") == ["One paper as BibTeX.", "Written to saved.bib."]


async def test_a_verb_says_apart_that_a_file_is_missing(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A subcommand prints the notice to standard error, the prompt to standard output."""
    door, app = TerminalClient(tmp_path / "gone"), services_over(database, [PLOT]).app
    assert not door.show(await app.run_text("plot", door.actor), failures_apart=True)
    printed = capsys.readouterr()
    assert "9 papers in the last." in printed.out
    assert printed.err.startswith("trends.png could not be written")
    await door.prompt(app, opening="plot")
    assert "trends.png could not be written" in capsys.readouterr().out


def test_replies_without_files_are_as_they_were(tmp_path: Path) -> None:
    """A reply without files writes nothing."""
    reply = Reply(reply_with().blocks)
    assert write_files(reply, tmp_path) == (reply, ())
    assert list(tmp_path.iterdir()) == []


def test_what_could_not_be_written_whole_is_taken_away(tmp_path: Path) -> None:
    """A partly written file is removed."""
    limit, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
    try:
        _, [failure] = write_files(reply_with(PICTURE), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    assert "it is larger than a file may be here" in failure.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("at_the_prompt", [False, True])
async def test_the_door_writes_what_it_shows(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, at_the_prompt: bool
) -> None:
    """Both a subcommand and the prompt write the file and print its name."""
    door, app = TerminalClient(tmp_path), services_over(database, [PLOT]).app
    if at_the_prompt:
        await door.prompt(app, opening="plot")
    else:
        door.show(await app.run_text("plot", door.actor))
    assert "Written to trends.png" in capsys.readouterr().out
    assert (tmp_path / "trends.png").read_bytes() == PICTURE.data


SCRIPT = """\
# What is new, and more about the third of it
latest

3
"""


def test_answers_are_all_that_is_printed(broadsheet: Program) -> None:
    """No prompt and no echo; comments and blank lines are passed over, so scripts can be kept."""
    ran = broadsheet("chat", stdin=SCRIPT)
    assert (ran.code, ran.err) == (0, "")
    assert "papers>" not in ran.out
    assert "What is new" not in ran.out
    listed, card = ran.out.split("\n\nInvented Paper 3\n")
    assert "\n [3]  Invented Paper 3\n      Finds thing 3\n" in listed
    assert "      dair:2026-01-05#3\n" in listed
    assert card.startswith("#3 in dair, Jan 5–11, 2026 · dair:2026-01-05#3\n")
    assert "\x1b" not in ran.out


def test_the_first_answer_ever_is_followed_by_three_lines(broadsheet: Program) -> None:
    """The onboarding message is shown once, below a successful reply whose buttons stay."""
    new = {"BROADSHEET_DATABASE_URL": "sqlite:///new.db"}
    first = broadsheet("chat", stdin="latest from:diar\nlatest\n3\n", **new).out
    assert first.count("Broadsheet has the top AI papers of each week.") == 1
    assert "Most useful: latest · search mixture of experts" in first
    assert first.index("There is no source") < first.index("Broadsheet has")
    assert first.index("Broadsheet has") < first.index("\n#3 in sample-weekly")
    assert "Broadsheet has" not in broadsheet("chat", stdin="latest\n", **new).out


def test_one_question_is_answered_and_no_more(broadsheet: Program) -> None:
    """The subcommand `ask` prints no onboarding message, for scripts."""
    new = {"BROADSHEET_DATABASE_URL": "sqlite:///new.db"}
    broadsheet("chat", **new)  # which fills the store
    for command in (("ask", "latest"), ("show", "1")):
        ran = broadsheet(*command, **new)
        assert (ran.code, "Broadsheet has" in ran.out) == (0, False)


def test_letters_are_of_the_last_answer_and_numbers_of_the_last_list(broadsheet: Program) -> None:
    """A letter presses a button; a number that names no paper is no error."""
    ran = broadsheet("chat", stdin="search invented\na\nlatest from:diar\na\n99\n3\n")
    assert "11–12 of 12" in ran.out
    assert "[a]  latest from:dair" in ran.out
    assert "There is no paper 99" in ran.out
    assert ran.out.count("\nInvented Paper 3\n") == 1
    assert ran.code == 0


def test_labels_turn_pages(broadsheet: Program) -> None:
    """`next` and `previous`, in any case, are the buttons of that name."""
    ran = broadsheet("chat", stdin="search invented\nNEXT\nprevious\n")
    pages = [line for line in ran.out.splitlines() if line.endswith(" of 12")]
    assert pages == ["1–10 of 12", "11–12 of 12", "1–10 of 12"]


@pytest.mark.parametrize("word", ["exit", "QUIT", "bye"])
def test_a_word_leaves(broadsheet: Program, word: str) -> None:
    """The lines after an exit word are not answered."""
    ran = broadsheet("chat", stdin=f"{word}\nlatest\n")
    assert (ran.code, ran.out) == (0, "")


def test_input_that_is_no_text_is_answered_too(broadsheet: Program) -> None:
    """Broken UTF-8, control characters and a last line without an end get their answers."""
    finished = subprocess.run(
        [BROADSHEET, "chat"],
        cwd=broadsheet.folder,
        env={"PATH": os.environ["PATH"], "BROADSHEET_DATABASE_URL": broadsheet.database_url},
        input=b"\xff\xfe\n\x1b[2J\nhelp",
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert finished.stdout.count(b"Read as: ") == 2
    assert b"Broadsheet: the top AI papers" in finished.stdout
    assert b"\x1b" not in finished.stdout


def test_input_that_cannot_be_read_has_ended(broadsheet: Program) -> None:
    """A standard input that can't be read counts as ended."""
    with (broadsheet.folder / "out.txt").open("wb") as unreadable:
        finished = subprocess.run(
            [BROADSHEET, "chat"],
            cwd=broadsheet.folder,
            env={"PATH": os.environ["PATH"], "BROADSHEET_DATABASE_URL": broadsheet.database_url},
            stdin=unreadable,
            timeout=120,
            check=False,
        )
    assert finished.returncode == 0


def test_signs_that_a_stream_cannot_write_are_question_marks(broadsheet: Program) -> None:
    """Characters that the encoding lacks become question marks."""
    ran = broadsheet("ask", "latest", PYTHONIOENCODING="ascii")
    assert (ran.code, ran.err) == (0, "")
    assert "Jan 5?11, 2026" in ran.out


def test_a_pipe_needs_no_prompt(broadsheet: Program) -> None:
    """A piped prompt does not import prompt_toolkit."""
    python = replace(broadsheet, executable=Path(sys.executable))
    ran = python("-X", "importtime", str(BROADSHEET), "chat", stdin="latest\n")
    imported = {line.rsplit("|", 1)[-1].strip() for line in ran.err.splitlines()}
    assert "adapters.terminal.client" in imported
    assert imported & {"prompt_toolkit", "wcwidth", "adapters.terminal.prompt"} == set()


def test_lines_are_read_as_a_person_wrote_them(broadsheet: Program) -> None:
    """A ref is shown, other words are searched for, and a number is that hit."""
    ran = broadsheet("chat", stdin="dair:2026-01-05#2\nanything invented?\n3\n")
    card, search, hit = (each.splitlines() for each in ran.out.split("Read as: ")[1:])
    assert (card[0], search[0]) == ("show dair:2026-01-05#2", "search invented")
    third = search[next(place for place, line in enumerate(search) if "[3]" in line) :]
    ref = next(word for line in third for word in line.split() if word.startswith("dair:"))
    assert hit[0] == f"show {ref}"
