"""An archive of years is imported by its address, and whoever looks on sees how far it is."""

import asyncio
import json
from pathlib import Path

from tests.adapters.terminal.screen import on_screen
from tests.benchmarks.inputs.documents import generated
from tests.bot.ingest.formats.archive.documents import week as archive_week
from tests.fakes.web_sites import Answer, Site, serve_site
from tests.flows.program import Program

_WEEKS = 12
_HERE = {"BROADSHEET_FETCH_ALLOW": "127.0.0.1"}
_REPORT = "archive, 12 editions with 120 entries"
# To the beginning of the line, and nothing more in it.
_CLEARED = b"\r\x1b[K"


def _put(site: Site) -> str:
    """Have a site give an archive; return its address."""
    site.put("/letters/README.md", Answer(generated(_WEEKS).archive))
    return site.url("/letters/README.md")


async def _drawn(folder: Path, *arguments: str, code: int = 0) -> bytes:
    """Return what the program draws on a terminal until it ends, with this exit code."""

    def run() -> bytes:
        with on_screen(folder, *arguments, **_HERE) as screen:
            assert screen.end() == code
            return screen.raw

    return await asyncio.to_thread(run)


async def test_on_a_terminal_progress_is_shown_until_it_is_done(tmp_path: Path) -> None:
    """What came of how much, then editions of how many; in the end the report alone is left."""
    async with serve_site() as site:
        drawn = await _drawn(tmp_path, "import", _put(site))
    told, _, left = drawn.rpartition(_CLEARED)
    steps = [each.decode() for each in told.split(_CLEARED)]
    size = f"{-(-len(generated(_WEEKS).archive) // 1024)} KB"
    assert f"README.md: {size.removesuffix(' KB')} of {size}" in steps
    assert "README.md: 12 of 12 editions" in steps
    assert f"/letters/README.md: {_REPORT}" in left.decode().splitlines()[0]


async def test_in_a_pipe_nothing_is_told_but_the_report(tmp_path: Path) -> None:
    """Standard error stays empty, and standard output has no progress."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    async with serve_site() as site:
        ran = await asyncio.to_thread(program, "import", _put(site), **_HERE)
    assert (ran.code, ran.err) == (0, "")
    assert _REPORT in ran.out
    assert "of 12" not in ran.out


async def test_what_fails_is_told_on_a_clean_line(tmp_path: Path) -> None:
    """A page that breaks off leaves the sentence that says so, and no half of a progress."""
    async with serve_site() as site:
        archive = generated(_WEEKS).archive
        site.put("/README.md", Answer(archive[: len(archive) // 2], length=len(archive)))
        drawn = await _drawn(tmp_path, "import", site.url("/README.md"), code=1)
    told, _, left = drawn.rpartition(_CLEARED)
    assert b"KB" in told
    assert left.startswith(b"Not imported: ")


async def test_a_sync_counts_the_sources_that_are_done(tmp_path: Path) -> None:
    """On a terminal, until each has its line."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'broadsheet.db'}")
    async with serve_site() as site:
        added = await asyncio.to_thread(program, "sources", "add", "weekly", _put(site))
        assert added.code == 0
        drawn = await _drawn(tmp_path, "sync", "weekly")
    told, _, left = drawn.rpartition(_CLEARED)
    assert told.decode().split(_CLEARED.decode()) == [
        "",
        "sync: 0 of 1 source",
        "sync: 1 of 1 source",
    ]
    assert "12 editions new" in left.decode()


async def test_an_archive_of_several_files_is_imported_by_its_index(tmp_path: Path) -> None:
    """One command takes in what the index leads to, under the source that is followed there.

    A file that is missing is told, and the others are taken in all the same. As a file the index
    only says where more is.
    """
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    (tmp_path / "README.md").write_text(_INDEX)

    async with serve_site() as site:
        site.put("/letters/README.md", Answer(_INDEX.encode()))
        for year in _YEARS:
            site.put(f"/letters/years/{year[-4:]}.md", Answer(archive_week(year).encode()))
        url = site.url("/letters/README.md")
        added = await asyncio.to_thread(program, "sources", "add", "letters", url)
        assert added.code == 0
        imported = await asyncio.to_thread(program, "import", url, "--json", **_HERE)
    documents = json.loads(imported.out)["documents"]
    assert [each["path"].rpartition("/")[2] for each in documents] == [
        "README.md", "2026.md", "2025.md", "2024.md"
    ]  # fmt: skip
    taken = [each["source"] for document in documents for each in document["editions"]]
    assert taken == ["letters", "letters"]
    assert imported.code == 1
    assert documents[-1]["error"]
    assert (
        "years/2026.md, years/2025.md, years/2024.md hold more weeks"
        in program("import", "README.md").err
    )


_YEARS = ("(January 5 - January 11) - 2026", "(December 15 - December 21) - 2025")
_INDEX = """\
# Letters of the Week
## 2026
- [Top Letters of the Week (January 5 - January 11)](years/2026.md#january-5)
## 2025
- [Top Letters of the Week (December 15 - December 21)](years/2025.md#december-15)
## 2024
- [Top Letters of the Week (December 16 - December 22)](years/2024.md#december-16)
"""
