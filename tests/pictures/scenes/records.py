"""Scenes: what somebody sees at once, as the payloads that a platform was sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.pictures.table import Platform

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message."""

    name: str
    media_type: str
    data: bytes
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the bot.

    Attributes:
        payload: what the platform keeps of it.
        typed: the command that it answers, empty where it answers none.
        said: the message of a person that it answers.
        pressed: the button that it answers.
        alone: only the person who asked sees it.
        place: where it stands, if not below the message before it.
        replies: how many replies its thread has.
        edited: it was changed after it was sent.
        files: those that came with it.
    """

    payload: Json
    typed: str = ""
    said: str = ""
    pressed: str = ""
    alone: bool = False
    place: str = ""
    replies: int = 0
    edited: bool = False
    files: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A window, or App Home, by its payload."""

    payload: Json


@dataclass(frozen=True, slots=True)
class Printed:
    """The screen of a terminal by the columns that it has: text with its escape sequences."""

    by_columns: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is seen at once on a platform, from the top down.

    `names` are those of channels and people by their ids.
    """

    name: str
    platform: Platform
    shown: tuple[Message | View | Printed, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The beginning of the names of its pictures."""
        return f"{self.name}-{self.platform}"
