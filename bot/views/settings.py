"""What a workspace settled, as Replies."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies import Actions, Block, Button, Fields, Level, Notice, Reply, Text, Title

_WHOSE = "What is settled here holds for everybody in this workspace."


@dataclass(frozen=True, slots=True)
class Settled:
    """How a setting stands: its value in words, what it means, what it takes, likely changes."""

    name: str
    value: str
    meaning: str
    takes: str
    changes: tuple[Button, ...]


def settings_reply(settled: Sequence[Settled]) -> Reply:
    """List every setting, with buttons for likely changes."""
    pairs = tuple((each.name, f"{each.value} · {each.meaning}") for each in settled)
    buttons = tuple(button for each in settled for button in each.changes)
    return _with_buttons([Title("Settings"), Text(_WHOSE), Fields(pairs)], buttons)


def setting_reply(settled: Settled) -> Reply:
    """Say all about one setting."""
    pairs = (("now", settled.value), ("means", settled.meaning), ("takes", settled.takes))
    return _with_buttons([Title(f"Setting: {settled.name}"), Fields(pairs)], settled.changes)


def changed_reply(name: str, before: str, after: str, undo: str) -> Reply:
    """Say what became of what; `undo` is the command that restores what was."""
    notice = Notice(Level.INFO, f"{name}: {before} → {after}", _WHOSE)
    return Reply((notice, Actions((Button("Undo", undo),))))


def unchanged_reply(name: str, value: str) -> Reply:
    """Say that a setting is already so."""
    return Reply((Notice(Level.INFO, f"{name} is {value} already; nothing has changed."),))


def _with_buttons(blocks: list[Block], buttons: tuple[Button, ...]) -> Reply:
    return Reply((*blocks, Actions(buttons)) if buttons else tuple(blocks))
