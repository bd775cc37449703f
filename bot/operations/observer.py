"""The observer of answered commands, which counts them."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.actor import Actor


@dataclass(frozen=True, slots=True)
class Answered:
    """That a command was answered: whose, which (`None` if it was none), how, in how long."""

    actor: Actor
    command: str | None
    failed: bool
    seconds: float


Observer = Callable[[Answered], None]
