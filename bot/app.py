"""The façade that adapters call: text in, a Reply out, and never an exception."""

import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from bot.accounts.members import Members
from bot.accounts.subscriptions import Subscriptions
from bot.accounts.workspaces import Workspaces
from bot.actor import Actor
from bot.clock import Clock
from bot.commands.arguments import values_of
from bot.commands.completion import complete_line
from bot.commands.onboarding import Welcoming
from bot.commands.option_names import in_names
from bot.commands.parser import parse, read_head, require_short, write
from bot.commands.permissions import has_voters, is_of_use, lacks_channels, may, needs_joining
from bot.commands.types import Call, Command, Completion, Context, Param
from bot.errors import Option, UserError
from bot.library.content import Content
from bot.plots.plotter import Plots, Plotter
from bot.replies.blocks import Actions, Block, Button, Level, Notice, Reply
from bot.replies.paper_actions import without_votes
from bot.replies.wording import count
from store.database.fair_threads import on_behalf_of
from store.errors import StoreError
from store.records import Person, Workspace
from store.text import storable

T = TypeVar("T")

_log = logging.getLogger(__name__)
# Requests of one person at a time: as many as one types in a hurry, and no flood.
MOST_UNDER_WAY = 32

Observer = Callable[[str, str | None, str, float], None]
"""Called with the platform, the command (or `None`), `answered` or `failed`, and the seconds."""


class Broadsheet:
    """The bot, whatever it is reached by.

    Args:
        content: what was imported.
        workspaces: what workspaces settled for themselves.
        subscriptions: what channels ordered.
        members: what people keep for themselves.
        clock: tells the time.
        commands: what may be asked, in the order of help.
        zone: the IANA zone where neither the asker nor the workspace names one.
        dice: decides where chance is asked for.
        observer: is called after every answer.
        welcoming: explains the bot below an answer to whom it is new; without it nobody is told.
        plots: draws pictures.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what it is made of is handed over piece by piece
        self,
        content: Content,
        workspaces: Workspaces,
        subscriptions: Subscriptions,
        members: Members,
        clock: Clock,
        commands: Sequence[Command],
        zone: str,
        *,
        dice: Random | None = None,
        observer: Observer | None = None,
        welcoming: Welcoming | None = None,
        plots: Plots | None = None,
    ) -> None:
        self._content = content
        self._workspaces = workspaces
        self._subscriptions = subscriptions
        self._members = members
        self._clock = clock
        self._commands = tuple(commands)
        self._zone = zone
        self._dice = dice or Random()  # noqa: S311 - picks a paper, keeps no secret
        self._observer = observer or (lambda *_answer: None)
        self.welcoming = welcoming
        self._plots = plots or Plotter()
        self._under_way: Counter[Person] = Counter()

    @property
    def commands(self) -> tuple[Command, ...]:
        """What may be asked, in the order of help."""
        return self._commands

    async def run_text(self, text: str, actor: Actor, key: str | None = None) -> Reply:
        """Answer a line of text; `key` is the platform's id of the request, if it has one."""
        try:
            require_short(len(text))
            call = self._call(storable(text), actor)
        except UserError as error:
            self._observer(actor.platform, None, "failed", 0)
            return self._worded(_failure(error), actor)
        return await self.run(call, actor, key)

    def _call(self, line: str, actor: Actor) -> Call:
        """Read a line as one of the commands that somebody gets an answer to.

        What is another's comes as its call, and is refused by its name when it is run: a button
        that one may not use is no mistyped word.

        Raises:
            UserError: where it is none at all.
        """
        try:
            return parse(line, self._answered(actor))
        except UserError as error:
            head = read_head(line, self._commands)
            if head.command is None or head.command in self._answered(actor):
                raise error from None
            return Call(head.command, {})

    async def run(self, call: Call, actor: Actor, key: str | None = None) -> Reply:
        """Answer a command whose arguments stand apart, as typed options come."""
        began = time.perf_counter()
        reply = self._worded(await self._answer(call, actor, key), actor)
        seconds = time.perf_counter() - began
        outcome = "failed" if reply.failed else "answered"
        self._observer(actor.platform, call.command.name, outcome, seconds)
        return reply

    async def _answer(self, call: Call, actor: Actor, key: str | None) -> Reply:
        try:
            _require(actor, call.command)
            require_short(_length(call.arguments))
            line = write(call.command, call.arguments)
            require_short(len(line))
            with self._on_behalf_of(actor):
                reply = await self._handled(call, actor, key)
            return reply if reply.failed or reply.command else replace(reply, command=line)
        except UserError as error:
            return _failure(error)
        except Exception as error:  # noqa: BLE001 - the last resort: an unforeseen error's text reaches no chat
            if isinstance(error, StoreError) and error.said:
                facts = {"reason": error.sentence, "command": call.command.name}
                _log.warning("command_refused", extra=facts)
                return _failure(UserError(error.said, error.advice))
            reference = secrets.token_hex(2)
            _log.exception("command_failed", extra={"ref": reference, "command": call.command.name})
            return _failure(
                UserError(
                    f"Something went wrong (ref {reference}).",
                    "It has been logged; the operator finds it by that reference.",
                )
            )

    async def _handled(self, call: Call, actor: Actor, key: str | None) -> Reply:
        context = await self._context(actor, key)
        reply = await call.command.handler(context, **await values_of(call, context))
        reply = await self._with_votes(reply, actor)
        return replace(reply, private=call.command.private)

    @contextmanager
    def _on_behalf_of(self, actor: Actor) -> Iterator[None]:
        """Have the store's threads shared fairly with whoever asks.

        Raises:
            UserError: where as many of the actor's requests are under way as may be.
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
                yield
        finally:
            self._under_way[person] -= 1
            if not self._under_way[person]:
                del self._under_way[person]

    async def _with_votes(self, reply: Reply, actor: Actor) -> Reply:
        if not has_voters(actor):
            return without_votes(reply)
        here = Workspace(actor.platform, actor.workspace)
        return await self._members.votes.shown_in(reply, here, actor.person)

    def _worded(self, reply: Reply, actor: Actor) -> Reply:
        """Return a reply as its asker's platform asks for what it names."""
        return in_names(reply, self._commands) if actor.by_name else reply

    async def settled(self, seconds: float | None = None) -> None:
        """Wait until what goes on behind answers has ended, or for so many seconds at most."""
        await self._members.settled(seconds)

    async def read_text(self, text: str, actor: Actor) -> tuple[Command, dict[str, Any]]:
        """Return the command of a line and its arguments by name, read but not answered.

        Raises:
            UserError: where the line can't be read.
        """
        call = parse(storable(text), self._allowed(actor))
        with self._on_behalf_of(actor):
            return call.command, await values_of(call, await self._context(actor))

    async def form(self, call: Call, actor: Actor) -> Call:
        """Return a call as the form of its command has it: with what stands there, if that is read.

        Raises:
            UserError: where the actor may not use the command, or asks for too much.
            StoreError: where the store does not answer.
        """
        _require(actor, call.command)
        command, sheet = call.command.in_form(actor), call.command.sheet
        if sheet is None or sheet.mark in call.arguments:
            return replace(call, command=command)
        require_short(_length(call.arguments))
        with self._on_behalf_of(actor):
            context = replace(await self._context(actor), given=call.arguments)
            held = await sheet.holds(context)
        return Call(command, {**held, **call.arguments})

    async def complete(self, text: str, actor: Actor) -> list[Completion]:
        """Return how a line may go on at its end, best first; nothing where that can't be told."""
        return await _or_nothing(self._completions(storable(text), actor))

    async def options(
        self, param: Param, beginning: str, actor: Actor, given: Mapping[str, str] | None = None
    ) -> list[Option]:
        """Return what one argument may be, given its beginning, best first.

        `given` are the texts of the command's other arguments, as far as they are there.
        """
        return await _or_nothing(self._options(param, storable(beginning), actor, given or {}))

    async def check(self, param: Param, text: str, actor: Actor) -> UserError | None:
        """Return what is wrong with one argument, `None` where it can be read."""
        try:
            require_short(len(text))
            with self._on_behalf_of(actor):
                await param.type.read(storable(text), await self._context(actor))
        except UserError as error:
            return error
        return None

    async def _completions(self, text: str, actor: Actor) -> list[Completion]:
        require_short(len(text))
        offered = [each for each in self._commands if is_of_use(actor, each)]
        with self._on_behalf_of(actor):
            return await complete_line(text, offered, await self._context(actor))

    async def _options(
        self, param: Param, beginning: str, actor: Actor, given: Mapping[str, str]
    ) -> list[Option]:
        require_short(len(beginning) + _length(given))
        with self._on_behalf_of(actor):
            context = replace(await self._context(actor), given=given)
            return await param.type.complete(beginning, context)

    def _answered(self, actor: Actor) -> list[Command]:
        """Return what an actor gets an answer to: what needs the bot to be there, why it can't."""
        known = self._commands
        return [each for each in known if may(actor, each) or needs_joining(actor, each)]

    def _allowed(self, actor: Actor) -> list[Command]:
        return [command for command in self._commands if may(actor, command)]

    async def _context(self, actor: Actor, key: str | None = None) -> Context:
        settings = await self._workspaces.settings(Workspace(actor.platform, actor.workspace))
        return Context(
            content=self._content,
            workspaces=self._workspaces,
            subscriptions=self._subscriptions,
            members=self._members,
            clock=self._clock,
            actor=actor,
            commands=self._commands,
            zone=settings.zone or self._zone,
            dice=self._dice,
            key=key,
            plots=self._plots,
        )


def _length(arguments: Mapping[str, str]) -> int:
    return sum(map(len, arguments.values()))


async def _or_nothing(offers: Awaitable[list[T]]) -> list[T]:
    """Return what is offered; whoever is typing is not told of an error."""
    try:
        return await offers
    except UserError:
        return []
    except Exception:  # noqa: BLE001 - the same as for an answer
        _log.exception("completion_failed")
        return []


def _require(actor: Actor, command: Command) -> None:
    if needs_joining(actor, command):
        raise UserError(
            "Broadsheet is not a member here, so it can post nothing here.",
            "In a server or a workspace whoever manages that can add it.",
        )
    if not may(actor, command):
        raise UserError(f"{command.name} is for {command.role.name.lower()}s.", actor.managers)
    if lacks_channels(actor, command):
        what = "workspace" if command.sheet else "channel"
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
