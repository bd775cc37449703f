"""The messages between the bot and its worker process, over a pipe each way.

A message is its length in four bytes, big-endian, and a pickle. Both ends are the same program, and
no other process has the pipes.
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


def no_preparation() -> None:
    """Prepare nothing."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The first message: the store, and what to call before anything else."""

    database_url: str = field(repr=False)
    prepare: Callable[[], object] = no_preparation


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """A document to import; its options carry no callback for progress."""

    path: str
    data: bytes
    options: ImportOptions
    now: datetime


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of editions that are done, of all."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Failure:
    """An error, in parts from which it is rebuilt whatever its constructor takes."""

    kind: type[BroadsheetError]
    args: tuple[object, ...]
    facts: dict[str, object]

    @classmethod
    def of(cls, error: BroadsheetError) -> "Failure":
        """Return the failure that carries an error."""
        return cls(type(error), error.args, dict(error.__dict__))

    def error(self) -> BroadsheetError:
        """Return the error."""
        error = self.kind.__new__(self.kind)
        error.args = self.args
        error.__dict__.update(self.facts)
        return error


Answer = Progress | DocumentReport | Failure
Message = Setup | ImportRequest | Answer


def encode(message: Message) -> bytes:
    """Return the bytes that go over the pipe."""
    text = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(text).to_bytes(_LENGTH_BYTES) + text


def read_message(pipe: BinaryIO) -> Message | None:
    """Return the next message, `None` where the other end has closed."""
    length = pipe.read(_LENGTH_BYTES)
    text = pipe.read(int.from_bytes(length))
    return _decode(text) if text else None


async def receive_message(pipe: StreamReader) -> Message:
    """Return the next message.

    Raises:
        IncompleteReadError: where the other end has closed.
    """
    length = await pipe.readexactly(_LENGTH_BYTES)
    return _decode(await pipe.readexactly(int.from_bytes(length)))


def _decode(text: bytes) -> Message:
    message: Message = pickle.loads(text)  # noqa: S301 - written by this program
    return message
