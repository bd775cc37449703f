"""The OAuth installation and each of its failures."""

import asyncio
import logging
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from aiohttp import web
from pydantic import SecretStr
from sqlalchemy import text

from adapters.common.tasks import Tasks
from adapters.slack.api.client import Api, open_session
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.scopes import BOT_SCOPES
from adapters.slack.api.thread_titles import ThreadTitles
from adapters.slack.api.tokens import Authorization, StoredTokens
from adapters.slack.installs.installs import send_welcome, welcome
from adapters.slack.installs.oauth import InstallFlow, install_routes
from adapters.slack.installs.oauth_stores import InstallationStore, StateStore
from adapters.slack.installs.pages import failure_page, success_page
from adapters.slack.settings import Install
from adapters.web.server import WebServer
from bot.commands.handlers import COMMANDS
from bot.operations.metrics import Metrics
from bot.replies.blocks import Actions, Text, Title
from store.database import Database, Session
from store.database.encryption import SecretBox
from store.records import Installation
from tests.adapters.common.services import services_over
from tests.adapters.web.strangers import BAD_STATUSES, NAMES, TEXTS, VALUES, request_for, status_of
from tests.fakes.slack import Drop, FakeSlack, Page, Refuse, ServerError

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)

# The SDK sends the app's secret by a class that aiohttp means to drop one day.


@dataclass
class Installable:
    """A bot that can be installed, on a port of its own; `now` is moved by hand."""

    slack: FakeSlack
    database: Database
    client_secret: str
    now: datetime = NOW
    url: str = ""
    installed: list[tuple[Installation, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        box = SecretBox(["a key"])
        self.workspaces = StoredTokens(self.database, self.slack.client_id, box)
        self.installations = InstallationStore(
            self.database, self.slack.client_id, box, self.workspaces, lambda: self.now
        )
        self.own_states = self.states(self.slack.client_id)

    def states(self, client_id: str, key: str = "a key") -> StateStore:
        """Return what signs the states of an app by a key."""
        return StateStore(self.database, client_id, SecretBox([key]), lambda: self.now)

    async def come_back(self, state: str) -> tuple[int, str]:
        """Bring what Slack granted with a state that the browser keeps; return the page."""
        code = self.slack.grant("T1", "U1", "commands", "https://bot.example/slack/oauth_redirect")
        asked = f"{self.url}/slack/oauth_redirect?code={code}&state={quote(state)}"
        cookie = {"Cookie": f"slack-app-oauth-state={state}"}
        async with self.slack.client.get(asked, headers=cookie) as page:
            return page.status, await page.text()

    async def token(self, team: str, enterprise: str | None = None) -> str | None:
        """Return the token of a workspace."""
        found = await self.workspaces.find(enterprise, team)
        return found.bot_token if found else None

    def routes(self, api: Api) -> list[web.RouteDef]:
        """Return the pages."""
        install = Install(
            client_id=self.slack.client_id,
            client_secret=SecretStr(self.client_secret),
            secret_keys=(SecretStr("a key"),),
            redirect_url="https://bot.example/slack/oauth_redirect",
        )
        flow = InstallFlow(
            install,
            f"{self.slack.url}/oauth/v2/authorize",
            api.retrying_client,
            installations=self.installations,
            states=self.own_states,
            on_installed=lambda kept, is_new: self.installed.append((kept, is_new)),
        )
        return install_routes(flow)


@asynccontextmanager
async def _installable(
    template: Path, folder: Path, client_secret: str | None = None
) -> AsyncIterator[Installable]:
    path = folder / "store.db"
    shutil.copy(template, path)
    async with FakeSlack() as slack, Database(f"sqlite:///{path}") as database:
        bot = Installable(slack, database, client_secret or slack.client_secret)
        async with open_session() as session:
            server = WebServer("127.0.0.1", 0, bot.routes(Api(slack.api_url, session, Metrics())))
            await server.start()
            bot.url = server.url
            try:
                yield bot
            finally:
                await server.stop()


def _words(page: Page) -> str:
    """Return the text of a page."""
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page.text).split())


async def test_two_workspaces_install_and_are_told_apart(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """Each workspace gets its own token and a page with first commands."""
    async with _installable(sqlite_template, tmp_path) as bot:
        bot.slack.add_team("T2", bot_token="xoxb-2", bot_user="UBOT2", bot_id="B2")  # noqa: S106 - opens nothing
        pages = [await bot.slack.install(bot.url, team) for team in ("T1", "T2", "T1")]
        assert [page.status for page in pages] == [200, 200, 200]
        assert [(kept.key.team_id, new) for kept, new in bot.installed] == [
            ("T1", True), ("T2", True), ("T1", False),
        ]  # fmt: skip
        kept = bot.installed[1][0]
        assert (kept.bot_id, kept.bot_user_id, kept.installer) == ("B2", "UBOT2", "U1")
        assert (kept.installed_at, set(kept.bot_scopes)) == (NOW, set(BOT_SCOPES))
        tokens = [await bot.token(team) for team in ("T1", "T2", "T3")]
        assert tokens == [bot.slack.teams["T1"].bot_token, "xoxb-2", None]
        said = _words(pages[1])
        assert "Broadsheet is installed in Team T2" in said
        for first in ("/papers", "/papers search", "/invite @Broadsheet"):
            assert first in said
        assert "slack://app?team=T2&amp;id=" in pages[1].text


async def test_an_organisation_installs_for_its_workspaces(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """An organisation's installation serves a workspace of it, and no other's."""
    async with _installable(sqlite_template, tmp_path) as bot:
        bot.slack.add_team("T5", bot_token="xoxb-5", enterprise="E1", org_wide=True)  # noqa: S106 - opens nothing
        page = await bot.slack.install(bot.url, "T5")
        assert (page.status, "organisation has it now" in page.text) == (200, True)
        assert await bot.token("T6", "E1") == "xoxb-5"
        assert await bot.token("T6", "E2") is None


async def test_consent_is_asked_for_as_slack_documents(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """The way begins with a redirect, a cookie, our scopes, and nothing a link could add."""
    async with _installable(sqlite_template, tmp_path) as bot:
        asked = f"{bot.url}/slack/install?team=T1%26scope%3Dadmin"
        async with bot.slack.client.get(asked, allow_redirects=False) as first:
            query = parse_qs(urlsplit(first.headers["Location"]).query, keep_blank_values=True)
            cookie = first.cookies["slack-app-oauth-state"]
        assert (first.status, cookie["httponly"], cookie["secure"]) == (302, True, True)
        assert cookie["samesite"] == "Lax"
        assert (cookie.value, cookie["max-age"]) == (query.pop("state")[0], "600")
        assert query == {
            "client_id": [bot.slack.client_id],
            "scope": [",".join(BOT_SCOPES)],
            "user_scope": [""],
            "redirect_uri": ["https://bot.example/slack/oauth_redirect"],
            "team": ["T1&scope=admin"],
        }
        async with bot.slack.client.head(asked) as looked:
            assert looked.status == 405


async def test_consent_to_an_agent_is_asked_for_at_an_address_of_its_own(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """There the scope of agents is asked for too, and nothing that stands in the address."""
    async with _installable(sqlite_template, tmp_path) as bot:
        for query, more in (
            ("?agent=1", ["assistant:write"]),
            ("?agent=admin", []),
            ("?agent=1&agent=admin", []),
        ):
            asked = f"{bot.url}/slack/install{query}"
            async with bot.slack.client.get(asked, allow_redirects=False) as first:
                asked_for = parse_qs(urlsplit(first.headers["Location"]).query)
            assert asked_for["scope"] == [",".join([*BOT_SCOPES, *more])]


async def test_a_lost_way_ends_on_a_page_that_says_why(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """Each failure shows a page with a link to start again, and nothing is stored."""
    ways: tuple[tuple[dict[str, Any], int, str], ...] = (
        ({"cookie": False}, 400, "This browser did not begin the installation"),
        ({"state": "made-up"}, 400, "This browser did not begin the installation"),
        ({"code": "code-made-up"}, 400, "Slack did not confirm it."),
        ({"error": "access_denied"}, 200, "You cancelled, and nothing has changed"),
        ({"error": "invalid_scope"}, 400, "for the reason invalid_scope ."),
        ({"error": "<b>Send money</b>"}, 400, "for the reason unknown ."),
    )
    async with _installable(sqlite_template, tmp_path) as bot:
        for wrong, status, said in ways:
            page = await bot.slack.install(bot.url, **wrong)
            assert page.status == status
            assert said in _words(page)
            assert '<a href="/slack/install">Start again</a>' in page.text
            assert "money" not in page.text
        assert (bot.installed, await bot.token("T1")) == ([], None)


async def test_a_state_is_good_once_and_for_ten_minutes(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """Slack's answer that comes again, too late or with a state of others installs nothing."""
    async with _installable(sqlite_template, tmp_path) as bot:
        used = (await bot.slack.install(bot.url)).state
        late = await bot.own_states.async_issue()
        bot.now += timedelta(minutes=10)
        begun = await bot.own_states.async_issue()
        refused = {
            "used": used,
            "used, in another spelling": f"{used[:9]}!{used[9:]}",
            "late": late,
            "forged": f"{begun[:30]}{'B' if begun[30] == 'A' else 'A'}{begun[31:]}",
            "of another key": await bot.states(bot.slack.client_id, "another").async_issue(),
            "of another app": await bot.states("33.44").async_issue(),
            "a token": SecretBox(["a key"]).encrypt("xoxb-1").rstrip("="),
            "a word": "word",
            "no ASCII": "é",
        }
        for name, state in refused.items():
            status, text = await bot.come_back(state)
            assert (name, status) == (name, 400)
            assert "begun more than ten minutes ago" in text
        assert len(bot.installed) == 1
        assert len(bot.slack.calls("oauth.v2.access")) == 1
        assert (await bot.come_back(begun))[0] == 200


async def test_a_state_that_comes_twice_at_once_installs_once(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """One of several installations granted at the same moment is stored."""
    async with _installable(sqlite_template, tmp_path) as bot:
        state = await bot.own_states.async_issue()
        pages = await asyncio.gather(*(bot.come_back(state) for _ in range(4)))
        assert sorted(status for status, _ in pages) == [200, 400, 400, 400]
        assert len(bot.installed) == 1


async def test_to_begin_an_installation_stores_nothing(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """Starting installations, or ending them without Slack, writes no row."""

    def rows(session: Session) -> dict[str, int]:
        names = session.connection().scalars(
            text("SELECT name FROM sqlite_master WHERE type='table'")
        )
        return {
            name: session.connection().scalar(text(f'SELECT count(*) FROM "{name}"')) or 0  # noqa: S608 - a table's name
            for name in names.all()
        }

    async with _installable(sqlite_template, tmp_path) as bot:
        before = await bot.database.read(rows)
        for _ in range(30):
            async with bot.slack.client.get(
                f"{bot.url}/slack/install", allow_redirects=False
            ) as begun:
                assert begun.status == 302
        for wrong in ({"code": "code-made-up"}, {"error": "access_denied"}, {"cookie": False}):
            await bot.slack.install(bot.url, **wrong)
        assert await bot.database.read(rows) == before


async def test_malformed_requests_break_no_page(
    sqlite_template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A body, a charset or a query that can't be read is a page, and few lines tell of many."""
    async with _installable(sqlite_template, tmp_path) as bot:
        caplog.clear()
        kind = {"Content-Type": "text/plain; charset=none"}
        for path, status in (("install", 302), ("oauth_redirect?state=%ff&state=%00&code=", 400)):
            for _ in range(15):
                async with bot.slack.client.get(
                    f"{bot.url}/slack/{path}", data=b"\xff", headers=kind, allow_redirects=False
                ) as page:
                    assert page.status == status
        assert len([each for each in caplog.records if each.name.startswith("adapters")]) == 10


async def test_a_wrong_client_secret_is_told_apart_in_the_log(
    sqlite_template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The page asks for the operator, who finds Slack's reason, and no secret, in the log."""
    async with _installable(sqlite_template, tmp_path, "not-the-secret") as bot:
        page = await bot.slack.install(bot.url)
        assert (page.status, "in its log" in _words(page)) == (400, True)
        assert "bad_client_secret" in caplog.text
        assert "not-the-secret" not in caplog.text
        assert page.code not in caplog.text


async def test_slack_in_trouble_ends_on_a_page(sqlite_template: Path, tmp_path: Path) -> None:
    """A lost connection or a failing Slack is no stack trace; a code is never sent twice."""
    faults = ((Drop(), 502), (ServerError(503), 400), (Refuse("ratelimited"), 400))
    async with _installable(sqlite_template, tmp_path) as bot:
        for number, (fault, status) in enumerate(faults, start=1):
            bot.slack.fail("oauth.v2.access", fault)
            page = await bot.slack.install(bot.url)
            assert page.status == status
            assert "Broadsheet was not installed" in page.text
            assert len(bot.slack.calls("oauth.v2.access")) == number
        assert (bot.installed, await bot.token("T1")) == ([], None)


@pytest.mark.parametrize("table", ["installation", "request_claim"])
async def test_a_failing_store_ends_on_a_page(
    sqlite_template: Path, tmp_path: Path, table: str
) -> None:
    """A failing store shows a page that says so."""

    def drop(session: Session) -> None:
        session.connection().execute(text(f"DROP TABLE {table}"))

    async with _installable(sqlite_template, tmp_path) as bot:
        state = await bot.own_states.async_issue()
        await bot.database.write(drop)
        status, said = await bot.come_back(state)
        assert (status, "could not write down" in said) == (500, True)
        assert bot.installed == []


async def test_no_token_is_logged(
    sqlite_template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """No log shows a token, secret or code."""
    caplog.set_level(logging.DEBUG)
    async with _installable(sqlite_template, tmp_path) as bot:
        page = await bot.slack.install(bot.url)
        assert (page.status, await bot.token("T1")) == (200, "xoxb-1")
        assert "slack_installed" in caplog.text
        for secret in ("xoxb-1", bot.slack.client_secret, page.code):
            assert secret not in caplog.text


def test_foreign_text_is_shown_as_text() -> None:
    """A workspace's name or a reason from a link can't become part of a page."""
    named = success_page('A"1', "T'1", "<script>", is_org=False).html
    assert "<script>" not in named
    assert "&lt;script&gt;" in named
    assert "slack://app?team=T%271&amp;id=A%221" in named
    assert "<script>" not in failure_page("<script>", "/slack/install").html


def test_the_welcome_of_a_workspace_has_three_lines() -> None:
    """They name real commands and what a private channel needs; buttons type real commands."""
    title, *texts, actions = welcome(COMMANDS).blocks
    assert isinstance(title, Title)
    assert isinstance(actions, Actions)
    lines = [each.text for each in texts if isinstance(each, Text)]
    assert len(lines) == len(texts) == 3
    for line, typed in zip(
        lines, ("/papers search mixture of experts", "/papers subscribe", "/papers help"),
        strict=True,
    ):  # fmt: skip
        assert typed in line
    assert "A private one needs /invite @Broadsheet first." in lines[1]
    names = {command.name for command in COMMANDS}
    assert {button.command.split()[0] for button in actions.buttons} <= names


async def test_the_welcome_reaches_the_installer(sqlite_template: Path, tmp_path: Path) -> None:
    """It comes as a direct message; where Slack refuses, that is all that happens."""
    async with _installable(sqlite_template, tmp_path) as bot, open_session() as session:
        services = services_over(bot.database)
        limited = RateLimitedApi(Api(bot.slack.api_url, session, Metrics()), services.rate_limiter)
        titles = ThreadTitles(limited, Tasks())
        own = Authorization(bot.slack.teams["T1"].bot_token, "B1", "UBOT1", "T1", None)
        assert await send_welcome(limited, titles, own, "U1", COMMANDS)
        [message] = bot.slack.seen("U1", "D1")
        assert message.buttons == ["Newest edition", "Try a search", "All commands"]
        assert "/papers latest" in message.text
        bot.slack.fail("chat.postMessage", Refuse("messages_tab_disabled"))
        assert not await send_welcome(limited, titles, own, "U1", COMMANDS)
        assert bot.slack.calls("agents.sessions.rename") == []


async def test_the_welcome_to_an_agent_is_a_titled_thread(
    sqlite_template: Path, tmp_path: Path
) -> None:
    """Whoever installs an agent finds the welcome by its title among the threads."""
    async with _installable(sqlite_template, tmp_path) as bot, open_session() as session:
        bot.slack.become_agent()
        services, tasks = services_over(bot.database), Tasks()
        limited = RateLimitedApi(Api(bot.slack.api_url, session, Metrics()), services.rate_limiter)
        token = bot.slack.teams["T1"].bot_token
        own = Authorization(token, "B1", "UBOT1", "T1", None, is_agent=True)
        assert await send_welcome(limited, ThreadTitles(limited, tasks), own, "U1", COMMANDS)
        await tasks.finish(5)
        [message] = bot.slack.seen("U1", "D1")
        assert bot.slack.title_of(message) == "Welcome to Broadsheet"


async def test_no_header_and_no_value_of_a_query_is_an_error(
    sqlite_template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever bytes a stranger sends to the install pages, no error is unhandled."""
    places = ("/slack/install", "/slack/oauth_redirect")
    fields = ("?state=a&code=", "?code=a&state=", "?error=", "?team=", "?")
    requests = [
        *(request_for(p, (name, value)) for p in places for name in NAMES for value in VALUES),
        *(
            request_for(p + f + quote(text, safe="%"))
            for p in places
            for f in fields
            for text in TEXTS
        ),
    ]
    async with _installable(sqlite_template, tmp_path) as bot:
        statuses = {await status_of(bot.url, each) for each in requests}
    assert not statuses & BAD_STATUSES
    assert [record for record in caplog.records if record.exc_info] == []
