"""The pages as files: complete, linked, only touched where they change, of nobody."""

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import feedparser  # type: ignore[import-untyped] # the wheel ships no types
import pytest

from adapters.web.pages.finder import all_paths
from adapters.web.pages.page import Library
from adapters.web.site import Written, file_of, write_site
from bot.actor import Actor, Role
from bot.errors import UserError
from store.database import Database
from tests.adapters.web.pages.serving import links_in
from tests.bot.conftest import WEEK, answered, bot_of
from tests.bot.ingest.drafts import entry
from tests.bot.ingest.imports import take_in

_DAY = date(2026, 11, 21)
_URL = "https://papers.example/weekly"
_MANIFEST = ".broadsheet-site.json"


async def _write(database: Database, root: Path, url: str = "", *, force: bool = False) -> Written:
    return await write_site(database, _DAY, root, url, force=force)


async def test_every_link_leads_to_a_file_and_every_file_is_linked(
    filled: Database, tmp_path: Path
) -> None:
    """From `index.html` on, by relative links alone, all pages and feeds are reached."""
    await filled.write(take_in, WEEK, "other")  # a second source makes a consensus
    root = tmp_path / "site"
    written = await _write(filled, root)
    files = set(_files(root))
    assert written == Written(len(files) - 1, 0, 0)  # all but the list of them
    reached, to_read = set[str](), ["index.html"]
    while to_read:
        file = to_read.pop()
        if file not in reached:
            reached.add(file)
            to_read += [urljoin(file, link) for link in _own_links(root / file)]
    assert reached == files - {_MANIFEST, ".nojekyll"}
    paths = await filled.read(lambda session: list(all_paths(Library(session, _DAY))))
    assert {file_of(path) for path in paths} <= reached


async def test_a_second_run_writes_nothing(filled: Database, tmp_path: Path) -> None:
    """Not one file is touched."""
    first = await _write(filled, tmp_path / "site")
    before = _inodes(tmp_path / "site")
    again = await _write(filled, tmp_path / "site")
    assert again == Written(0, first.written, 0)
    assert _inodes(tmp_path / "site") == before


async def test_a_correction_rewrites_what_it_changes(filled: Database, tmp_path: Path) -> None:
    """The pages that quote it and its feeds; other pages are left alone."""
    root = tmp_path / "site"
    await _write(filled, root)
    before = _inodes(root)
    mended = replace(WEEK, entries=(entry(1, "Sparse Attention", "Mended."), *WEEK.entries[1:]))
    await filled.write(take_in, mended, "dair")
    written = await _write(filled, root)
    after = _inodes(root)
    changed = {file for file in after if after[file] != before.get(file)}
    assert {"papers/dair/2026-01-05/1.html", "editions/dair/2026-01-05.html"} <= changed
    assert not {"papers/paperdive/E31.html", "weeks.html", "style.css"} & changed
    assert written == Written(len(changed), len(after) - len(changed), 0)


async def test_a_paper_that_moved_is_found_at_its_old_file(
    filled: Database, tmp_path: Path
) -> None:
    """Once it has an arXiv id the old file leads to the new one, in each later run."""
    root = tmp_path / "site"
    await _write(filled, root)
    known = entry(1, "Sparse Attention", links=["https://arxiv.org/abs/2601.09999"])
    await filled.write(take_in, replace(WEEK, entries=(known, *WEEK.entries[1:])), "dair")
    for _ in range(2):
        await _write(filled, root)
        old = (root / "papers/dair/2026-01-05/1.html").read_text()
        assert 'http-equiv="refresh" content="0; url=../../../papers/2601.09999.html"' in old
        assert '<a href="../../../papers/2601.09999.html">' in old
        assert "Sparse Attention" in (root / "papers/2601.09999.html").read_text()


async def test_what_is_gone_is_removed_and_nothing_else(filled: Database, tmp_path: Path) -> None:
    """A page that is no more goes, with its folder; a file of somebody else stays."""
    root = tmp_path / "site"
    await _write(filled, root)
    listed = json.loads((root / _MANIFEST).read_text())
    listed["files"] += ["old/page.html", "../outside.html", ".env"]
    (root / _MANIFEST).write_text(json.dumps(listed))
    others = root / ".env", root / "CNAME", tmp_path / "outside.html"
    (root / "old").mkdir()
    for file in (root / "old/page.html", *others):
        file.touch()
    assert (await _write(filled, root)).removed == 1
    assert not (root / "old").exists()
    assert all(file.exists() for file in others)


async def test_a_site_says_nothing_of_people_and_workspaces(
    filled: Database, tmp_path: Path
) -> None:
    """Whoever saved, noted and voted is in no byte of it."""
    reader = Actor("slack", "TWORKSPACE1", "UREADER77", Role.READER)
    app = bot_of(filled)
    for line in ("save dair:2026-01-05#1", "note dair:2026-01-05#1 zebra crossing", "latest"):
        await answered(app, line, reader)
    assert "Sparse Attention" in str(await answered(app, "saved", reader))
    await _write(filled, tmp_path / "site")
    whole = b"".join(file.read_bytes() for file in (tmp_path / "site").rglob("*") if file.is_file())
    for secret in (b"UREADER77", b"TWORKSPACE1", b"zebra"):
        assert secret not in whole


async def test_a_url_names_the_files_on_the_web(filled: Database, tmp_path: Path) -> None:
    """In canonical links, in feeds, and on the page for addresses without a file."""
    root = tmp_path / "site"
    await _write(filled, root, _URL)
    paper = (root / "papers/2601.00003.html").read_text()
    assert f'<link rel="canonical" href="{_URL}/papers/2601.00003.html">' in paper
    assert f'<link rel="canonical" href="{_URL}/">' in (root / "index.html").read_text()
    read = feedparser.parse((root / "feeds/topic/agents.atom").read_bytes())
    links = {each.rel: each.href for each in read.feed.links}
    assert links == {
        "self": f"{_URL}/feeds/topic/agents.atom",
        "alternate": f"{_URL}/topics/agents.html",
    }
    assert read.entries[0].link.startswith(f"{_URL}/papers/")
    nowhere = (root / "404.html").read_text()
    assert all(link.startswith(f"{_URL}/") for link in links_in(nowhere) if link[0] != "#")
    await _write(filled, root)
    assert not (root / "404.html").exists()
    assert _URL not in "".join(file.read_text() for file in root.rglob("*.*") if file.is_file())


async def test_a_folder_of_somebody_else_is_left_alone(filled: Database, tmp_path: Path) -> None:
    """Unless it is forced; then files of other names stay."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/thesis.txt").write_text("x")
    with pytest.raises(UserError, match="broadsheet site did not write them"):
        await _write(filled, tmp_path / "site")
    assert _files(tmp_path / "site") == ["thesis.txt"]
    await _write(filled, tmp_path / "site", force=True)
    assert (tmp_path / "site/thesis.txt").read_text() == "x"


async def test_a_run_that_failed_leaves_whole_files_and_can_be_repeated(
    filled: Database, tmp_path: Path
) -> None:
    """It says which file can't be written; what it wrote is ours in the next run."""
    await _write(filled, tmp_path / "whole")
    root = tmp_path / "site"
    (root / "about.html" / "inside").mkdir(parents=True)
    with pytest.raises(UserError, match=r"about\.html can't be written: "):
        await _write(filled, root, force=True)
    half = {file: (root / file).read_bytes() for file in _files(root) if file != _MANIFEST}
    assert half
    assert all(body == (tmp_path / "whole" / file).read_bytes() for file, body in half.items())
    (root / "about.html" / "inside").rmdir()
    (root / "about.html").rmdir()
    again = await _write(filled, root)
    assert again.unchanged == len(half)
    assert _files(root) == _files(tmp_path / "whole")


async def test_what_is_no_folder_or_in_use_is_said(filled: Database, tmp_path: Path) -> None:
    """A file in its place, or another process that writes to it."""
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="file can't be written: "):
        await _write(filled, tmp_path / "file")
    (tmp_path / "busy").mkdir()
    handle = os.open(tmp_path / "busy", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="Another process writes to"):
            await _write(filled, tmp_path / "busy")
    finally:
        os.close(handle)


async def test_an_empty_store_makes_a_site_too(database: Database, tmp_path: Path) -> None:
    """Its pages say that nothing is there yet, on either database."""
    await _write(database, tmp_path / "site", _URL)
    assert "No week has a consensus yet" in (tmp_path / "site/consensus.html").read_text()
    assert 'href="consensus.html"' in (tmp_path / "site/index.html").read_text()


def _files(root: Path) -> list[str]:
    return sorted(str(each.relative_to(root)) for each in root.rglob("*") if each.is_file())


def _inodes(root: Path) -> dict[str, int]:
    """Return the inode of each file, which is a new one where it was written anew."""
    return {file: (root / file).stat().st_ino for file in _files(root) if file != _MANIFEST}


def _own_links(file: Path) -> Iterator[str]:
    """Yield the links of a page or a feed to other files."""
    text = file.read_text() if file.suffix in {".html", ".atom"} else ""
    links = links_in(text) if file.suffix == ".html" else _feed_links(text)
    for link in links:
        if link and not urlsplit(link).scheme and not link.startswith("#"):
            yield urlsplit(link).path


def _feed_links(text: str) -> list[str]:
    read = feedparser.parse(text, sanitize_html=False, resolve_relative_uris=False)
    inside = (link for each in read.entries for link in links_in(each.content[0].value))
    return [*(each.href for each in read.feed.get("links", ())), *inside] + [
        each.link for each in read.entries
    ]
