"""Lists of one's own through the installed program, and a document that takes too much memory."""

import json
import sys
from dataclasses import replace
from typing import Any

import pytest

from tests.flows.program import BROADSHEET, Program

# An operator's own limit, lower than ours: the program begins, and 10 MB of JSON are too much.
_KILOBYTES = 600_000
_HUGE = '[{"paper": {"submittedOnDailyAt": "", "a": [' + '{"":[]},' * 1_250_000 + "0]}}]"
_LIMITED = """#!/bin/sh
ulimit -v {kilobytes}
exec {program} "$@"
"""


def _write(program: Program, name: str, text: str) -> str:
    (program.folder / name).write_text(text, encoding="utf-8")
    return name


def _editions(program: Program) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(program("export", "--source", "team").out)["editions"]
    return found


def test_a_week_is_asked_for_and_then_given(broadsheet: Program) -> None:
    """Without one nothing is stored and one sentence names `--week`, in whatever words it comes."""
    path = _write(broadsheet, "papers.md", "1. Mamba - linear\n2. LSTM\n")
    ran = broadsheet("import", path, "--source", "team")
    assert (ran.code, ran.out) == (1, "")
    assert "--week" in ran.err
    assert broadsheet("editions", "--json").out == '{\n  "editions": []\n}\n'
    ran = broadsheet("import", path, "--source", "team", "--week", "Jan 6-10, 2026")
    assert ran.code == 0
    assert ran.out.splitlines()[1].startswith("  team, Jan 6–10, 2026")
    (edition,) = _editions(broadsheet)
    assert (edition["kind"], edition["first_day"]) == ("list", "2026-01-06")
    ran = broadsheet("import", path, "--source", "team", "--week", "soon")
    assert (ran.code, "'soon'" in ran.err) == (1, True)


def test_most_rows_must_be_understood(broadsheet: Program) -> None:
    """Exit 1 if more than half are not, which are named by line; the others are stored."""
    path = _write(broadsheet, "2026-W02.md", "1. Mamba\n2. ???\n3. !!!\n")
    ran = broadsheet("import", path, "--source", "team")
    assert ran.code == 1
    assert "2026-W02.md:2: " in ran.err
    assert "2026-W02.md:3: " in ran.err
    assert [entry["title"] for entry in _editions(broadsheet)[0]["entries"]] == ["Mamba"]
    half = _write(broadsheet, "2026-W03.md", "1. LSTM\n2. ???\n")
    assert broadsheet("import", half, "--source", "team").code == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux holds to the limit")
def test_others_go_in_where_one_takes_too_much_memory(broadsheet: Program) -> None:
    """It is named in a sentence, without a trace of the program; what is beside it is imported."""
    folder = broadsheet.folder
    (folder / "huge.json").write_text(_HUGE, encoding="utf-8")
    (folder / "2026-W02.md").write_text("1. Mamba\n2. LSTM\n", encoding="utf-8")
    limited = folder / "limited"
    limited.write_text(_LIMITED.format(kilobytes=_KILOBYTES, program=BROADSHEET), encoding="utf-8")
    limited.chmod(0o700)
    ran = replace(broadsheet, executable=limited)(
        "import", "huge.json", "2026-W02.md", "--source", "team"
    )
    assert ran.code == 1
    assert ran.err == (
        "Not imported: huge.json takes more memory to be read than there is for a document,"
        " 1,024 MB at most. Split it into several documents.\n"
    )
    assert ran.out.splitlines()[0] == "2026-W02.md: list, 1 edition with 2 entries"
