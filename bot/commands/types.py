"""The command layer's types: what a command is, who asks, and what a handler is given.

A command is declared once. The declaration makes its text grammar, its help, its completion,
its row in the README, and on each platform whatever that platform registers.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import StrEnum
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from bot.accounts.members import Members
from bot.accounts.subscriptions import Subscriptions
from bot.accounts.workspaces import Workspaces
from bot.actor import Actor, Role
from bot.clock import Clock, SystemClock
from bot.errors import Option
from bot.library.content import Content
from bot.plots.plotter import Plots, Plotter
from bot.replies.blocks import Reply
from store.coordination.request_claims import Claim


class Group(StrEnum):
    """Where a command stands in help, and the subcommand group it becomes on Discord."""

    LOOKUP = "lookup"
    LIST = "list"
    CHANNEL = "channel"

    @property
    def heading(self) -> str:
        """The words over its commands."""
        return _GROUP_HEADINGS[self]


_GROUP_HEADINGS = {
    Group.LOOKUP: "Lookups",
    Group.LIST: "Your list",
    Group.CHANNEL: "In a channel",
}


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler may use.

    `commands` is the table that help speaks of; `zone` the IANA zone of the workspace, or that
    of last resort; `dice` decides where chance is asked for. `key` is the platform's id of this
    very request: a transaction that changes something claims it, so that a request delivered
    twice changes nothing twice; `None` where nothing is ever delivered twice. `given` are, while
    one argument is completed, the texts of the others that are there, by name. `wall` is the time
    that no setting moves. `plots` draws pictures.
    """

    content: Content
    workspaces: Workspaces
    subscriptions: Subscriptions
    members: Members
    clock: Clock
    actor: Actor
    commands: tuple["Command", ...]
    zone: str
    dice: Random
    key: str | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    wall: Clock = field(default_factory=SystemClock)
    plots: Plots = field(default_factory=Plotter)

    @property
    def request(self) -> Claim | None:
        """The claim of this very request."""
        return Claim(self.key, self.wall.now()) if self.key else None

    @property
    def ahead(self) -> timedelta:
        """How far the clock of people is ahead of the one that no setting moves, in seconds."""
        seconds = (self.clock.now() - self.wall.now()).total_seconds()
        return timedelta(seconds=round(seconds))

    @property
    def day(self) -> date:
        """The date in UTC, by which editions that grow with their week are closed."""
        return self.clock.now().date()

    @property
    def today(self) -> date:
        """The date where the asker is."""
        return self.clock.now().astimezone(ZoneInfo(self.actor.zone or self.zone)).date()


class Kind(StrEnum):
    """What a value is to a platform whose arguments are typed; as text it comes all the same."""

    TEXT = "text"
    NUMBER = "number"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class ParamType:
    """A kind of value: how it is read, how it is completed, and what it takes in words.

    `read` turns text into the value, in the asker's context, and raises `ArgumentError`
    where it can't. `complete` returns what a beginning may become, best first; it offers
    nothing that `read` refuses. `name` stands for it in usage lines, `expected` is a
    sentence. `free` marks plain words, in which anything may stand. `kind` is for platforms that
    ask for values by their kind; numbers are from `least` to `most`, where there are bounds.
    `looks` tells, purely, whether words may be such a value: where the arguments of a command have
    it, words find theirs by what they look like, and not by place. `several` are parted by commas,
    which may have a blank beside them. A `long` one has sentences, for which a form has room.
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


@dataclass(frozen=True, slots=True)
class Param:
    """One argument of a command.

    `key` is the word before the colon where the argument is named (`from:dair`), `None`
    where it stands by its place; the last by place takes the rest of the text. A `hidden`
    one is for buttons and stands in no help. `label` stands over its field in a form, unless the
    summary does.
    """

    name: str
    summary: str
    type: ParamType
    key: str | None = None
    required: bool = False
    hidden: bool = False
    label: str = ""

    @property
    def usage(self) -> str:
        """How the argument looks in a usage line: `PAPER`, `[from:SOURCE]`."""
        shape = f"{self.key}:{self.type.name}" if self.key else self.type.name
        return shape if self.required else f"[{shape}]"

    @property
    def keys(self) -> tuple[str, ...]:
        """The words that may stand before the colon; a placed argument may be named too."""
        if self.type.free:
            return ()
        return (self.name,) if self.key in (None, self.name) else (self.key, self.name)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A form that asks for other arguments than a line has, and is filled when it is opened.

    `title` stands over it, `submit` on its button (at most 24 characters each, as Slack has it).
    `asks` names the arguments that it asks an actor for; `holds` tells what they and hidden ones
    are then, where the context gives the arguments of its line, and `mark` names one of these that
    each form has which was opened so.
    """

    title: str
    submit: str
    asks: Callable[[Actor], tuple[str, ...]]
    holds: Callable[[Context], Awaitable[Mapping[str, str]]]
    mark: str


@dataclass(frozen=True, slots=True)
class Command:
    """A declaration: one function for users, and all that is known about it.

    `form` names the arguments that its form asks for first, where a form can't ask for all;
    `sheet` is a form that asks for something else. `private` tells that no answer to it is shared,
    `changes` of what readers may use that it changes what is stored for them.
    """

    name: str
    group: Group
    summary: str
    handler: Callable[..., Awaitable[Reply]]
    params: tuple[Param, ...] = ()
    role: Role = Role.READER
    examples: tuple[str, ...] = ()
    form: tuple[str, ...] = ()
    sheet: Sheet | None = None
    private: bool = False
    changes: bool = False

    @property
    def usage(self) -> str:
        """The usage line: `search WORDS… [from:SOURCE]`."""
        return " ".join([self.name, *(param.usage for param in self.shown)])

    @property
    def path(self) -> str:
        """Where it stands on a platform that has groups: `channel settings`."""
        return self.name if self.group is Group.LOOKUP else f"{self.group.value} {self.name}"

    @property
    def options(self) -> str:
        """The usage line where each argument is asked for by its name: `search query [topic]`."""
        names = (each.name if each.required else f"[{each.name}]" for each in self.shown)
        return " ".join([self.path, *names])

    def usage_for(self, actor: Actor) -> str:
        """Return the usage line as it is typed where an actor is; Slack's needs no `/papers`."""
        return f"/papers {self.options}" if actor.by_name else self.usage

    @property
    def shown(self) -> tuple[Param, ...]:
        """The arguments that help speaks of."""
        return tuple(param for param in self.params if not param.hidden)

    def in_form(self, actor: Actor) -> "Command":
        """Return the command as its form has it: what that does not ask an actor for is hidden."""
        if self.sheet is None:
            return self
        asked = self.sheet.asks(actor)
        params = (replace(each, hidden=each.name not in asked) for each in self.params)
        return replace(self, params=tuple(params), form=asked)

    @property
    def placed(self) -> tuple[Param, ...]:
        """The arguments that stand by their place.

        Where all are named the first may go without its name: `latest dair`.
        """
        return tuple(param for param in self.params if param.key is None) or self.shown[:1]


@dataclass(frozen=True, slots=True)
class Completion:
    """How a line may go on: from character `start` on it reads `text`; `label` says more."""

    start: int
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Call:
    """A command with its arguments still as text, by parameter name."""

    command: Command
    arguments: dict[str, str]
