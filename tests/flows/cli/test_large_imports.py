"""Documents that take too much memory, imported by the installed program with others."""

import sys
from pathlib import Path

import pytest

from tests.flows.program import BROADSHEET, Program

# An operator's own limit, lower than ours: the program begins, and 10 MB of JSON are too much.
_KILOBYTES = 600_000
_HUGE = '[{"paper": {"submittedOnDailyAt": "", "a": [' + '{"":[]},' * 1_250_000 + "0]}}]"
_LIMITED = """#!/bin/sh
ulimit -v {kilobytes}
exec {program} "$@"
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux holds to the limit")
def test_others_go_in_where_one_takes_too_much_memory(broadsheet: Program) -> None:
    """It is named in a sentence, without a trace of the program; what is beside it is imported."""
    folder = broadsheet.folder
    (folder / "huge.json").write_text(_HUGE, encoding="utf-8")
    (folder / "2026-W02.md").write_text("1. Mamba\n2. LSTM\n", encoding="utf-8")
    limited = folder / "limited"
    limited.write_text(_LIMITED.format(kilobytes=_KILOBYTES, program=BROADSHEET), encoding="utf-8")
    limited.chmod(0o700)
    program = Program(folder, broadsheet.database_url, executable=Path(limited))
    ran = program("import", "huge.json", "2026-W02.md", "--source", "team")
    assert ran.code == 1
    assert ran.err == (
        "Not imported: huge.json takes more memory to be read than there is for a document,"
        " 1,024 MB at most. Split it into several documents.\n"
    )
    assert ran.out.splitlines()[0] == "2026-W02.md: list, 1 edition with 2 entries"
