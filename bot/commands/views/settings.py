"""The settings of a workspace, as Replies."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.actor import Actor
from bot.replies.blocks import Actions, Block, Button, Fields, Level, Notice, Reply, Text, Title
from bot.replies.wording import workspace_noun

_SAME = "Nothing has changed."


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting as it is shown: its value, meaning, possible values and likely changes."""

    name: str
    value: str
    meaning: str
    takes: str
    changes: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class Changed:
    """A changed setting, before and after in words."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Conflict:
    """A setting that another user changed meanwhile, to a value in words.

    `wanted` is the value of this user, and `button` sets it anyway; `None` if they changed nothing.
    """

    name: str
    value: str
    wanted: str | None = None
    button: Button | None = None


def settings_reply(settings: Sequence[SettingView], form: Button, actor: Actor) -> Reply:
    """List the settings, with buttons for their form and likely changes."""
    pairs = tuple((each.name, f"{each.value} · {each.meaning}") for each in settings)
    buttons = tuple(button for each in settings for button in each.changes)
    return _with_buttons([Title("Settings"), Text(_whose(actor)), Fields(pairs)], (form, *buttons))


def setting_reply(setting: SettingView) -> Reply:
    """Say all about one setting."""
    pairs = (("now", setting.value), ("means", setting.meaning), ("takes", setting.takes))
    return _with_buttons([Title(f"Setting: {setting.name}"), Fields(pairs)], setting.changes)


def changed_reply(
    changed: Sequence[Changed], undo: str, actor: Actor, conflicts: Sequence[Conflict] = ()
) -> Reply:
    """Show the changes and conflicts; `undo` is the command string that restores the settings."""
    blocks: list[Block] = []
    if len(changed) == 1:
        [one] = changed
        blocks.append(Notice(Level.INFO, f"{one.name}: {one.before} → {one.after}", _whose(actor)))
    elif changed:
        pairs = tuple((each.name, f"{each.before} → {each.after}") for each in changed)
        blocks += [Notice(Level.INFO, f"{len(changed)} settings were changed.", _whose(actor))]
        blocks += [Fields(pairs)]
    blocks += map(_notice, conflicts)
    undoes = (Button("Undo", undo),) if changed else ()
    return _with_buttons(blocks, (*undoes, *(each.button for each in conflicts if each.button)))


def unchanged_reply(pairs: Sequence[tuple[str, str]]) -> Reply:
    """Say that settings have these values already."""
    so = " ".join(f"{name}: {value}, as before." for name, value in pairs)
    return Reply((Notice(Level.INFO, so or _SAME),))


def _whose(actor: Actor) -> str:
    if actor.is_alone:
        return "What is settled here holds for you alone, in direct messages."
    return f"What is settled here holds for everybody in this {workspace_noun(actor.platform)}."


def _notice(conflict: Conflict) -> Notice:
    if conflict.wanted is None:
        sentence = f"{conflict.name} is {conflict.value} now: somebody else changed it meanwhile."
        return Notice(Level.INFO, sentence)
    sentence = (
        f"{conflict.name} was not changed: somebody else set it to {conflict.value} meanwhile."
    )
    return Notice(Level.WARNING, sentence, f"You wanted {conflict.wanted}.")


def _with_buttons(blocks: list[Block], buttons: tuple[Button, ...]) -> Reply:
    return Reply((*blocks, Actions(buttons)) if buttons else tuple(blocks))
