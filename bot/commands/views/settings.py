"""What a workspace settled, as Replies."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actor import Actor
from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, Reply, Text, Title
from bot.replies.wording import workspace_noun

_SAME = "Nothing has changed."


@dataclass(frozen=True, slots=True)
class Settled:
    """How a setting stands: its value in words, what it means, what it takes, likely changes."""

    name: str
    value: str
    meaning: str
    takes: str
    changes: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A setting that is another now, before and after in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Left:
    """A setting that stays as somebody else set it meanwhile: so in words.

    `wanted` is what it was to be and `settle` the button that settles that all the same, `None`
    where it was to stay.
    """

    name: str
    value: str
    wanted: str | None = None
    settle: Button | None = None


def settings_reply(settled: Sequence[Settled], form: Button, actor: Actor) -> Reply:
    """List every setting, with a button to their form and others for likely changes."""
    pairs = tuple((each.name, f"{each.value} · {each.meaning}") for each in settled)
    buttons = tuple(button for each in settled for button in each.changes)
    return _with_buttons([Title("Settings"), Text(_whose(actor)), Fields(pairs)], (form, *buttons))


def setting_reply(settled: Settled) -> Reply:
    """Say all about one setting."""
    pairs = (("now", settled.value), ("means", settled.meaning), ("takes", settled.takes))
    return _with_buttons([Title(f"Setting: {settled.name}"), Fields(pairs)], settled.changes)


def changed_reply(
    changed: Sequence[Changed], undo: str, actor: Actor, left: Sequence[Left] = ()
) -> Reply:
    """Say what became of what; `undo` is the command that restores what was."""
    blocks: list[Block] = []
    if len(changed) == 1:
        [one] = changed
        blocks.append(Notice(Level.INFO, f"{one.name}: {one.before} → {one.after}", _whose(actor)))
    elif changed:
        pairs = tuple((each.name, f"{each.before} → {each.after}") for each in changed)
        blocks += [Notice(Level.INFO, f"{len(changed)} settings were changed.", _whose(actor))]
        blocks += [Fields(pairs)]
    blocks += map(_left, left)
    undoes = (Button("Undo", undo),) if changed else ()
    return _with_buttons(blocks, (*undoes, *(each.settle for each in left if each.settle)))


def unchanged_reply(pairs: Sequence[tuple[str, str]]) -> Reply:
    """Say that settings, each with its value, are already so."""
    so = " ".join(f"{name}: {value}, as before." for name, value in pairs)
    return Reply((Notice(Level.INFO, so or _SAME),))


def _whose(actor: Actor) -> str:
    if actor.is_alone:
        return "What is settled here holds for you alone, in direct messages."
    return f"What is settled here holds for everybody in this {workspace_noun(actor.platform)}."


def _left(left: Left) -> Notice:
    if left.wanted is None:
        sentence = f"{left.name} is {left.value} now: somebody else changed it meanwhile."
        return Notice(Level.INFO, sentence)
    sentence = f"{left.name} was not changed: somebody else set it to {left.value} meanwhile."
    return Notice(Level.WARNING, sentence, f"You wanted {left.wanted}.")


def _with_buttons(blocks: list[Block], buttons: tuple[Button, ...]) -> Reply:
    return Reply((*blocks, Actions(buttons)) if buttons else tuple(blocks))
