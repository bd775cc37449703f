"""What a bot and the process that imports for it say to each other, over a pipe each way.

A message is its length in four bytes, the highest first, and a pickle. Both ends are this very
program, and the pipes are nobody else's.
"""

import pickle
from asyncio import StreamReader
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

from bot.ingest.pipeline import ImportOptions
from bot.ingest.report import DocumentReport
from store.errors import BroadsheetError

_LENGTH_BYTES = 4


def nothing() -> None:
    """Prepare for nothing."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the process is told first: the store, and what to call before anything else."""

    database_url: str = field(repr=False)
    prepare: Callable[[], object] = nothing


@dataclass(frozen=True, slots=True)
class Order:
    """A document to be taken in; its options have nobody who is told of progress."""

    path: str
    data: bytes
    options: ImportOptions
    now: datetime


@dataclass(frozen=True, slots=True)
class Progress:
    """So many editions of so many are done."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Failure:
    """An error in words, kept so that it is the same one again whatever its class is made of."""

    kind: type[BroadsheetError]
    args: tuple[object, ...]
    facts: dict[str, object]

    @classmethod
    def of(cls, error: BroadsheetError) -> "Failure":
        """Return an error's."""
        return cls(type(error), error.args, dict(error.__dict__))

    def error(self) -> BroadsheetError:
        """Return the error."""
        error = self.kind.__new__(self.kind)
        error.args = self.args
        error.__dict__.update(self.facts)
        return error


Answer = Progress | DocumentReport | Failure
Message = Beginning | Order | Answer


def written(message: Message) -> bytes:
    """Return what goes over the pipe."""
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(text).to_bytes(_LENGTH_BYTES) + text


def read(pipe: BinaryIO) -> Message | None:
    """Return the next message, `None` where the other end has closed."""
    length = pipe.read(_LENGTH_BYTES)
    text = pipe.read(int.from_bytes(length))
    return _unpickled(text) if text else None


async def receive(pipe: StreamReader) -> Message:
    """Return the next message.

    Raises:
        IncompleteReadError: where the other end has closed.
    """
    length = await pipe.readexactly(_LENGTH_BYTES)
    return _unpickled(await pipe.readexactly(int.from_bytes(length)))


def _unpickled(text: bytes) -> Message:
    message: Message = pickle.loads(text)  # noqa: S301 - written by this program
    return message
