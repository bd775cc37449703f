"""The command layer's types: what a command is, who asks, and what a handler is given.

A command is declared once. The declaration makes its text grammar, its help, its row in the
README, and on each platform whatever that platform registers.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from bot.clock import Clock
from bot.replies import Reply
from store.database import Database


class Role(IntEnum):
    """What a person may do; each may do what those before it may."""

    READER = 1
    MANAGER = 2
    OPERATOR = 3


class Group(StrEnum):
    """Where a command stands in help, and the subcommand group it becomes on Discord."""

    LOOKUP = "lookup"
    LIST = "list"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks: a person on a platform, in the role that the platform's facts give them."""

    platform: str
    workspace: str
    user: str
    role: Role


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler may use.

    `commands` is the table that help speaks of; `zone` the IANA zone of last resort.
    """

    database: Database
    clock: Clock
    actor: Actor
    commands: tuple["Command", ...]
    zone: str


@dataclass(frozen=True, slots=True)
class Param:
    """One typed argument of a command.

    `key` is the word before the colon where the argument is named (`from:dair`), `None`
    where it stands by its place; the last by place takes the rest of the text. `example`
    shows it in usage. `read` turns text into the value, in the asker's context, and raises
    `UserError` where it can't. A `hidden` one is for buttons and stands in no help.
    """

    name: str
    summary: str
    read: Callable[[str, Context], Awaitable[Any]]
    key: str | None = None
    required: bool = False
    hidden: bool = False

    @property
    def usage(self) -> str:
        """How the argument looks in a usage line: `PAPER`, `[from:SOURCE]`."""
        shape = f"{self.key}:{self.name.upper()}" if self.key else self.name.upper()
        return shape if self.required else f"[{shape}]"


@dataclass(frozen=True, slots=True)
class Command:
    """A declaration: one function for users, and all that is known about it."""

    name: str
    group: Group
    summary: str
    handler: Callable[..., Awaitable[Reply]]
    params: tuple[Param, ...] = ()
    role: Role = Role.READER
    examples: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """The usage line: `search QUERY [from:SOURCE]`."""
        shown = (param.usage for param in self.params if not param.hidden)
        return " ".join([self.name, *shown])


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
