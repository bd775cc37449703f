"""The installed program, run as a user runs it: another process, in another folder."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.domain.drafts import EditionDraft, ParsedDocument
from tests.bot.ingest.formats.newsletter.printer import print_newsletter
from tests.flows.forked_program import Forked, Forking

BROADSHEET = Path(sys.executable).parent / "broadsheet"
FORKING = Forking()


@dataclass(frozen=True)
class Ran:
    """What a call of the program left: its exit code and what it printed."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """The program in a folder of its own, on a store of its own."""

    folder: Path
    database_url: str
    executable: Path = BROADSHEET

    def __call__(self, *arguments: str, stdin: str = "", **settings: str) -> Ran:
        """Run the program with these arguments and wait for its end."""
        command, variables = [str(self.executable), *arguments], self._environment(settings)
        if self.executable == BROADSHEET and Forking.can(variables):
            process = FORKING.start(command, self.folder, variables)
            out, err = process.communicate(stdin)
            return Ran(process.wait(), out, err)
        finished = subprocess.run(
            command,
            cwd=self.folder,
            env=variables,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Ran(finished.returncode, finished.stdout, finished.stderr)

    def start(
        self, *arguments: str, log: Path | None = None, **settings: str
    ) -> subprocess.Popen[str]:
        """Start the program with these arguments; its standard input stays open.

        What it writes to standard error goes to the file `log`, where one is named.
        """
        with ExitStack() as stack:
            return subprocess.Popen(
                [self.executable, *arguments],
                cwd=self.folder,
                env=self._environment(settings),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stack.enter_context(log.open("w")) if log else None,
                encoding="utf-8",
            )

    def fork(
        self,
        *arguments: str,
        log: Path | None = None,
        module: str | None = None,
        **settings: str,
    ) -> Forked:
        """Do as `start` does, in a process forked from one that has loaded the program.

        A `module` of the tests is run in place of the program, where one is named.
        """
        command, variables = [str(self.executable), *arguments], self._environment(settings)
        with ExitStack() as stack:
            stderr = stack.enter_context(log.open("w")).fileno() if log else 2
            return FORKING.start(command, self.folder, variables, stderr=stderr, module=module)

    @asynccontextmanager
    async def serving(
        self, log: Path, module: str | None = None, **settings: str
    ) -> AsyncIterator[None]:
        """Run the bot, or such a module, until the block ends; it ends well when told to."""
        async with ends_well(self.fork("run", log=log, module=module, **settings)):
            yield

    def _environment(self, settings: dict[str, str]) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME"}}
        own = {
            "BROADSHEET_DATABASE_URL": self.database_url,
            "BROADSHEET_WEB_PORT": "0",  # several run at once
            "BROADSHEET_SYNC": "off",  # no test asks the internet for anything
            "COLUMNS": "80",
        }
        return {**kept, **own, **settings}


@asynccontextmanager
async def ends_well(running: subprocess.Popen[str] | Forked) -> AsyncIterator[None]:
    """Tell a bot to end when the block does, and see that it ends well."""
    try:
        yield
        running.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(running.wait, 15) == 0
    finally:
        running.kill()
        running.communicate()


def write_week(folder: Path, week: EditionDraft, source: str = "dair") -> Path:
    """Write a week's newsletter into a folder, and return its path."""
    path = folder / f"{source}.txt"
    document = ParsedDocument(week.kind, source, "Top AI Papers", (week,))
    path.write_text(print_newsletter(document))
    return path
