"""The façade that adapters call: text in, a Reply out, and never an exception."""

import logging
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any

from bot.accounts import Subscriptions, Votes, Workspaces
from bot.actor import Actor
from bot.clock import Clock, SystemClock
from bot.commands.completion import complete_text
from bot.commands.finishing import Finish, finished
from bot.commands.interpretation import (
    Meaning,
    aside_reply,
    asks_first,
    changes,
    choice_reply,
    confirmation_reply,
    elsewhere_reply,
    error_reply,
    facts_of,
    first_meaning,
    in_this_place,
    is_elsewhere,
    meant_otherwise,
    named_command,
    names_listed,
    no_page_reply,
    read_as,
    said_first,
    unused_filter,
)
from bot.commands.onboarding import Onboarding
from bot.commands.params.arguments import ReadCall, read_arguments, read_call
from bot.commands.params.filters import with_period
from bot.commands.params.weeks import which_week
from bot.commands.parser import (
    LONGEST_COMMAND_STRING,
    fields_as_meant,
    parse,
    read_head,
    require_short,
)
from bot.commands.permissions import is_of_use, may, require_permission
from bot.commands.plain_words.not_offered import NotOffered
from bot.commands.plain_words.reader import Courtesy, Reading, Turn, read
from bot.commands.refused_alerts import RefusedAlerts
from bot.commands.seen_list import find_page, note_answer, with_read_marks
from bot.commands.typed_lines import value_as_meant, with_own_words
from bot.commands.types import (
    PRESSED,
    TYPED,
    BackgroundTasks,
    Call,
    Command,
    Completion,
    Context,
    LineOrigin,
    Param,
)
from bot.domain.typed_text import as_meant
from bot.errors import Choice, Option, UserError
from bot.library.content import ContentCache
from bot.plots.plotter import Plots, Plotter
from bot.replies.blocks import Reply
from bot.replies.paper_parts import with_part_alone
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

_Work = Callable[[Context], Awaitable[Reply]]

Observer = Callable[[str, str | None, str, float], None]
"""Called with the platform, the command (or `None`), `answered` or `failed`, and the seconds."""


class Broadsheet:
    """The bot, independent of the platform.

    `clock` is that of schedules and dates, `system_clock` the one that no setting moves; `zone` is
    the default IANA zone, `public_url` where the web pages are reachable, if they are. `notify`
    tells posting that something may be due, or that posts may show something else. What is kept for
    some seconds ages by `seconds`, a clock that only goes forward.
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
        public_url: str | None = None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.commands = tuple(commands)
        self.onboarding = onboarding
        self.plots = plots or Plotter()
        self._workspaces = workspaces or Workspaces(database, seconds)
        self._background = background or BackgroundTasks()
        self._zone = zone
        self._public_url = public_url
        self._observer = observer or (lambda *_answer: None)
        self._refused = RefusedAlerts(database, seconds)
        self._under_way: Counter[Person] = Counter()
        system_clock = system_clock or SystemClock()
        self._new_context = partial(
            Context,
            database=database,
            content=ContentCache(database, seconds),
            workspaces=self._workspaces,
            subscriptions=Subscriptions(database, notify, system_clock),
            votes=Votes(database, seconds),
            background=self._background,
            notify=notify,
            clock=clock,
            commands=self.commands,
            dice=dice or Random(),  # noqa: S311 - picks a paper, keeps no secret
            system_clock=system_clock,
            plots=self.plots,
        )

    async def run_text(
        self, text: str, actor: Actor, key: str | None = None, origin: LineOrigin = TYPED
    ) -> Reply:
        """Answer a line, a command or plain words; `key` is the platform's id of it, if any."""
        typed = storable(text)
        text = as_meant(typed) if origin.typed else typed
        head = read_head(text[:LONGEST_COMMAND_STRING], self.commands)
        command = named_command(head, text)
        by_name = partial(self._answer_line, command, typed) if command else None
        work = partial(by_name or self._answer_plain_words, text[head.start :])
        return await self._run(_Request(command, len(text), actor, key, origin), work)

    async def run(self, call: Call, actor: Actor, key: str | None = None) -> Reply:
        """Answer a call, whose arguments were typed into options or fields."""
        request = _Request(call.command, _length(call), actor, key, PRESSED)
        return await self._run(request, partial(self._answer_call, call))

    def asks_first(self, text: str, actor: Actor, origin: LineOrigin) -> bool:
        """Tell whether a line is shown to a user, and asked about, before it is carried out."""
        try:
            line = as_meant(text) if origin.typed else text
            return asks_first(parse(line, self.commands), origin, actor)
        except UserError:
            return False

    async def _run(self, request: "_Request", work: _Work) -> Reply:
        began = time.perf_counter()
        actor = request.actor
        finish = Finish(actor, request.origin, self.commands, self._public_url)
        reply = await self._answer(request, work)
        is_private = actor.remembers and not (reply.failed or actor.shares)
        told = await self._refused.told(actor) if is_private else ()
        reply = finished(reply, finish, told)
        outcome = "failed" if reply.failed else "answered"
        name = request.name or (reply.command or "").partition(" ")[0] or None
        self._observer(actor.platform, name, outcome, time.perf_counter() - began)
        return reply

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the background tasks have ended, or for so many seconds at most."""
        await self._background.wait(seconds)

    async def read_text(self, text: str, actor: Actor) -> tuple[Command, dict[str, Any]]:
        """Return the command and argument values of typed text, or raise `UserError`."""
        commands = [each for each in self.commands if may(actor, each)]
        call = parse(as_meant(storable(text)), commands, typed=True)
        async with self._context(actor) as context:
            return call.command, await read_arguments(with_period(call, context.today), context)

    async def meaning(self, text: str, actor: Actor) -> Meaning | None:
        """Return what a line means first, as a command or as plain words; nothing is run.

        Raises `UserError` if there are too many requests under way; `StoreError` as
        `Database.read`.
        """
        line = as_meant(storable(text)).strip()
        if not 0 < len(line) <= LONGEST_COMMAND_STRING:
            return None
        head = read_head(line, self.commands)
        async with self._context(actor) as context:
            return await first_meaning(line[head.start :], context, named=head.command is not None)

    async def read_call(self, call: Call, actor: Actor) -> Mapping[str, Any]:
        """Return the argument values of a call, or raise `UserError`."""
        require_short(_length(call))
        async with self._context(actor) as context:
            return (await read_call(fields_as_meant(call), context)).values

    async def form(self, call: Call, actor: Actor) -> Call:
        """Return the call that the form of its command shows, filled with the present values.

        Raises `UserError` if the actor may not use the command; `StoreError` as `Database.read`.
        """
        require_permission(actor, call.command)
        command, form = call.command.in_form(actor, call.arguments), call.command.form
        is_full = any(param.buttons and param.name in call.arguments for param in command.params)
        if form.values is None or is_full:
            return replace(call, command=command)
        require_short(_length(call))
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
            require_short(len(beginning) + sum(map(len, arguments.values())))
            async with self._context(actor, arguments=arguments) as context:
                found = await param.type.complete(as_meant(storable(beginning)), context)
        return found

    async def check(self, param: Param, text: str, actor: Actor) -> UserError | None:
        """Return the error in one argument, `None` if it can be read."""
        try:
            require_short(len(text))
            async with self._context(actor) as context:
                await param.type.read(value_as_meant(param, storable(text)), context)
        except UserError as error:
            return error
        return None

    async def _answer(self, request: "_Request", work: _Work) -> Reply:
        try:
            require_short(request.length)
            if request.command is not None:
                require_permission(request.actor, request.command, in_channel=False)
            async with self._context(request.actor, request.key) as context:
                return await work(replace(context, origin=request.origin))
        except Choice as choice:
            return choice_reply(choice)
        except UserError as error:
            return error_reply(error)
        except Exception as error:  # noqa: BLE001 - the last resort: no chat shows an unhandled error
            if isinstance(error, StoreError) and error.chat_sentence:
                facts = {"reason": error.sentence, "command": request.name}
                _log.warning("command_refused", extra=facts)
                return error_reply(UserError(error.chat_sentence, error.chat_remedy))
            reference = secrets.token_hex(2)
            _log.exception("command_failed", extra={"ref": reference, "command": request.name})
            return error_reply(
                UserError(
                    f"Something went wrong (ref {reference}).",
                    "It has been logged; the operator finds it by that reference.",
                )
            )

    async def _answer_call(self, call: Call, context: Context) -> Reply:
        require_permission(context.actor, call.command)
        call = with_period(fields_as_meant(call), context.today)
        return await self._carry_out(await read_call(call, context))

    async def _answer_line(
        self, command: Command, typed: str, text: str, context: Context
    ) -> Reply:
        """Answer a line that names a command; without its arguments it may be plain words."""
        try:
            call = parse(text, self.commands, typed=context.origin.typed)
            if context.origin.typed:
                call = with_period(call, context.today)
                if is_elsewhere(call, context.actor):
                    return replace(await elsewhere_reply(call, context), read_as=None)
            ready = await read_call(with_own_words(call, typed), context)
        except UserError as error:
            other = await meant_otherwise(command, text, error, context)
            if isinstance(other, NotOffered):
                return aside_reply(other)
            reply = await self._try(other.commands, context, other.wanted, text)
            if reply is None or not (reply.read_as or names_listed(other.commands[0])):
                require_permission(context.actor, command, suggestions=error.suggestions)
                raise
            return reply
        require_permission(context.actor, command)
        return await self._carry_out(ready)

    async def _answer_plain_words(self, text: str, context: Context) -> Reply:
        """Answer a line that names no command."""
        match read(text, await facts_of(context)):
            case Courtesy() | NotOffered() as said:
                return aside_reply(said)
            case Turn() as turn:
                return await self._turn(turn, context)
            case Reading() as reading:
                if not reading.sure and (day := which_week(text)):
                    raise day
                commands = await in_this_place(reading.commands, context)
                reply = await self._try(commands, context, reading.wanted, text)
                return reply or no_page_reply(Turn.MORE)

    async def _turn(self, turn: Turn, context: Context) -> Reply:
        """Show the next or the previous page of the list that was seen last."""
        page = await find_page(context, is_next=turn is Turn.MORE)
        reply = await self._try((page,), replace(context, origin=PRESSED)) if page else None
        return reply or no_page_reply(turn)

    async def _try(
        self, commands: Sequence[str], context: Context, wanted: str | None = None, asked: str = ""
    ) -> Reply | None:
        """Answer by the first of several command strings that can be run.

        Of a paper that is shown it may be one thing that is `wanted`. What was `asked` and can't be
        known is said first, as is a filter that could not be used. A command that changes
        something is only shown. Where none can be run, the first that was understood but names
        nothing makes a choice; `None` without any.
        """
        choice: Reply | None = None
        unused: list[str] = []
        for number, line in enumerate(commands, start=1):
            try:
                call = parse(line, self.commands, typed=context.origin.typed)
                require_permission(context.actor, call.command, in_channel=False)
                if is_elsewhere(call, context.actor):
                    return await elsewhere_reply(call, context, commands[number:], asked)
                ready = await read_call(call, context)
                if changes(call.command):
                    return await confirmation_reply(ready, commands[number:], asked)
                reply = await self._carry_out(ready)
            except UserError as error:
                choice = choice or choice_reply(error)
                unused += unused_filter(line, error, asked)
                continue
            reply = with_part_alone(reply, wanted) if wanted else reply
            reply = await said_first(reply, ready, asked, unused)
            return replace(reply, read_as=read_as(ready.context, reply.blocks))
        return choice

    async def _carry_out(self, ready: ReadCall) -> Reply:
        """Run a handler; its reply is repeated by the command string, or by one of its own."""
        context, command = ready.context, ready.command
        if asks_first(Call(command, dict(context.arguments)), context.origin, context.actor):
            return await confirmation_reply(ready)
        reply = await command.handler(context, **ready.values)
        private = command.private or reply.private
        if reply.failed:
            return replace(reply, private=private)
        line, shown, ran = reply.command, None, context.command_string
        if line is None:
            line, shown = ran, context.display_command
        reply = replace(reply, private=private, command=line, display_command=shown, ran=ran)
        reply = await with_read_marks(context, reply)
        if context.actor.remembers:
            context.background.start(note_answer(context, reply), context.actor.person)
        return reply

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


@dataclass(frozen=True, slots=True)
class _Request:
    """A request: its command if it names one, its characters, who makes it and how."""

    command: Command | None
    length: int
    actor: Actor
    key: str | None
    origin: LineOrigin

    @property
    def name(self) -> str | None:
        """The command's name."""
        return self.command.name if self.command else None


def _length(call: Call) -> int:
    """Return how long the line of a call is at least."""
    return len(call.command.name) + sum(1 + len(text) for text in call.arguments.values())


@contextmanager
def _silent() -> Iterator[None]:
    """Show no error to a user who is typing."""
    try:
        yield
    except UserError:
        pass
    except Exception:  # noqa: BLE001 - the same as for an answer
        _log.exception("completion_failed")
