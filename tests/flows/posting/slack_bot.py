"""A bot in a channel of the fake Slack, with posts owed, and what is to be seen of it."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from subprocess import Popen
from time import monotonic
from typing import Any

from aiohttp import ClientError, ClientSession

from store.database import Database
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import add_subscription
from store.records import Channel, Workspace
from tests.adapters.slack.connected_bot import variables_for
from tests.bot.ingest.drafts import edition, entry
from tests.bot.posting.delivery.setup import DUE, ORDER
from tests.fakes.slack import FakeSlack
from tests.flows.forked_program import Forked
from tests.flows.program import Program, write_week

WEEK = edition(
    *(entry(rank, f"Invented Paper {rank}", f"It does thing {rank}.") for rank in range(1, 4)),
    title="The Top AI Papers of the Week (January 5-11)",
)
HURRIED = "tests.flows.posting.hurried_bot"
PATIENCE = 60.0


@dataclass
class Life:
    """The installed program, a fake Slack, and the processes that were started.

    `settings` are what connects the one to the other, `started` what runs or ran, `due_at`
    when by `monotonic` posts are due for the last of them.
    """

    program: Program
    slack: FakeSlack
    settings: dict[str, str]
    started: list[Forked] = field(default_factory=list)
    due_at: float = 0.0

    @property
    def folder(self) -> Path:
        """Where logs are."""
        return self.program.folder

    def run(self, name: str, due_in: float = -5, module: str | None = None, **more: str) -> Forked:
        """Start a bot whose posts are due in so many seconds: the program, or a module of tests."""
        offset = (DUE - timedelta(seconds=due_in) - datetime.now(UTC)).total_seconds()
        settings = {**self.settings, "BROADSHEET_CLOCK_OFFSET": str(offset), **more}
        log = self.folder / f"{name}.log"
        process = self.program.fork("run", log=log, module=module, **settings)
        self.started.append(process)
        self.due_at = monotonic() + due_in
        return process

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of a bot's log that are complete."""
        text = (self.folder / f"{name}.log").read_text()
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def posts(self) -> int:
        """Return how many posts stand, in all channels."""
        return len([each for each in self.slack.seen("U2") if "Paper 1" in each.text])

    async def deliveries(self) -> list[str]:
        """Return the state of each delivery."""
        return await deliveries(self.program)

    async def until_deliveries(self, *states: str) -> None:
        """Wait until these are the states of all deliveries."""

        async def they_are() -> bool:
            return await self.deliveries() == [*states]

        await until(they_are)

    async def connected(self) -> None:
        """Wait until a bot hears of Slack."""
        await self.slack.settled(lambda: self.slack.sockets.open, seconds=PATIENCE)

    async def sending(self) -> None:
        """Wait until a post is on its way to Slack."""
        before = len(self.slack.calls("chat.postMessage"))
        await self.slack.settled(
            lambda: len(self.slack.calls("chat.postMessage")) > before, seconds=PATIENCE
        )

    async def due(self) -> None:
        """Wait until posts are due for the bot that was started last, and a bit longer."""
        await asyncio.sleep(max(self.due_at - monotonic(), 0) + 1)

    async def ordered(self, orders: int = 1, source: str = "dair") -> None:
        """Have so many weekly posts of a source in the channel ordered, as the store says it."""
        channel = Channel(Workspace("slack", "T1"), "C1")
        async with Database(self.program.database_url) as store:
            for number in range(orders):
                order = replace(ORDER, channel=channel, size=number + 1, sources=(source,))
                await store.write(add_subscription, order)

    async def asked(self, line: str) -> str:
        """Return what a command is answered."""
        answer = await self.slack.ask(line)
        return answer.text

    async def healthy(self, name: str) -> tuple[int, dict[str, Any]]:
        """Return what `/healthz` says; 0 where nobody answers."""
        try:
            async with ClientSession(self._url(name)) as session, session.get("/healthz") as said:
                return said.status, await said.json()
        except ClientError:
            return 0, {}

    async def lives(self, name: str) -> bool:
        """Tell whether `/livez` answers."""
        async with ClientSession(self._url(name)) as session, session.get("/livez") as said:
            return said.status == 200

    def _url(self, name: str) -> str:
        [url] = [each["url"] for each in self.events(name) if each["event"] == "web_listening"]
        return str(url)


@asynccontextmanager
async def life(folder: Path, database_url: str) -> AsyncIterator[Life]:
    """Give a store with one week's edition, and kill what still runs in the end."""
    program = Program(folder, database_url)
    ran = await asyncio.to_thread(program, "import", write_week(folder, WEEK).name)
    assert ran.code == 0, ran.err
    async with FakeSlack() as slack:
        settings = {**variables_for(slack), "BROADSHEET_TICK_SECONDS": "0.2"}
        living = Life(program, slack, settings)
        try:
            yield living
        finally:
            for process in living.started:
                process.kill()
                process.communicate()


async def deliveries(program: Program) -> list[str]:
    """Return the state of each delivery in a program's store."""
    async with Database(program.database_url) as store:
        return [each.state.value for each in await store.read(list_deliveries)]


async def until(holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait until something holds, and return what it is; it may be awaited."""
    async with asyncio.timeout(seconds):
        while True:
            found = await asyncio.to_thread(holds)
            if inspect.isawaitable(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.1)


async def ended(process: Popen[str] | Forked, seconds: float = 15) -> int:
    """Wait for a process to end, and return its exit code."""
    return await asyncio.to_thread(process.wait, seconds)
