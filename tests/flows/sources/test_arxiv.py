"""The installed program asks arXiv about what it posted, and marks what was withdrawn."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from store.records import Link
from tests.fakes.arxiv import atom, paper, query_url, withdrawn
from tests.fakes.web_sites import Answer, serve_site
from tests.flows.posting.chats import both_chats, count_posts, import_week, offset
from tests.flows.posting.slack_bot import WEEK, until
from tests.flows.program import Program
from tests.flows.sources.following import follow

IDS = [f"2601.0000{number}" for number in range(1, 4)]
PAPERS = replace(
    WEEK,
    entries=tuple(
        replace(entry, links=(Link("Paper", f"https://arxiv.org/abs/{arxiv_id}"),))
        for entry, arxiv_id in zip(WEEK.entries, IDS, strict=True)
    ),
)


async def test_a_post_is_marked_where_a_paper_of_it_was_withdrawn(
    tmp_path: Path, sqlite_url: str
) -> None:
    """It was posted before arXiv answered, and is edited where it stands; `show` has the authors.

    ArXiv is asked once about all papers of the edition.
    """
    program, log = Program(tmp_path, sqlite_url), tmp_path / "run.log"
    import_week(program, PAPERS)
    await follow(program)
    async with serve_site() as site, both_chats() as chats:
        answers = asyncio.Event()
        said = atom(withdrawn(IDS[0]), *(paper(each) for each in IDS[1:]))
        site.put(query_url(*IDS, api="/api"), Answer(said.encode(), gate=answers))
        await chats.ordered(sqlite_url)
        asking = {
            "BROADSHEET_SYNC": "on",
            "BROADSHEET_ARXIV_URL": site.url("/api"),
            "BROADSHEET_FETCH_ALLOW": "127.0.0.1",
            "BROADSHEET_CLOCK_OFFSET": offset(-5),
        }
        async with program.serving(log, **{**chats.settings, **asking}):
            await until(lambda: count_posts(chats.slack, chats.discord, "Invented") == (1, 1))
            answers.set()
            marked = "Withdrawn: Invented Paper 1"
            await until(lambda: count_posts(chats.slack, chats.discord, marked) == (1, 1))
        assert count_posts(chats.slack, chats.discord, "Invented") == (1, 1)
        assert len(site.requests) == 1
    shown = await asyncio.to_thread(program, "show", "2601.00002", "--json")
    [entry] = json.loads(shown.out)["entries"]
    assert entry["authors"] == ["Ada North", "Ben van der East"]
    assert not entry["withdrawn"]
