"""The prompt on a real terminal: completion, choices, history, keys and signals."""

import re
import signal
from pathlib import Path

import pytest

from tests.adapters.terminal import noisy_program
from tests.adapters.terminal.screen import Screen, on_screen

ENTER, TAB, UP, CTRL_C, CTRL_D = "\r", "\t", "\x1b[A", "\x03", "\x04"
PROMPT = "papers> "
# Refs stand on cards only.
CARD = "dair:2026-01-05#1"
NOISY, LINES = noisy_program.__name__, noisy_program.LINES
_QUIET = {"BROADSHEET_WEB_PORT": "0", "BROADSHEET_SYNC": "off"}


def _answer(screen: Screen, line: str, end: str) -> str:
    """Type a line, and return what is drawn up to the prompt after the end of its answer."""
    screen.type(line + ENTER)
    return screen.wait_for(end) + screen.wait_for(PROMPT)


def test_a_conversation(tmp_path: Path, week: str) -> None:
    """Commands, letters, numbers and labels are answered, styled; `exit` ends with code 0."""
    with on_screen(tmp_path, "chat", BROADSHEET_DATABASE_URL=week) as screen:
        screen.wait_for(PROMPT)
        listed = _answer(screen, "search invented", " [a]  Next")
        assert "[10]  Invented Paper" in listed
        assert "dair:" not in listed
        assert "11–12 of 12" in _answer(screen, "next", "Previous")
        assert "There is no paper 99" in _answer(screen, "99", "Invented Paper 12\n")
        assert " [1]  Invented Paper 1" in _answer(screen, "latest", "thing 12")
        assert "#1 in dair, Jan 5–11, 2026" in _answer(screen, "1", CARD)
        screen.type("exit" + ENTER)
        assert screen.end() == 0
    assert b"\x1b[1mInvented Paper 1\x1b[0m" in screen.raw


def test_tab_completes(tmp_path: Path, week: str) -> None:
    """Tab completes a word or offers a menu, from which Enter takes an item."""
    with on_screen(tmp_path, "chat", BROADSHEET_DATABASE_URL=week) as screen:
        screen.wait_for(PROMPT)
        screen.type("lat" + TAB)
        screen.wait_for("latest")
        assert "Invented Paper 1" in _answer(screen, "", "thing 12")
        screen.type("s" + TAB)
        screen.wait_for("All about one paper")
        screen.type(TAB)
        screen.wait_for("show")
        screen.type(ENTER + " 1" + ENTER)
        screen.wait_for(CARD)


def test_ctrl_c_clears_and_ctrl_d_leaves(tmp_path: Path, week: str) -> None:
    """Ctrl-C clears the line, or prints a hint if it is empty; Ctrl-D exits."""
    with on_screen(tmp_path, "chat", BROADSHEET_DATABASE_URL=week) as screen:
        screen.wait_for(PROMPT)
        screen.type("nonsense" + CTRL_C)
        assert "Read as" not in _answer(screen, "show 1", CARD)
        screen.type(CTRL_C)
        screen.wait_for("Ctrl-D or exit leaves.")
        screen.wait_for(PROMPT)
        screen.type(CTRL_D)
        assert screen.end() == 0


def test_pasted_lines_are_answered_one_by_one(tmp_path: Path, week: str) -> None:
    """Pasted lines are answered one by one, without comments."""
    with on_screen(tmp_path, "chat", BROADSHEET_DATABASE_URL=week) as screen:
        screen.wait_for(PROMPT)
        screen.type("\x1b[200~# a script\nlatest\n1\x1b[201~" + ENTER)
        screen.wait_for(CARD)


def test_what_was_typed_is_kept_privately(tmp_path: Path, week: str) -> None:
    """The history lasts beyond the program, in a file that only its owner can read."""
    for key in ("show 1", UP):
        with on_screen(tmp_path, "chat", BROADSHEET_DATABASE_URL=week) as screen:
            screen.wait_for(PROMPT)
            _answer(screen, key, CARD)
    history = tmp_path / ".local" / "state" / "broadsheet" / "history"
    assert history.stat().st_mode & 0o777 == 0o600
    assert history.parent.stat().st_mode & 0o777 == 0o700
    assert "+show 1\n" in history.read_text()


def test_history_stands_where_state_is_kept(tmp_path: Path, week: str) -> None:
    """`XDG_STATE_HOME` names the folder, and a file that others could read is closed to them."""
    file = tmp_path / "state" / "broadsheet" / "history"
    file.parent.mkdir(parents=True)
    file.touch(mode=0o644)
    settings = {"BROADSHEET_DATABASE_URL": week, "XDG_STATE_HOME": str(tmp_path / "state")}
    with on_screen(tmp_path, "chat", **settings) as screen:
        screen.wait_for(PROMPT)
        _answer(screen, "show 1", CARD)
    assert file.stat().st_mode & 0o777 == 0o600
    assert "+show 1\n" in file.read_text()


def test_history_lasts_as_long_as_the_prompt_where_it_cannot_be_kept(
    tmp_path: Path, week: str
) -> None:
    """The history is kept in memory if its folder can't be created."""
    (tmp_path / "file").touch()
    settings = {"BROADSHEET_DATABASE_URL": week, "XDG_STATE_HOME": str(tmp_path / "file")}
    with on_screen(tmp_path, "chat", **settings) as screen:
        screen.wait_for(PROMPT)
        _answer(screen, "show 1", CARD)
        _answer(screen, UP, CARD)


@pytest.mark.parametrize(("command", "number"), [("run", signal.SIGINT), ("chat", signal.SIGTERM)])
def test_an_open_prompt_ends_at_a_signal(
    tmp_path: Path, week: str, command: str, number: signal.Signals
) -> None:
    """A signal ends the program with code 0 and restores the terminal."""
    with on_screen(tmp_path, command, BROADSHEET_DATABASE_URL=week) as screen:
        screen.wait_for(PROMPT)
        screen.type("sea")
        screen.wait_for("sea")
        screen.process.send_signal(number)
        assert screen.process.wait(timeout=15) == 0
        screen.end()
    bracketed_paste = re.findall(rb"\x1b\[\?2004[hl]", screen.raw)
    assert bracketed_paste[-1] == b"\x1b[?2004l"


def test_log_lines_come_above_the_prompt(tmp_path: Path, week: str) -> None:
    """The row of the prompt is cleared for them and drawn anew below, with what was typed."""
    settings = {"BROADSHEET_DATABASE_URL": week, **_QUIET}
    with on_screen(tmp_path, "run", module=NOISY, **settings) as screen:
        screen.wait_for(PROMPT)
        screen.type("sho")
        screen.wait_for("sho")
        for _ in range(2):
            screen.process.send_signal(signal.SIGUSR1)
            for number in range(1, LINES + 1):
                screen.wait_for(f"warning: job_failed number={number}\n")
            screen.wait_for("and a loose line\n")
            screen.wait_for(f"{PROMPT}sho")
        _answer(screen, "w 1", CARD)
        screen.type("exit" + ENTER)
        assert screen.end() == 0
    rows = screen.raw.split(b"\n")
    first = [row for row in rows if b"warning: job_failed number=1" in row]
    assert len(first) == 2
    # Whatever stood on the row is erased from its beginning before the line is written.
    assert all(re.search(rb"\x1b\[J[^p]*warning: job_failed", row) for row in first)


def test_log_lines_during_an_answer_are_not_lost(tmp_path: Path, week: str) -> None:
    """Each is printed once, whether the prompt is open, just closed or gone."""
    settings = {"BROADSHEET_DATABASE_URL": week, **_QUIET}
    with on_screen(tmp_path, "chat", module=NOISY, **settings) as screen:
        screen.wait_for(PROMPT)
        for _ in range(10):
            screen.process.send_signal(signal.SIGUSR1)
            _answer(screen, "show 1", CARD)
        screen.type("exit" + ENTER)
        assert screen.end() == 0
    assert screen.drawn.count("and a loose line\n") == 10
    assert screen.drawn.count("warning: job_failed number=") == 10 * LINES


def test_no_colour_is_drawn_where_none_is_wanted(tmp_path: Path, week: str) -> None:
    """Under `NO_COLOR` neither the prompt nor an answer has any code but bold."""
    settings = {"BROADSHEET_DATABASE_URL": week, "NO_COLOR": "1"}
    with on_screen(tmp_path, "chat", **settings) as screen:
        screen.wait_for(PROMPT)
        _answer(screen, "nonsense", "nonsense")
        _answer(screen, "show 1", CARD)
    codes = re.findall(rb"\x1b\[([\d;]*)m", screen.raw)
    assert {part for code in codes for part in code.split(b";")} == {b"0", b"1"}


def test_a_dumb_terminal_gets_plain_lines(tmp_path: Path, week: str) -> None:
    """A dumb terminal gets a plain prompt without escape sequences."""
    settings = {"BROADSHEET_DATABASE_URL": week, "TERM": "dumb"}
    with on_screen(tmp_path, "chat", **settings) as screen:
        screen.wait_for(PROMPT)
        assert "Invented Paper 1" in _answer(screen, "show 1", CARD)
        screen.type(CTRL_D)
        assert screen.end() == 0
    assert b"\x1b" not in screen.raw
