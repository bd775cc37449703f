"""A line in the search field of the pages is read as chat reads it."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from aiohttp import ClientSession
from sqlalchemy import Engine, event

from adapters.web.asked_line import without_line
from bot.app import MOST_UNDER_WAY
from bot.replies.blocks import Reply, Text, Title
from store.database import Database
from tests.adapters.web.pages.serving import Answered, asked, pages_of


def _address(line: str, more: str = "") -> str:
    return f"/search?q={quote_plus(line)}{more}"


def _shown(answer: Answered) -> str:
    [main] = answer.page.css("main")
    return " ".join(main.text().split())


@pytest.mark.parametrize(
    ("line", "page"),
    [
        ("what's new this week?", "./"),
        ("WHAT’S TRENDING", "trends"),
        ("plot agents vs reasoning over time", "trends?topic=agents,reasoning"),
        ("what topics are there?", "topics"),
        ("newest papers on agents", "topics/agents"),
        ("papers from last week", "weeks/2026-W46"),
        ("which sources do you follow", "about"),
        ("tell me about routing experts", "papers/2601.00003"),
        ("show dair:2026-01-05#1", "papers/dair/2026-01-05/1"),
        ("https://arxiv.org/abs/2601.00003", "papers/2601.00003"),
    ],
)
async def test_a_line_that_a_page_answers_leads_there(
    filled: Database, line: str, page: str
) -> None:
    """The page is that of the command that chat reads; it is there for now, not for good."""
    [answer] = await asked(filled, _address(line))
    assert (answer.status, answer.headers.get("Location")) == (302, page)
    [found] = await asked(filled, f"/{page.removeprefix('./')}")
    assert found.status in {200, 404}  # a week without an edition offers those beside it


async def test_a_topic_without_papers_is_searched_for(filled: Database) -> None:
    """It has no page to lead to; a week without an edition has one with those beside it."""
    topic, week = await asked(filled, *map(_address, ("papers on robotics, newest", "last week")))
    assert (topic.status, "No paper matches" in _shown(topic)) == (200, True)
    assert week.status == 302


async def test_a_request_in_words_fills_the_fields(filled: Database) -> None:
    """Filters in words are fields, the command stands above, and the next page keeps them."""
    [answer] = await asked(filled, _address("anything on sparse since jan 5 2026"))
    inputs = [each.attributes for each in answer.page.css("main input")]
    fields = {each["name"]: each.get("value") for each in inputs}
    assert (fields["q"], fields["since"]) == ("sparse", "2026-01-05")
    assert "Read as: search sparse since:2026-01-05" in _shown(answer)
    assert "Sparse Attention" in _shown(answer)
    assert "Sparse Rewards" not in _shown(answer)


@pytest.mark.parametrize(
    "line", ["sparse", "Sparse  Attention", "zzzzzz", "survey -agents", "hello", "more", "x" * 1500]
)
async def test_plain_words_are_searched_for_as_they_are(filled: Database, line: str) -> None:
    """A line that asks for nothing else is a search, the same as with its page's number."""
    line_alone, with_number = await asked(filled, _address(line), _address(line, "&page=1"))
    assert _shown(line_alone) == _shown(with_number)
    assert "Read as" not in line_alone.text


async def test_an_answer_is_shown_without_what_a_person_alone_can_do(filled: Database) -> None:
    """It has its command, buttons that lead on by the field, and a way to search instead."""
    async with pages_of(filled) as url, ClientSession(url) as session:
        async with session.get("/search", params={"q": "top january 2026 from:dair"}) as answer:
            page = Answered(answer.status, answer.content_type, answer.headers, await answer.text())
        assert "Read as: top 2026-01 from:dair" in _shown(page)
        buttons = {each.text(): each.attributes for each in page.page.css("main section button")}
        assert "Details" in buttons
        assert {"Save", "Vote"}.isdisjoint(buttons)
        details = buttons["Details"]
        assert (details["name"], details["form"]) == ("q", "press")
        [form] = page.page.css("form#press")
        assert form.attributes == {"id": "press", "action": "search"}
        async with session.get("/search", params={"q": details["value"] or ""}) as paper:
            assert paper.url.path.startswith("/papers/")
        [instead] = [each for each in page.page.css("main a") if "instead" in each.text()]
        async with session.get(f"/{instead.attributes['href']}") as plain:
            assert "Read as" not in await plain.text()


@pytest.mark.parametrize("line", ["save 2", "surprise me", "post this to #ml every monday"])
async def test_what_chat_alone_answers_is_said(filled: Database, tmp_path: Path, line: str) -> None:
    """What is a person's, a channel's or chance's is for chat; words are found, nothing changes."""
    before = _stored(tmp_path)
    [answer] = await asked(filled, _address(line))
    assert answer.status == 200
    assert "That is for a chat with Broadsheet" in _shown(answer)
    assert _stored(tmp_path) == before


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("brief 10", "top"),
        ("catch me up in 10 minutes", "top"),
        ("what did I miss?", "top"),
        ("RECAP OF JANUARY 2026", "top since:2026-01-01 until:2026-01-31"),
        ("brief agents since:2026", "top topic:agents since:2026-01-01"),
        ("what have I missed from dair since december 2025?", "top from:dair since:2025-12-01"),
    ],
)
async def test_a_brief_for_nobody_is_the_best_of_its_time(
    filled: Database, tmp_path: Path, line: str, ran: str
) -> None:
    """It says so, is the same for everybody, leaves nothing behind, and has papers."""
    before = _stored(tmp_path)
    first, again = await asked(filled, *[_address(line)] * 2)
    assert f"Read as: {ran}" in _shown(first)
    assert "these are the best of that time" in _shown(first)
    assert first.page.css("main section.exchange ol li, main section.exchange li")
    assert (first.text, _stored(tmp_path)) == (again.text, before)


async def test_a_brief_of_a_time_without_papers_leads_to_others(filled: Database) -> None:
    """The nearest months stand there, as pages have them."""
    [answer] = await asked(filled, _address("recap of march 2024"))
    assert "The nearest months with papers are below" in _shown(answer)
    values = [each.attributes["value"] for each in answer.page.css("main section button")]
    assert values == ["top 2025-12"]


@pytest.mark.parametrize(
    "line",
    [
        "what's trending?",
        "brief 5",
        "anything on sparse since 2026",
        "top 2026",
        "how does it work?",
    ],
)
async def test_a_line_is_read_once_a_version_of_the_content(filled: Database, line: str) -> None:
    """The next who asks gets what was made, for one look at the version."""
    statements, counts = [], []

    def hear(*execution: object) -> None:
        statements.append(execution[2])

    event.listen(Engine, "before_cursor_execute", hear)
    async with pages_of(filled) as url, ClientSession(url) as session:
        for _ in range(2):
            statements.clear()
            async with session.get(_address(line), allow_redirects=False) as answer:
                await answer.read()
            counts.append(len(statements))
    event.remove(Engine, "before_cursor_execute", hear)
    first, again = counts
    assert first > again
    assert again <= 1


async def test_what_a_flood_is_refused_others_get(filled: Database) -> None:
    """A refusal of too many at once is kept for nobody, and neither is what stands in for it."""
    lines = [f"best papers of {year}" for year in range(1990, 1990 + 2 * MOST_UNDER_WAY)]
    async with pages_of(filled) as url, ClientSession(url) as session:

        async def said(line: str) -> str:
            async with session.get(_address(line)) as answer:
                return await answer.text()

        await asyncio.gather(*map(said, lines))
        later = [await said(line) for line in lines]
    async with pages_of(filled) as url, ClientSession(url) as session:
        assert [await said(line) for line in lines] == later


@pytest.mark.parametrize(
    "line", ["pause tokens in training", "settings of networks", "club convexity", "save memory"]
)
async def test_words_that_only_begin_like_a_command_are_searched_for(
    filled: Database, line: str
) -> None:
    """They are no arguments of it, so nothing is said of chat."""
    [answer] = await asked(filled, _address(line))
    assert "chat with Broadsheet" not in _shown(answer)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("anything on sparse by Yoshua Bengio", "No authors are stored yet"),
        ("most cited papers on agents", "this is what the sources rank best"),
    ],
)
async def test_what_could_not_be_used_is_said_first(filled: Database, line: str, told: str) -> None:
    """Nothing of a line is dropped without a word."""
    [answer] = await asked(filled, _address(line))
    assert told in answer.page.css("main .note")[0].text()


async def test_a_question_is_answered_below_it(filled: Database) -> None:
    """It is a heading, and the command that it was read as does not repeat it."""
    line = "how does attention save memory?"
    [answer] = await asked(filled, _address(line))
    [head] = answer.page.css("main h2")
    assert head.text() == line
    assert _shown(answer).count(line) == 1
    assert "Read as: ask …" in _shown(answer)


@pytest.mark.parametrize("line", ["show 1", "how does sparse attention save memory?", "related 1"])
async def test_a_reader_of_pages_leaves_nothing_behind(
    filled: Database, tmp_path: Path, line: str
) -> None:
    """No paper is noted as seen, and no list as shown."""
    before = _stored(tmp_path)
    await asked(filled, _address(line), _address(line, "&page=1"))
    assert _stored(tmp_path) == before


def _stored(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "filled.db")) as connection:
        return [*connection.iterdump()]


async def test_programs_search_for_the_words(filled: Database) -> None:
    """JSON is a search whatever the line: a program says what it wants by fields."""
    [answer] = await asked(filled, _address("what's new this week"), accept="application/json")
    assert (answer.status, answer.json["query"]) == (200, "what's new this week")
    assert json.loads(answer.text)["hits"] == []


@pytest.mark.parametrize(
    ("line", "title", "read_as"),
    [
        ("How does  sparse\u2019s attention work?", "How does sparse's attention work?", None),
        ("ask why?", "why?", None),
        ("why is it so?", "why is it so", "Read as: ask why is it so"),
    ],
)
def test_a_question_is_said_once(line: str, title: str, read_as: str | None) -> None:
    """The line stands above its answer, which repeats it neither as a title nor as a command."""
    below = without_line(Reply((Title(title), Text(title)), read_as=read_as), line)
    assert below.blocks == (Text(title),)
    assert below.read_as == ("Read as: ask …" if read_as else None)
    other = Reply((Title("Topics"),), read_as="Read as: topic")
    assert without_line(other, "which subjects are there") == other
