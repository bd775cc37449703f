"""The façade that adapters call: text in, a Reply out, and never an exception."""

import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from bot.accounts.subscriptions import Subscriptions
from bot.accounts.votes import Votes
from bot.accounts.workspaces import Workspaces
from bot.actor import Actor
from bot.clock import Clock, SystemClock
from bot.commands.arguments import canonical_texts, read_arguments
from bot.commands.completion import complete_text
from bot.commands.onboarding import Onboarding
from bot.commands.parser import (
    command_string,
    parse,
    read_head,
    reply_with_option_names,
    require_short,
)
from bot.commands.permissions import is_of_use, lacks_channels, may, needs_joining
from bot.commands.types import BackgroundTasks, Call, Command, Completion, Context, Param
from bot.errors import Option, UserError
from bot.library.content import ContentCache
from bot.plots.plotter import Plots, Plotter
from bot.replies.blocks import Actions, Block, Button, Level, Notice, Reply
from bot.replies.paper_actions import without_votes
from bot.replies.wording import count
from store.database import Database
from store.database.fair_threads import on_behalf_of
from store.errors import StoreError
from store.records import Person, Workspace
from store.text import storable

_log = logging.getLogger(__name__)
# Concurrent requests of one person: as many as one types in a hurry, and no flood.
MOST_UNDER_WAY = 32

_NO_ARGUMENTS: Mapping[str, str] = MappingProxyType({})

Observer = Callable[[str, str | None, str, float], None]
"""Called with the platform, the command (or `None`), `answered` or `failed`, and the seconds."""


class Broadsheet:
    """The bot, independent of the platform.

    `clock` is that of schedules and dates, `system_clock` the one that no setting moves; `zone` is
    the default IANA zone. `notify` tells posting that something may be due, or that posts may show
    something else.
    """

    def __init__(  # noqa: PLR0913 - its parts, each of which tests and adapters replace
        self,
        database: Database,
        clock: Clock,
        commands: Sequence[Command],
        zone: str,
        *,
        notify: Callable[[], None] = lambda: None,
        workspaces: Workspaces | None = None,
        system_clock: Clock | None = None,
        background: BackgroundTasks | None = None,
        dice: Random | None = None,
        observer: Observer | None = None,
        onboarding: Onboarding | None = None,
        plots: Plots | None = None,
    ) -> None:
        self.commands = tuple(commands)
        self.onboarding = onboarding
        self._workspaces = workspaces or Workspaces(database)
        self._background = background or BackgroundTasks()
        self._zone = zone
        self._observer = observer or (lambda *_answer: None)
        self._under_way: Counter[Person] = Counter()
        system_clock = system_clock or SystemClock()
        self._new_context = partial(
            Context,
            database=database,
            content=ContentCache(database),
            workspaces=self._workspaces,
            subscriptions=Subscriptions(database, notify, system_clock),
            votes=Votes(database),
            background=self._background,
            notify=notify,
            clock=clock,
            commands=self.commands,
            dice=dice or Random(),  # noqa: S311 - picks a paper, keeps no secret
            system_clock=system_clock,
            plots=plots or Plotter(),
        )

    async def run_text(self, text: str, actor: Actor, key: str | None = None) -> Reply:
        """Answer typed text; `key` is the platform's id of the request, if it has one."""
        try:
            require_short(len(text))
            call = self._call(storable(text), actor)
        except UserError as error:
            self._observer(actor.platform, None, "failed", 0)
            return self._named(_failure(error), actor)
        return await self.run(call, actor, key)

    async def run(self, call: Call, actor: Actor, key: str | None = None) -> Reply:
        """Answer a call."""
        began = time.perf_counter()
        reply = self._named(await self._answer(call, actor, key), actor)
        seconds = time.perf_counter() - began
        outcome = "failed" if reply.failed else "answered"
        self._observer(actor.platform, call.command.name, outcome, seconds)
        return reply

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the background tasks have ended, or for so many seconds at most."""
        await self._background.wait(seconds)

    async def read_text(self, text: str, actor: Actor) -> tuple[Command, dict[str, Any]]:
        """Return the command and argument values of typed text, or raise `UserError`."""
        call = parse(storable(text), [each for each in self.commands if may(actor, each)])
        async with self._context(actor) as context:
            return call.command, await read_arguments(call, context)

    async def form(self, call: Call, actor: Actor) -> Call:
        """Return the call that the form of its command shows, filled with the present values.

        Raises `UserError` if the actor may not use the command; `StoreError` as `Database.read`.
        """
        _require_permission(actor, call.command)
        command, form = call.command.in_form(actor), call.command.custom_form
        if form is None or form.marker in call.arguments:
            return replace(call, command=command)
        require_short(_length(call.arguments))
        async with self._context(actor, arguments=call.arguments) as context:
            values = await form.values(context)
        return Call(command, {**values, **call.arguments})

    async def complete(self, text: str, actor: Actor) -> list[Completion]:
        """Return completions of typed text, best first; none after an error."""
        found: list[Completion] = []
        with _silent():
            require_short(len(text))
            offered = [each for each in self.commands if is_of_use(actor, each)]
            async with self._context(actor) as context:
                found = await complete_text(storable(text), offered, context)
        return found

    async def options(
        self,
        param: Param,
        beginning: str,
        actor: Actor,
        arguments: Mapping[str, str] = _NO_ARGUMENTS,
    ) -> list[Option]:
        """Return completions of one argument, best first; none after an error.

        `arguments` are the texts of the command's other arguments.
        """
        found: list[Option] = []
        with _silent():
            require_short(len(beginning) + _length(arguments))
            async with self._context(actor, arguments=arguments) as context:
                found = await param.type.complete(storable(beginning), context)
        return found

    async def check(self, param: Param, text: str, actor: Actor) -> UserError | None:
        """Return the error in one argument, `None` if it can be read."""
        try:
            require_short(len(text))
            async with self._context(actor) as context:
                await param.type.read(storable(text), context)
        except UserError as error:
            return error
        return None

    def _call(self, text: str, actor: Actor) -> Call:
        """Parse text as a command, or raise `UserError`.

        A command that the actor may not use is called without arguments and refused when it is run,
        by name: pressing its button is no typing error.
        """
        usable = [each for each in self.commands if may(actor, each) or needs_joining(actor, each)]
        try:
            return parse(text, usable)
        except UserError as error:
            head = read_head(text, self.commands)
            if head.command is None or head.command in usable:
                raise error from None
            return Call(head.command, {})

    async def _answer(self, call: Call, actor: Actor, key: str | None) -> Reply:
        try:
            _require_permission(actor, call.command)
            require_short(_length(call.arguments))
            async with self._context(actor, key) as context:
                return await self._run_handler(call, context)
        except UserError as error:
            return _failure(error)
        except Exception as error:  # noqa: BLE001 - the last resort: no chat shows an unhandled error
            if isinstance(error, StoreError) and error.chat_sentence:
                facts = {"reason": error.sentence, "command": call.command.name}
                _log.warning("command_refused", extra=facts)
                return _failure(UserError(error.chat_sentence, error.chat_remedy))
            reference = secrets.token_hex(2)
            _log.exception("command_failed", extra={"ref": reference, "command": call.command.name})
            return _failure(
                UserError(
                    f"Something went wrong (ref {reference}).",
                    "It has been logged; the operator finds it by that reference.",
                )
            )

    async def _run_handler(self, call: Call, context: Context) -> Reply:
        """Run the handler; its reply is repeated by the command string, or by one of its own."""
        require_short(len(command_string(call.command, call.arguments)))
        values = await read_arguments(call, context)
        arguments = canonical_texts(call, values)
        context = replace(
            context, arguments=arguments, command_string=command_string(call.command, arguments)
        )
        reply = await call.command.handler(context, **values)
        if not (reply.failed or reply.command):
            reply = replace(reply, command=context.command_string)
        if not context.actor.has_voters:
            reply = without_votes(reply)
        return replace(reply, private=call.command.private)

    @asynccontextmanager
    async def _context(
        self, actor: Actor, key: str | None = None, arguments: Mapping[str, str] = _NO_ARGUMENTS
    ) -> AsyncIterator[Context]:
        """Give the context of a request, and share the store's threads fairly between users.

        Raises:
            UserError: if the user has too many requests under way.
        """
        person = actor.person
        if self._under_way[person] >= MOST_UNDER_WAY:
            raise UserError(
                f"You have {count(self._under_way[person], 'request')} under way.",
                "Try again in a moment.",
            )
        self._under_way[person] += 1
        try:
            with on_behalf_of(person):
                settings = await self._workspaces.settings(
                    Workspace(actor.platform, actor.workspace)
                )
                zone = settings.zone or self._zone
                yield self._new_context(actor=actor, zone=zone, key=key, arguments=arguments)
        finally:
            self._under_way[person] -= 1
            if not self._under_way[person]:
                del self._under_way[person]

    def _named(self, reply: Reply, actor: Actor) -> Reply:
        """Return a reply with named options where the platform of the actor has these."""
        return reply_with_option_names(reply, self.commands) if actor.by_name else reply


def _length(arguments: Mapping[str, str]) -> int:
    return sum(map(len, arguments.values()))


@contextmanager
def _silent() -> Iterator[None]:
    """Show no error to a user who is typing."""
    try:
        yield
    except UserError:
        pass
    except Exception:  # noqa: BLE001 - the same as for an answer
        _log.exception("completion_failed")


def _require_permission(actor: Actor, command: Command) -> None:
    if needs_joining(actor, command):
        raise UserError(
            "Broadsheet is not a member here, so it can post nothing here.",
            "In a server or a workspace whoever manages that can add it.",
        )
    if not may(actor, command):
        raise UserError(f"{command.name} is for {command.role.name.lower()}s.", actor.managers)
    if lacks_channels(actor, command):
        what = "workspace" if command.custom_form else "channel"
        raise UserError(
            f"{command.name} is about a {what}, and there is none here.",
            f"Ask in a channel of a chat platform: {command.usage_for(actor)}",
        )


def _failure(error: UserError) -> Reply:
    blocks: list[Block] = [Notice(Level.ERROR, error.sentence, error.remedy)]
    if error.suggestions:
        buttons = (Button(each.label, each.command) for each in error.suggestions)
        blocks.append(Actions(tuple(buttons)))
    return Reply(tuple(blocks), failed=True)
