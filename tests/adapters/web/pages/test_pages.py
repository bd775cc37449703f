"""Pages: each is reached by links, says what the store says, and stays where it was."""

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from aiohttp import ClientSession
from selectolax.lexbor import LexborHTMLParser

from adapters.web.pages.finder import all_paths
from adapters.web.pages.page import Library
from bot.domain.long_lists import A_PAGE
from bot.export.json_shapes import editions_json, hits_json
from bot.library.search import find_hits, parse_query
from store.database import Database, Session
from store.library import editions
from tests.adapters.web.pages.serving import asked, crawl, pages_of
from tests.bot.conftest import EARLIER, WEEK
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in

_JSON = "application/json"
_TODAY = date(2026, 11, 21)
_HOSTILE = '<script>alert(1)</script> "><img src=x onerror=y> {{ 7 * 7 }} \u202eevil'


async def test_every_page_is_reached_by_links_from_the_first(filled: Database) -> None:
    """A crawl finds every path that there is, and no link leads nowhere."""
    await filled.write(take_in, WEEK, "other")  # a second source makes a consensus
    async with pages_of(filled) as url, ClientSession() as session:
        found = await crawl(session, url)
    paths = await filled.read(lambda s: list(all_paths(Library(s, _TODAY))))
    assert len(paths) == len(set(paths)) > 30
    assert set(paths) <= set(found)


async def test_an_edition_and_a_paper_say_all_that_is_stored(filled: Database) -> None:
    """Titles, summaries, places, links and citations stand there."""
    answers = await asked(filled, "/editions/dair/2026-01-05", "/papers/2601.00003")
    whole, paper = (_text(each.text) for each in answers)
    for each in WEEK.entries:
        assert each.title in whole
        assert (each.summary or "") in whole
    for words in (
        "#3 in dair, Jan 5–11, 2026",
        "#1 in dair",
        "@misc{",
        "TY  - ",
        "arXiv 2601.00003",
    ):
        assert words in paper


async def test_no_two_papers_of_a_page_or_feed_bear_one_title(filled: Database) -> None:
    """What two of an edition are called alike is completed by their texts, as in chat."""
    alike = [
        entry(rank, "How Kites Fly", f"Strings of {material}.")
        for rank, material in enumerate(("silk", "hemp"), start=1)
    ]
    await filled.write(take_in, edition(*alike, first_day=MONDAY + timedelta(weeks=1)), "dair")
    for answer in await asked(
        filled, "/", "/editions/dair/2026-01-12", "/weeks/2026-W03", "/feed.atom"
    ):
        for material in ("silk", "hemp"):
            assert answer.text.count(f"How Kites Fly: Strings of {material}") == 1


async def test_a_title_is_its_own_over_all_pages_of_an_edition(filled: Database) -> None:
    """Two far apart are told apart where each is shown."""
    papers = [entry(rank, f"Number {rank}", "Some words.") for rank in range(1, A_PAGE + 2)]
    for each in (0, -1):
        papers[each] = replace(papers[each], title="How Kites Fly", summary=f"By string {each}.")
    await filled.write(take_in, edition(*papers, first_day=MONDAY + timedelta(weeks=1)), "dair")
    first, second = await asked(filled, "/editions/dair/2026-01-12", "/editions/dair/2026-01-12/2")
    assert "How Kites Fly: By string 0<" in first.text
    assert "How Kites Fly: By string -1<" in second.text


async def test_old_addresses_of_a_paper_lead_to_its_present_one(filled: Database) -> None:
    """A ref of any edition is a permanent redirect once the paper has an arXiv id."""
    async with pages_of(filled) as url, ClientSession(url) as session:
        for path in (
            "/papers/dair/2026-01-05/3",
            "/papers/dair/2025-12-29/1",
            "/papers/2601.00003v2",
        ):
            async with session.get(path) as answer:
                assert (answer.status, answer.url.path) == (200, "/papers/2601.00003")
                assert [each.status for each in answer.history] == [301]
        async with session.get("/papers/paperdive/E31") as answer:
            assert (answer.status, answer.history) == (200, ())


@pytest.mark.parametrize(
    "path",
    [
        "/nothing", "/editions/dair/2026-13-01", "/editions/../dair", "/weeks/2026-W99",
        "/topics/no-topic", "/topics/agents/99", "/papers/x", "/papers/9999.99999", "/top/2026-13",
        "//evil.example/", "/editions//evil.example/", "/weeks/%2e%2e/%2e%2e/etc/passwd",
        "/style.css/..%2f..%2fapp.py", "/papers/" + "9" * 5000,
    ],
)  # fmt: skip
async def test_what_is_nowhere_is_said_to_be_nowhere(filled: Database, path: str) -> None:
    """A day of no calendar and a path out of the pages get a page that says so."""
    [answer] = await asked(filled, path)
    assert answer.status == 404
    assert "No such page" in answer.text


async def test_a_week_without_an_edition_offers_those_beside_it(filled: Database) -> None:
    """The last week before it and the first one after it are linked, and it is not found."""
    later = edition(entry(1, "Far Away"), first_day=MONDAY + timedelta(weeks=9))
    await filled.write(take_in, later, "dair")
    cases = {
        "2026-W05": ("2026-W02", "2026-W11"),
        "0001-W01": (None, "2025-W52"),
        "9999-W51": ("2026-W11", None),
    }
    for week, beside in cases.items():
        [answer] = await asked(filled, f"/weeks/{week}")
        assert (answer.status, "No edition" in _text(answer.text)) == (404, True)
        links = answer.page.css("nav.steps a")
        steps = [each.text(strip=True).strip("←→ ") for each in links]
        assert steps == [each for each in beside if each]
        paths = [f"/weeks/{link.attributes['href']}" for link in links]
        assert {each.status for each in await asked(filled, *paths)} == {200}
        [told] = await asked(filled, f"/weeks/{week}", accept=_JSON)
        before, after = (f"/weeks/{each}" if each else None for each in beside)
        assert told.status == 404
        assert told.json == {"editions": [], "before": before, "after": after}


async def test_a_week_without_a_consensus_offers_those_beside_it(filled: Database) -> None:
    """A consensus leads to the nearest ones, as a week does."""
    await filled.write(take_in, WEEK, "other")  # a second source makes a consensus
    [answer] = await asked(filled, "/consensus/2026-W05")
    assert answer.status == 404
    assert [each.text(strip=True) for each in answer.page.css("nav.steps a")] == ["← 2026-W02"]


async def test_an_empty_store_has_no_week_to_offer(database: Database) -> None:
    """The page of any week says so, and links to none."""
    [answer] = await asked(database, "/weeks/2026-W05")
    assert answer.status == 404
    assert "No edition" in _text(answer.text)
    assert answer.page.css("nav.steps a") == []


async def test_a_slash_at_the_end_leads_to_the_page(filled: Database) -> None:
    """It is one address, and the redirect is relative: it leads to no other server."""
    [answer] = await asked(filled, "/weeks/")
    assert (answer.status, answer.headers["Location"]) == (301, "../weeks")


async def test_programs_get_the_facts_as_json(filled: Database) -> None:
    """Editions, weeks, papers and searches answer `Accept: application/json` as the CLI does."""
    paths = ("/editions/dair/2026-01-05", "/weeks/2026-W02", "/papers/2601.00003",
             "/search?q=routing", "/search?q=x&since=someday")  # fmt: skip
    answers = await asked(filled, *paths, accept=_JSON)
    assert {each.content_type for each in answers} == {_JSON}
    edition, week, paper, found, refused = (each.json for each in answers)
    [stored] = await filled.read(editions.of_week, "2026-W02", "dair")
    assert edition == week == json.loads(json.dumps(editions_json([stored], entries=True)))
    refs = [each["ref"] for each in paper["entries"]]
    assert refs == ["dair:2026-01-05#3", "dair:2025-12-29#1"]
    assert {each["arxiv_id"] for each in found["hits"]} == {"2601.00003"}
    assert (answers[-1].status, "someday" in refused["error"]) == (400, True)


async def test_a_search_for_nothing_is_json_too(filled: Database) -> None:
    """A program gets no form, whatever it searched for."""
    paths = [f"/search{query}" for query in ("", "?q=", "?q=%22", "?q=-sparse", "?q=%00")]
    for answer in await asked(filled, *paths, accept=_JSON):
        assert (answer.status, answer.json["hits"]) == (200, [])


async def test_a_page_that_is_nowhere_is_json_too(filled: Database) -> None:
    """A program reads that there is none, and a person sees it."""
    paths = ("/weeks/2026-W54", "/weeks/soon", "/editions/x/1", "/nowhere")
    told = {"error": "No such page.", "remedy": "The pages lead on from /."}
    for answer in await asked(filled, *paths, accept=_JSON):
        assert (answer.status, answer.content_type, answer.json) == (404, _JSON, told)
    for answer in await asked(filled, *paths):
        assert (answer.status, answer.content_type) == (404, "text/html")


async def test_a_week_written_otherwise_leads_to_its_page(filled: Database) -> None:
    """Small letters, a number without its zero and a day in it mean the week."""
    names = ("2026-w02", "2026-W2", "2026W02", "2026-01-07")
    for answer in await asked(filled, *(f"/weeks/{name}" for name in names)):
        assert (answer.status, answer.headers["Location"]) == (301, "../weeks/2026-W02")


async def test_a_search_as_json_has_a_hit_for_each_entry(filled: Database) -> None:
    """Hits and their order are those of `search --json`; the page lists a paper once."""
    stored = await filled.read(find_hits, parse_query("routing"), _TODAY, 20)
    [answer] = await asked(filled, "/search?q=routing", accept=_JSON)
    [page] = await asked(filled, "/search?q=routing")
    found = answer.json
    assert found == json.loads(json.dumps(hits_json("routing", None, stored.hits)))
    refs = [each["ref"] for each in found["hits"]]
    assert sorted(refs) == ["dair:2025-12-29#1", "dair:2026-01-05#3"]
    assert len(page.page.css("ol.papers h3")) == 1


async def test_a_search_takes_the_filters_of_chat(filled: Database) -> None:
    """Words and filters find what they find there; a filter that can't be read is explained."""
    early, named, refused, none = await asked(
        filled,
        "/search?q=sparse&source=dair&until=2026-01-04",
        "/search?topic=Agents&source=DAIR",
        "/search?q=sparse&topic=nonsense",
        "/search?q=zzzzzz",
    )
    assert [each.text(strip=True) for each in early.page.css("ol.papers h3")] == ["Sparse Rewards"]
    chosen = [each.attributes["value"] for each in named.page.css("option[selected]")]
    assert chosen == ["agents", "dair"]
    assert (refused.status, "nonsense" in _text(refused.text)) == (400, True)
    assert "No paper matches" in none.text


async def test_a_page_without_papers_offers_what_chat_does(filled: Database) -> None:
    """Each other search finds papers; an alert and arXiv's page of an id stand beside."""
    dated, filtered, spelled, at_arxiv = await asked(
        filled,
        "/search?q=routing&since=2027",
        "/search?q=exploration&source=paperdive",
        "/search?q=zebra",
        "/search?q=2401.99999",
    )
    links = {
        each.text(): each.attributes["href"] or ""
        for one in (dated, filtered)
        for each in one.page.css("main ul a")
    }
    assert list(links) == ["Last one before: Jan 2026", "routing", "exploration"]
    for found in await asked(filled, *(f"/{each}" for each in links.values())):
        assert "No paper" not in found.text
    assert "alert zebra" in spelled.text
    assert "https://arxiv.org/abs/2401.99999" in at_arxiv.text


async def test_trends_are_of_the_topics_that_are_named(filled: Database) -> None:
    """By slug or by another name, by commas; what is no topic is left out."""
    [answer] = await asked(filled, "/trends?topic=agents,Retrieval,nonsense,agents")
    named = [each.text(strip=True) for each in answer.page.css("tbody th")]
    assert named == ["agents", "retrieval"]


async def test_a_page_of_hostile_text_is_a_page_of_text(filled: Database) -> None:
    """Whatever a source says stays words: no tag, no attribute, no address of a script."""
    bad = replace(
        entry(1, _HOSTILE, _HOSTILE, highlights=[_HOSTILE], links=["javascript:alert(1)"]),
        heading=_HOSTILE,
    )
    draft = replace(
        edition(bad, first_day=MONDAY + timedelta(days=7), title=_HOSTILE),
        overview=_HOSTILE,
        url="javascript:alert(1)",
    )
    await filled.write(take_in, draft, "dair")
    async with pages_of(filled) as url, ClientSession() as session:
        found = await crawl(session, url)
        async with session.get(f"{url}/search", params={"q": _HOSTILE}) as answer:
            found["search"] = await answer.text()
    for path, body in found.items():
        page = LexborHTMLParser(body)
        assert not page.css("script, [onerror], img[src=x], [style]"), path
        assert not page.css("a[href^=javascript]"), path
        assert "49" not in _text(body) or "{{ 7 * 7 }}" in _text(body)


async def test_a_page_without_anything_stored_says_what_to_do(database: Database) -> None:
    """An empty store has pages too, on either database."""
    async with pages_of(database) as url, ClientSession() as session:
        found = await crawl(session, url)
    assert "broadsheet import FILE" in found["/"]
    assert {"/weeks", "/topics", "/top", "/trends", "/consensus", "/about"} <= set(found)


async def test_a_renumbered_paper_keeps_its_address(filled: Database) -> None:
    """A paper without an id stands at the ref of its first mention, whichever came later."""

    def path(session: Session) -> list[str]:
        library = Library(session, date(2026, 11, 21))
        found = editions.of_week(session, "2026-W01", "dair")
        return [library.paths([each])[each.paper] for each in found[0].entries if each.paper]

    before = await filled.read(path)
    again = edition(
        entry(4, "Sparse Rewards", "About exploration."), first_day=MONDAY + timedelta(days=14)
    )
    await filled.write(take_in, again, "dair")
    assert await filled.read(path) == before
    assert before[1] == "/papers/dair/2025-12-29/2"
    assert EARLIER.entries[1].title == "Sparse Rewards"


def _text(body: str) -> str:
    return LexborHTMLParser(body).body.text()  # type: ignore[union-attr] # a page has a body


async def test_weeks_that_lie_ahead_stand_behind_the_others(filled: Database) -> None:
    """What older programs stored of years to come begins no page and no feed."""
    wrong = edition(entry(1, "Far Away"), first_day=date(2062, 1, 2))
    for source in ("dair", "other"):
        await filled.write(take_in, wrong, source)
    without = ("/", "/about", "/trends", "/editions/dair/2026-01-05")
    behind = ("/top", "/weeks", "/editions/dair", "/feed.atom", "/feed.atom?source=dair")
    answers = await asked(filled, *without, *behind, "/weeks/2062-W01")
    assert {answer.status for answer in answers} == {200}
    assert not any("2062" in answer.text for answer in answers[: len(without)])
    for answer in answers[len(without) : -1]:
        assert 0 <= answer.text.find("2026") < answer.text.find("2062")
    assert "Far Away" in answers[-1].text
