"""The installed program takes in weeks of daily papers, whole, though they come in pages."""

import asyncio
import json
from datetime import date
from pathlib import Path
from typing import Any

from tests.bot.ingest.formats.hf_daily.test_hf_daily import answer
from tests.bot.posting.delivery.setup import DUE
from tests.bot.sources.test_daily_papers import papers
from tests.fakes.web_sites import Answer, Site, serve_site
from tests.flows.posting.chats import offset
from tests.flows.program import Program

ALLOWED = {"BROADSHEET_FETCH_ALLOW": "127.0.0.1"}


def _put(site: Site, week: str, *pages: str) -> None:
    """Put the pages of a week."""
    for number, page in enumerate(pages):
        path = f"/api/daily_papers?week={week}&p={number}&limit=100"
        site.put(path, Answer(page.encode(), headers={"Content-Type": "application/json"}))


async def test_a_week_is_imported_by_its_name(tmp_path: Path) -> None:
    """All its pages are one edition; a page alone, which is not all of a week, is refused."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    async with serve_site() as site:
        _put(site, "2026-W10", answer(*papers(120)[:100]), answer(*papers(120)[100:]), "[]")

        async def imported(query: str) -> dict[str, Any]:
            url = site.url(f"/api/daily_papers?{query}")
            done = await asyncio.to_thread(program, "import", "--json", url, **ALLOWED)
            [document] = json.loads(done.out)["documents"]
            return dict(document)

        whole = await imported("week=2026-W10")
        part = await imported("date=2026-03-02")
    [edition] = whole["editions"]
    assert (whole["kind"], edition["entries"]["new"]) == ("hf-daily", 120)
    assert "names no week" in part["error"]


async def test_weeks_are_followed(tmp_path: Path) -> None:
    """What became of one stands beside what is wrong with the other; then both are well."""
    program = Program(tmp_path, f"sqlite:///{tmp_path / 'store.db'}")
    before, at_hand = date(2026, 1, 6), DUE.date()
    async with serve_site() as site:
        _put(site, "2026-W02", answer(*papers(3, before)), "[]")
        _put(site, "2026-W03", '{"papers": []}')

        async def ran(*words: str) -> tuple[int, str]:
            settings = {**ALLOWED, "BROADSHEET_CLOCK_OFFSET": offset(0)}
            done = await asyncio.to_thread(program, *words, **settings)
            return done.code, done.out + done.err

        url = site.url("/api/daily_papers")
        await ran("sources", "add", "listed", url, "--kind", "hf-daily")
        code, said = await ran("sync", "listed")
        assert (code, "1 edition new; failing since" in said) == (1, True)
        assert "is no list of papers" in said
        broken = [*papers(2, at_hand), {"paper": {}}]
        _put(site, "2026-W03", answer(*broken), "[]")
        code, said = await ran("sync", "listed")
        assert (code, "1 edition new; 1 remark, the first: element 3: " in said) == (0, True)
