"""Command lines too long for the id of a button: kept in the store, found by their digest."""

from collections.abc import Sequence
from datetime import date

from adapters.discord.render.buttons import digest, kept_digest
from bot.cache import Cache
from bot.clock import Clock
from bot.commands.parser import read_head
from bot.commands.types import Command, Group
from store.database import Database
from store.records import Person
from store.workspaces import command_strings

_MOST_REMEMBERED = 512


class Lines:
    """The lines that ids of buttons stand for.

    Args:
        database: where they are kept.
        clock: tells when.
        commands: what lines call.
    """

    def __init__(self, database: Database, clock: Clock, commands: Sequence[Command]) -> None:
        self._database = database
        self._clock = clock
        self._commands = commands
        self._kept: Cache[str, date] = Cache(_MOST_REMEMBERED)

    async def keep(self, wanted: tuple[str, ...], asker: Person | None = None) -> None:
        """Keep lines, before a button that has one's digest is sent; for longer, once a day.

        Those about the list of an asker may hold words of theirs: they go when the asker does.

        Raises:
            StoreError: as `Database.write`.
        """
        now = self._clock.now()
        if asker is not None:
            own = tuple(line for line in wanted if self._is_own(line))
            wanted = tuple(line for line in wanted if line not in own)
            if own:
                named = {digest(line): line for line in own}
                await self._database.write(command_strings.save_personal, asker, named, now)
        new = {digest(line): line for line in wanted if self._kept.get(line) != now.date()}
        if not new:
            return
        await self._database.write(command_strings.save, new, now)
        for line in new.values():
            self._kept.put(line, now.date())

    async def read(self, line: str) -> str | None:
        """Return what an id holds or stands for, `None` where nobody knows it any more.

        Raises:
            StoreError: as `Database.read`.
        """
        name = kept_digest(line)
        return line if name is None else await self._database.read(command_strings.find, name)

    def _is_own(self, line: str) -> bool:
        command = read_head(line, self._commands).command
        return command is not None and command.group is Group.LIST
