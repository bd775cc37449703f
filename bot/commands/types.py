"""The types of the command layer: commands, parameters, calls and the context of a handler.

A command is declared once. Its declaration makes its text grammar, its help, its completion, its
row in the docs, and what each platform registers.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from bot.accounts import Subscriptions, Votes, Workspaces
from bot.actor import Actor, Role
from bot.clock import Clock, SystemClock
from bot.errors import Option
from bot.library.content import ContentCache
from bot.plots.plotter import Plots, Plotter
from bot.replies.blocks import Reply
from store.coordination.request_claims import Claim
from store.database import Database
from store.errors import StoreError
from store.records import Person, Workspace

_log = logging.getLogger(__name__)
# An answer that is ready is sent within this time; until then what is noted of it takes no thread.
PAUSE_SECONDS = 0.02


class Group(StrEnum):
    """The section of a command in help, and its subcommand group on Discord."""

    LOOKUP = "lookup"
    LIST = "list"
    CHANNEL = "channel"

    @property
    def heading(self) -> str:
        """The heading above its commands."""
        return {"lookup": "Lookups", "list": "Your list", "channel": "In a channel"}[self]


@dataclass(frozen=True, slots=True)
class LineOrigin:
    """Where the line of a request comes from: a person `typed` it, or a button has it.

    `by` is the id of the user by whom it came into the message with the button: who typed it, or
    shared the answer; empty where that is unknown. It is `None` for a line of the user's own and
    for a button that the bot made for everybody, as below a post.
    """

    typed: bool
    by: str | None = None

    def is_foreign(self, actor: Actor) -> bool:
        """Tell whether the line came from somebody else than the user."""
        return self.by not in (None, actor.user)


TYPED = LineOrigin(typed=True)
PRESSED = LineOrigin(typed=False)


class BackgroundTasks:
    """Tasks that the answer which began them goes before; their errors are logged.

    They begin after a `pause` in seconds, or once somebody waits for them; those of one person
    follow each other, so that what was seen last is noted last.
    """

    def __init__(self, pause: float = PAUSE_SECONDS) -> None:
        self._pause = pause
        self._tasks: dict[asyncio.Task[None], tuple[Person, asyncio.Future[None]]] = {}
        self._last: dict[Person, asyncio.Task[None]] = {}

    def start(self, work: Coroutine[Any, Any, None], person: Person) -> None:
        """Run work for a person as a task of its own."""
        loop = asyncio.get_running_loop()
        begin = loop.create_future()
        loop.call_later(self._pause, _begin, begin)
        task = loop.create_task(_logged(work, begin, self._last.get(person)))
        self._tasks[task] = person, begin
        self._last[person] = task
        task.add_done_callback(self._ended)

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until the tasks of now have ended, or for so many seconds at most."""
        await self._wait({*self._tasks}, seconds)

    async def wait_for(self, person: Person) -> None:
        """Wait until the tasks that now run for a person have ended."""
        await self._wait({task for task, (each, _) in self._tasks.items() if each == person})

    async def _wait(
        self, tasks: Collection[asyncio.Task[None]], seconds: float | None = None
    ) -> None:
        for task in tasks:
            _begin(self._tasks[task][1])
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)

    def _ended(self, task: asyncio.Task[None]) -> None:
        person, _ = self._tasks.pop(task)
        if self._last.get(person) is task:
            del self._last[person]


def _begin(begin: asyncio.Future[None]) -> None:
    if not begin.done():
        begin.set_result(None)


async def _logged(
    work: Coroutine[Any, Any, None],
    begin: asyncio.Future[None],
    before: asyncio.Task[None] | None,
) -> None:
    with closing(work):
        try:
            await begin
            if before and not before.done():
                await asyncio.wait({before})
            await work
        except StoreError as error:
            _log.warning("background_write_refused", extra={"reason": error.sentence})
        except Exception:  # noqa: BLE001 - no caller is left to raise it to
            _log.exception("background_task_failed")


@dataclass(frozen=True, slots=True)
class Context:
    """The tools and facts of a request, for handlers.

    `content` reads the imported library through a cache, `database` what may change at any time.
    `notify` tells posting that what posts show may have changed. `clock` is that of schedules and
    dates, `system_clock` the one that no setting moves. `commands` are all, in the order of help;
    `zone` is the IANA zone of the workspace, or the default one.

    `key` is the platform's id of this request, `None` where no request is delivered twice.
    `arguments` are those of the call as text, by parameter name; canonical once they are read.
    While one argument is completed they are those beside it. `command_string` is the canonical one
    of the call, which buttons carry, `display_command` the same with named options where the
    platform has these; `origin` is that of the line.
    """

    database: Database
    content: ContentCache
    workspaces: Workspaces
    subscriptions: Subscriptions
    votes: Votes
    background: BackgroundTasks
    notify: Callable[[], None]
    clock: Clock
    actor: Actor
    commands: tuple["Command", ...]
    zone: str
    dice: Random
    key: str | None = None
    system_clock: Clock = field(default_factory=SystemClock)
    plots: Plots = field(default_factory=Plotter)
    arguments: Mapping[str, str] = field(default_factory=dict)
    command_string: str = ""
    display_command: str | None = None
    origin: LineOrigin = TYPED

    @property
    def request(self) -> Claim | None:
        """The claim of this request: a write that makes it is carried out once."""
        return Claim(self.key, self.system_clock.now()) if self.key else None

    @property
    def workspace(self) -> Workspace:
        """The workspace of the request."""
        return Workspace(self.actor.platform, self.actor.workspace)

    async def count_votes(self, refs: Collection[str]) -> Mapping[str, int]:
        """Return the votes of the workspace by ref, without papers that have none."""
        return await self.votes.of(self.workspace, refs) if self.actor.has_voters else {}

    @property
    def clock_offset(self) -> timedelta:
        """The offset of the clock from the system clock, in whole seconds."""
        seconds = (self.clock.now() - self.system_clock.now()).total_seconds()
        return timedelta(seconds=round(seconds))

    @property
    def day(self) -> date:
        """The date in UTC, by which the editions of a week are closed."""
        return self.clock.now().date()

    @property
    def today(self) -> date:
        """The date in the user's zone."""
        return self.clock.now().astimezone(ZoneInfo(self.actor.zone or self.zone)).date()


class Kind(StrEnum):
    """The type of a value on a platform with typed options; the value still comes as text."""

    TEXT = "text"
    NUMBER = "number"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class ParamType:
    """A type of value, which knows how to parse, write, complete and describe it.

    `name` is the value in usage lines, `expected` a sentence about it. `read` parses text in the
    user's context or raises `ArgumentError`; `complete` returns completions of a beginning, best
    first, none of which `read` refuses; `write` returns the canonical text of a value, `None` for
    a default; without it the text stays as it was typed.

    `looks` tells whether words look like such a value; pure. If the parameters of a command have
    it, words are matched to them by look and not by position.

    `read_loose` reads words that stand without a name and look like nothing, where it refuses more
    than `read`.

    `free` is plain text that may contain anything, `long` sentences, for which a form has a large
    field, `several` a list separated by commas. `least` and `most` are the bounds of a number.
    """

    name: str
    read: Callable[[str, Context], Awaitable[Any]]
    complete: Callable[[str, Context], Awaitable[list[Option]]]
    expected: str
    free: bool = False
    kind: Kind = Kind.TEXT
    looks: Callable[[str], bool] | None = None
    least: int | None = None
    most: int | None = None
    several: bool = False
    long: bool = False
    write: Callable[[Any], str | None] | None = None
    read_loose: Callable[[str, Context], Awaitable[Any]] | None = None


async def as_typed(text: str, _context: Context) -> str:
    """Return the text of a value as it was typed."""
    return text


async def complete_nothing(_beginning: str, _context: Context) -> list[Option]:
    """Return no completions."""
    return []


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a command.

    `key` is the word before the colon of a named argument (`from:dair`), `None` for a positional
    one; the last positional one takes the rest of the text. A named argument whose parameter is
    `loose` may stand without its name, too (`top agents`), except in commands that take any words.
    A `hidden` parameter is left out of help; one of `buttons` is hidden, and nobody can type it.
    `label` is the label of its field in a form, else the summary is; `hint` is a sentence beside
    it, and `empty` stands in a menu that nothing is chosen in.
    """

    name: str
    summary: str
    type: ParamType
    key: str | None = None
    required: bool = False
    hidden: bool = False
    buttons: bool = False
    label: str = ""
    hint: str = ""
    empty: str = "Choose…"
    loose: bool = False

    @property
    def usage(self) -> str:
        """The parameter in a usage line: `PAPER`, `[from:SOURCE]`."""
        shape = f"{self.key}:{self.type.name}" if self.key else self.type.name
        return shape if self.required else f"[{shape}]"

    @property
    def keys(self) -> tuple[str, ...]:
        """The words before the colon; a positional argument may be named too."""
        if self.type.free:
            return ()
        return (self.name,) if self.key in (None, self.name) else (self.key, self.name)


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a command: what it asks, and what stands in it when it is opened.

    It asks for the parameters that help lists, or for those that `fields` returns for an actor and
    the arguments that it is opened or sent with; for the `first` ones, where there is no room for
    all. `values` returns what stands in it beside the arguments that it is opened with, so that it
    may be sent at once; it is not asked where there is an argument that only buttons give, since
    then they are all. `title` and the label of the `submit` button have at most 24 characters, as
    in Slack; else the command names both.
    """

    title: str = ""
    submit: str = ""
    values: Callable[[Context], Awaitable[Mapping[str, str]]] | None = None
    fields: Callable[[Actor, Mapping[str, str]], tuple[str, ...]] | None = None
    first: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)  # one is itself: it is a key on every line
class Command:
    """The declaration of a command.

    Answers to a `private` command can't be shared. A command for readers that `changes` something
    writes what is stored about them; one that `tells_later` sends the user direct messages. One
    that is `of_place` is about a channel, and takes no manager where that is the user's own direct
    messages.
    `suffices` tells of arguments, as texts by name, whether they say enough, where no parameter
    alone is required.
    """

    name: str
    group: Group
    summary: str
    handler: Callable[..., Awaitable[Reply]]
    params: tuple[Param, ...] = ()
    role: Role = Role.READER
    examples: tuple[str, ...] = ()
    form: Form = Form()
    private: bool = False
    changes: bool = False
    tells_later: bool = False
    of_place: bool = False
    suffices: Callable[[Mapping[str, str]], bool] = lambda _texts: True

    @property
    def usage(self) -> str:
        """The usage line: `search WORDS… [from:SOURCE]`."""
        return " ".join([self.name, *(param.usage for param in self.shown)])

    @property
    def path(self) -> str:
        """The name on a platform with groups: `channel settings`."""
        return self.name if self.group is Group.LOOKUP else f"{self.group.value} {self.name}"

    @property
    def options(self) -> str:
        """The usage line on a platform with typed options: `search query [topic]`."""
        names = (each.name if each.required else f"[{each.name}]" for each in self.shown)
        return " ".join([self.path, *names])

    def usage_for(self, actor: Actor) -> str:
        """Return the usage line as an actor types it; in Slack it needs no `/papers`."""
        return f"/papers {self.options}" if actor.by_name else self.usage

    @property
    def shown(self) -> tuple[Param, ...]:
        """The parameters that help lists."""
        return tuple(param for param in self.params if not (param.hidden or param.buttons))

    def in_form(self, actor: Actor, arguments: Mapping[str, str]) -> "Command":
        """Return the command with all parameters hidden that its form does not ask an actor for."""
        if self.form.fields is None:
            return self
        names = self.form.fields(actor, arguments)
        params = (replace(param, hidden=param.name not in names) for param in self.params)
        return replace(self, params=tuple(params))

    @property
    def placed(self) -> tuple[Param, ...]:
        """The parameters whose arguments may stand without a name; at least the first one."""
        if any(param.type.free for param in self.params):
            return tuple(param for param in self.params if param.key is None)
        placed = tuple(param for param in self.params if param.key is None or param.loose)
        return placed or self.shown[:1]


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion: from character `start` on the input becomes `text`; `label` describes it."""

    start: int
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Call:
    """A command and its arguments as text, by parameter name.

    `loose` are runs of words beside them that look like no argument, but may be one.
    """

    command: Command
    arguments: dict[str, str]
    loose: tuple[str, ...] = ()
