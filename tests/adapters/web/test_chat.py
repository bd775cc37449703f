"""The chat in a page: asked over HTTP, with its form as a browser sends it."""

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from typing import Self, get_args

import pytest
from aiohttp import ClientSession
from hypothesis import given
from markupsafe import Markup
from selectolax.lexbor import LexborHTMLParser

from adapters.web.chat import (
    Chat,
    ChatRenderer,
    Conversations,
    Exchange,
    is_asked_here,
    is_open,
    is_own_form,
)
from bot.app import Broadsheet
from bot.replies.blocks import (
    Actions,
    Block,
    Chart,
    File,
    PaperLine,
    PaperTable,
    Reply,
)
from store.database import Database
from tests.adapters.web.served import served
from tests.any_replies import REPLIES, TURNING, squeezed, texts
from tests.bot.conftest import bot_of
from tests.bot.member_channels import manager, rooms


class _Address(str):  # noqa: SLOT000 - it holds the bot
    """The URL of a chat, with the bot behind it."""

    app: Broadsheet

    def __new__(cls, url: str, app: Broadsheet) -> Self:
        """Keep both."""
        made = super().__new__(cls, url)
        made.app = app
        return made


@dataclass
class _Page:
    """A page of the chat as it was opened last, and what a browser sends from it."""

    session: ClientSession
    url: _Address
    html: LexborHTMLParser

    @property
    def reader(self) -> str:
        return self.html.css("input[name=reader]")[0].attributes["value"] or ""

    @property
    def answer(self) -> str:
        return " ".join(self.html.css(".exchange")[0].text().split())

    async def asks(self, line: str, field: str = "line") -> str:
        """Send a line, and return the answer on the page that comes."""
        headers = {"Origin": self.url, "Sec-Fetch-Site": "same-origin"}
        form = {"reader": self.reader, field: line}
        async with self.session.post(f"{self.url}/chat", data=form, headers=headers) as answer:
            assert answer.status == 200
            self.html = LexborHTMLParser(await answer.text())
        await self.url.app.wait()  # until the list is noted
        return self.answer

    async def presses(self, label: str) -> str:
        """Press a button of the newest answer by its label."""
        buttons = self.html.css("section.exchange button")
        found = {
            (b.attributes["value"], b.attributes["name"]) for b in buttons if b.text() == label
        }
        [(command, field)] = found
        return await self.asks(command or "", field or "")


@asynccontextmanager
async def _chat(filled: Database, host: str = "127.0.0.1") -> AsyncIterator[_Address]:
    app = bot_of(filled)
    async with served(Chat(app).routes, host) as url:
        yield _Address(url, app)


async def _open(session: ClientSession, url: _Address) -> _Page:
    async with session.get(f"{url}/chat") as answer:
        assert answer.status == 200
        return _Page(session, url, LexborHTMLParser(await answer.text()))


async def _status(
    url: str, method: str = "POST", data: Mapping[str, str] | bytes | None = None, **headers: str
) -> int:
    async with ClientSession() as session:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        asked = session.request(method, f"{url}/chat", data=data or {"line": "help"}, headers=named)
        async with asked as answer:
            assert "Set-Cookie" not in answer.headers
            return answer.status


async def test_a_reader_speaks_of_the_list_on_the_page(filled: Database) -> None:
    """Plain words, a number, a button, what was asked before: as at the prompt."""
    async with _chat(filled) as url, ClientSession() as session:
        page = await _open(session, url)
        assert "Read as: search sparse" in await page.asks("anything on sparse")
        await page.asks("2")
        assert page.html.css("h3")[0].text() == "Sparse Attention"
        assert "On your list" in await page.presses("Save")
        assert [each.text() for each in page.html.css("summary")] == ["2", "anything on sparse"]
        offered = [each.attributes["value"] for each in page.html.css("option")]
        assert offered[1:3] == ["2", "anything on sparse"]
        assert "search attention" in offered
        assert "subscribe" not in offered


async def test_what_a_reader_keeps_is_of_their_page_alone(filled: Database) -> None:
    """Two pages are two readers; `forget` takes what was asked too."""
    async with _chat(filled) as url, ClientSession() as session:
        mine, theirs = await _open(session, url), await _open(session, url)
        assert mine.reader != theirs.reader
        await mine.asks("search sparse")
        assert "Sparse Attention" in await mine.asks("save 2")
        assert "1 paper" in await mine.asks("saved")
        assert "Nothing is on your list yet." in await theirs.asks("saved")
        assert "A Survey of Agents" in await theirs.asks("save 2")  # of the newest edition
        await mine.asks("forget")
        assert "deleted" in await mine.presses("Delete all of it")
        assert mine.html.css("details.exchange") == []
        assert "Nothing is on your list yet." in await mine.asks("saved")


async def test_a_reader_is_no_manager_and_no_operator(filled: Database) -> None:
    """What is about a channel needs one, and `status` tells of no workspace."""
    await bot_of(filled).run_text("subscribe", manager(rooms()))
    async with _chat(filled) as url, ClientSession() as session:
        page = await _open(session, url)
        assert "Type there: /papers subscribe monday" in await page.asks("subscribe monday")
        assert "Type there: /papers subscribe" in await page.asks("remind me every friday at 5pm")
        assert "No channel gets posts yet." in await page.asks("status")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1"])
async def test_a_form_from_elsewhere_asks_nothing(filled: Database, host: str) -> None:
    """A foreign page, a rebound name and a frame are refused; `curl` on this machine is not."""
    if host == "::1" and not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    async with _chat(filled, host) as url:
        assert await _status(url) == 200
        assert await _status(url, Origin=url) == 200
        assert await _status(url, Origin="https://evil.example") == 403
        assert await _status(url, Origin="null") == 403
        assert await _status(url, Sec_Fetch_Site="cross-site") == 403
        for method in ("GET", "POST"):
            assert await _status(url, method, Host="evil.example") == 403
        # What a page of the name's owner would send.
        evil = "http://evil.example"
        assert await _status(url, Host="evil.example", Origin=evil) == 403


async def test_a_form_that_is_not_the_chat_s_is_refused(filled: Database) -> None:
    """Too large, of another kind or with many fields; an id of another shape is not taken."""
    async with _chat(filled) as url, ClientSession() as session:
        assert await _status(url, data={"line": "x" * 20_000}) == 413
        assert await _status(url, data={str(n): "x" for n in range(20)}) == 400
        assert await _status(url, data=b"{}", Content_Type="application/json") == 415
        for reader in ("operator", "a" * 23, "../../etc/passwd_12345", "<script>"):
            form = {"reader": reader, "line": "x" * 1500}
            async with session.post(f"{url}/chat", data=form) as answer:
                page = _Page(session, url, LexborHTMLParser(await answer.text()))
            assert page.reader != reader
            assert len(page.reader) == 22
            assert "1,500 characters long" in page.answer


async def test_a_line_stays_a_line(filled: Database) -> None:
    """What was typed is text in the heading, the title, the completions and below *Earlier*."""
    async with _chat(filled) as url, ClientSession() as session:
        page = await _open(session, url)
        for line in ('"><script>x</script>\u202e', "latest"):
            await page.asks(line)
            assert page.html.css("script") == []
        assert page.html.css("summary")[0].text() == '"><script>x</script>'


async def test_the_page_is_safe_to_show(filled: Database) -> None:
    """No script, no cookie, no other site's frame; its own form keeps its `Origin`."""
    async with (
        _chat(filled) as url,
        ClientSession() as session,
        session.get(f"{url}/chat") as answer,
    ):
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'")
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Set-Cookie" not in answer.headers
        assert "<script" not in await answer.text()


_CHAT = ChatRenderer()
_TAGS = {
    "a", "b", "blockquote", "body", "button", "dd", "details", "div", "dl", "dt", "h3", "head",
    "html", "li", "p", "pre", "span", "summary", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {
    "aria-label", "class", "data-column", "form", "href", "name", "scope", "tabindex", "value"
}  # fmt: skip
# What is in a button's command or read aloud is not shown, nor what only another platform shows.
_UNSEEN = frozenset({"arxiv_id", "command", "ref", "url", "previous", "next", "name"})


def _drawn(reply: Reply) -> LexborHTMLParser:
    return LexborHTMLParser(str(_CHAT.answer(reply)))


@given(REPLIES)
def test_any_answer_is_drawn_whole_and_as_text(reply: Reply) -> None:
    """No word is lost, no tag or attribute is there but the templates' own, no sign turns text."""
    page = _drawn(reply)
    assert page.body is not None
    nodes = page.css("*")
    assert {node.tag for node in nodes} <= _TAGS
    assert {name for node in nodes for name in node.attributes} <= _ATTRIBUTES
    links = [node.attributes["href"] or "" for node in page.css("a")]
    assert all(each.startswith(("http://", "https://", "trends", "./")) for each in links)
    html = str(_CHAT.answer(reply))
    assert not any(sign in html for sign in TURNING)
    told = squeezed(page.body.text())
    assert [each for each in texts(reply, _UNSEEN) if squeezed(each) not in told] == []


@given(REPLIES)
def test_every_button_posts_its_command(reply: Reply) -> None:
    """Each button of an answer is one of the page, in order."""
    posted = [node.attributes["value"] or "" for node in _drawn(reply).css("button")]
    buttons = [
        b.command for block in reply.blocks if isinstance(block, Actions) for b in block.buttons
    ]
    left = iter(squeezed(each) for each in posted)
    assert all(squeezed(each) in left for each in buttons)


def test_every_kind_of_block_has_a_form() -> None:
    """A new kind of block needs a macro; a table of papers is drawn as their list."""
    template = files("adapters.web.pages").joinpath("templates", "blocks.html").read_text()
    kinds = [each.__name__ for each in get_args(Block)]
    assert [each for each in kinds if f"{{% macro {each}(" not in template] == []
    paper = PaperLine("1", "Sparse Attention", "Attends.", "dair:2026-01-05#1")
    page = _drawn(Reply((PaperTable((paper,), columns=("Share",), cells=(("5%",),)),)))
    assert [node.text() for node in page.css(".title")] == ["1 Sparse Attention"]
    assert page.css("button")[0].attributes["value"] == "show dair:2026-01-05#1"


def test_a_text_file_is_shown_and_a_picture_is_told() -> None:
    """The picture's words stand beside a link to the page that draws it, unless they are said."""
    text = File("saved.csv", "text/csv", b"a,b\n<1>,2", "Two columns")
    picture = File("trends.png", "image/png", b"\x89PNG", "Agents rise")
    page = _drawn(Reply((text, picture)))
    assert page.css("pre")[0].text() == "a,b\n<1>,2"
    assert page.css("p")[0].text() == "Agents rise Trends as lines"
    assert page.css("p a")[0].attributes["href"] == "trends"


def test_a_picture_of_lines_is_drawn() -> None:
    """A picture whose numbers are known is lines with their keys, the words read aloud."""
    gap = ("<rag>", (5.0, None, None, None, None, None, None, 10.0))
    weeks = tuple(f"Jan {day}" for day in range(1, 9))
    chart = Chart("Share", "Percent", weeks, (("agents", (0.0,) * 7 + (20.0,)), gap))
    page = _drawn(Reply((File("trends.png", "image/png", b"\x89PNG", "They rise", chart),)))
    [drawing] = page.css("svg.trends")
    assert (drawing.attributes["role"], drawing.attributes["aria-label"]) == ("img", "They rise")
    assert [each.text(strip=True) for each in page.css("ul.keys li")] == ["agents", "<rag>"]
    [line] = page.css("svg svg polyline")
    assert (line.attributes["points"] or "").split()[::7] == ["0.0,100.0", "100.0,0.0"]
    assert len(page.css("path.dot")) == 2
    assert page.css("img, script, style, [style]") == []


async def test_trends_has_its_picture(filled: Database) -> None:
    """The answer is drawn in the page itself, in its own words."""
    async with _chat(filled) as url, ClientSession() as session:
        page = await _open(session, url)
        await page.asks("trends agents")
        assert len(page.html.css("section.exchange svg.trends")) == 1


def test_old_exchanges_make_room() -> None:
    """Twenty are kept, fewer if they are long, of the last readers, for half a day."""
    at = [0.0]
    kept = Conversations(lambda: at[0])
    for number in range(30):
        kept.add("ann", Exchange(str(number), Markup("short")))
    assert [each.line for each in kept.of("ann")] == [str(n) for n in range(29, 9, -1)]
    kept.add("ann", Exchange("long", Markup("x").join([""] * 300_000)))
    assert [each.line for each in kept.of("ann")] == ["long"]
    for number in range(64):
        kept.add(f"reader {number}", Exchange("hi", Markup("")))
    assert kept.of("ann") == ()
    at[0] = 13 * 3600
    assert kept.of("reader 63") == ()


@pytest.mark.parametrize(
    ("bind_address", "public_url", "opens"),
    [
        ("127.0.0.1", None, True), ("127.8.0.1", "", True), ("::1", None, True),
        ("LocalHost", None, True),
        ("0.0.0.0", None, False), ("::", None, False), ("192.168.1.5", None, False),  # noqa: S104 - no binding
        ("papers.example", None, False), ("127.0.0.1", "https://papers.example", False),
    ],
)  # fmt: skip
def test_only_a_server_that_nobody_else_reaches_has_the_chat(
    bind_address: str, public_url: str | None, *, opens: bool
) -> None:
    """On every other address, or under a public URL, there is none."""
    assert is_open(bind_address, public_url) is opens


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("localhost", True), ("LOCALHOST:8080", True), ("127.0.0.1:8080", True),
        ("127.1.2.3", True),
        ("[::1]:8080", True), ("[::1]", True),
        ("rebound.example:8080", False), ("localhost.example", False), ("127.0.0.1.example", False),
        ("evil@localhost", False), ("localhost:8080:1", False), ("[::2]", False), ("::1", False),
        ("192.168.1.5", False), ("0.0.0.0", False), ("", False),  # noqa: S104 - no binding
    ],
)  # fmt: skip
def test_a_name_of_elsewhere_is_no_name_of_this_machine(host: str, *, is_here: bool) -> None:
    """A name that a stranger has point here is told by the Host header."""
    assert is_asked_here({"Host": host} if host else {}) is is_here


@pytest.mark.parametrize(
    ("headers", "is_own"),
    [
        ({}, True),
        ({"Origin": "http://localhost:8080"}, True),
        ({"Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://localhost:8081"}, False),
        ({"Origin": "http://127.0.0.1:8080"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "http://localhost:8080", "Sec-Fetch-Site": "cross-site"}, False),
    ],
)
def test_a_form_of_another_site_is_told(headers: dict[str, str], *, is_own: bool) -> None:
    """By either header; a program that sends neither is no browser."""
    assert is_own_form({"Host": "localhost:8080", **headers}) is is_own
