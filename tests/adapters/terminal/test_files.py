"""Files in the terminal: written to its folder without overwriting, and named in one line."""

import resource
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.terminal.client import TerminalClient
from adapters.terminal.files import write_files
from bot.replies.blocks import Level, Notice, Reply, Text
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.adapters.common.services import services_over
from tests.file_replies import ALT, PICTURE, PLOT, TABLE, reply_with


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
