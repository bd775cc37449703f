"""Command strings too long for a button's id: stored, and found by their digest."""

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

_MAX_CACHED = 512


class CommandStrings:
    """The stored command strings of buttons.

    Args:
        database: the store.
        clock: the bot's clock.
        commands: the commands in command strings.
    """

    def __init__(self, database: Database, clock: Clock, commands: Sequence[Command]) -> None:
        self._database = database
        self._clock = clock
        self._commands = commands
        self._saved_on: Cache[str, date] = Cache(_MAX_CACHED)

    async def save(self, strings: tuple[str, ...], person: Person | None = None) -> None:
        """Store command strings before a button with their digest is sent, once a day.

        Those of list commands may hold a person's own words and are deleted with the person.

        Raises:
            StoreError: as `Database.write`.
        """
        now = self._clock.now()
        if person is not None:
            personal = tuple(each for each in strings if self._is_personal(each))
            strings = tuple(each for each in strings if each not in personal)
            if personal:
                by_digest = {digest(each): each for each in personal}
                await self._database.write(command_strings.save_personal, person, by_digest, now)
        new = {digest(each): each for each in strings if self._saved_on.get(each) != now.date()}
        if not new:
            return
        await self._database.write(command_strings.save, new, now)
        for each in new.values():
            self._saved_on.put(each, now.date())

    async def resolve(self, text: str) -> str | None:
        """Return the command string in an id, or of its digest; `None` if that is unknown.

        Raises:
            StoreError: as `Database.read`.
        """
        name = kept_digest(text)
        return text if name is None else await self._database.read(command_strings.find, name)

    def _is_personal(self, command: str) -> bool:
        found = read_head(command, self._commands).command
        return found is not None and found.group is Group.LIST
