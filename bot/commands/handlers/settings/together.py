"""Settings changed together, in one transaction, and the form of all that there are.

A form notes how the settings were when it was opened. What somebody else changed since then stays
so, and is told.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.actor import Actor
from bot.commands.handlers.settings.table import TABLE, Setting, settings_for
from bot.commands.params.resettable import DEFAULT
from bot.commands.parser import write
from bot.commands.types import Command, Context, ParamType
from bot.commands.views.settings import Changed, Left, changed_reply, unchanged_reply
from bot.errors import ArgumentError, Option, UserError
from bot.replies.blocks import Button, Reply
from bot.replies.plain_text import quoted
from store.records import Workspace, WorkspaceSettings
from store.workspaces.workspaces import settings_of

SEEN_NAME = "seen"
_BETWEEN, _IS = ",", "="  # no value has either


async def _read_seen(text: str, _context: Context) -> dict[str, str]:
    """Read how settings were: `zone=UTC,layout=default`."""
    pairs = [each.partition(_IS) for each in text.split(_BETWEEN) if each]
    seen = {name: value for name, _, value in pairs}
    if not all(seen.values()) or not seen.keys() <= {each.name for each in TABLE}:
        raise ArgumentError(f"I can't read {quoted(text)} as how settings were.", SEEN.expected)
    return seen


async def _complete_seen(_beginning: str, _context: Context) -> list[Option]:
    return []


SEEN = ParamType("SEEN", _read_seen, _complete_seen, "A form has it, and nobody types it.")


def in_form(actor: Actor) -> tuple[str, ...]:
    """Name the settings that the form asks an actor for."""
    return tuple(
        each.name for each in settings_for(actor) if each.is_for(actor) and each.has_values(actor)
    )


async def held(context: Context) -> dict[str, str]:
    """Return what stands in the form when it is opened; a value that is none any more does not."""
    found = await context.workspaces.settings(workspace(context), fresh=True)
    asked = [each for each in TABLE if each.name in in_form(context.actor)]
    seen = {each.name: each.text(found) for each in asked}
    lost = {each.name: DEFAULT for each in asked if not each.exists(seen[each.name], context.actor)}
    return seen | lost | {SEEN_NAME: _seen_text(seen)}


def asked_for(given: Mapping[str, Any], seen: Mapping[str, str] | None) -> dict[str, str]:
    """Return what is to be settled, by name, as texts.

    Of a form that is what was changed in it; a field that was emptied is the default.
    """
    texts = {name: str(value) for name, value in given.items()}
    if seen is None:
        return texts
    entered = {name: texts.get(name, DEFAULT) for name in seen}
    return {name: text for name, text in entered.items() if text != seen[name]}


def require(setting: Setting, actor: Actor, *, to_change: bool = True) -> None:
    """Let those ask of a setting, or change it, who may.

    Raises:
        UserError: where the platform has no such setting, or it takes more than a manager.
    """
    if not setting.is_where(actor):
        names = (each.name for each in settings_for(actor))
        where = "of servers" if setting.is_on(actor.platform) else f"in {setting.where}"
        raise UserError(
            f"{setting.name} is a setting {where} only.",
            f"The settings here are {', '.join(names)}.",
        )
    if to_change and not setting.is_for(actor):
        raise UserError(setting.owners, "Ask one of them.")


async def settle(
    context: Context, command: Command, wanted: Mapping[str, str], seen: Mapping[str, str] | None
) -> Reply:
    """Settle what is wanted, and say what became of what.

    Args:
        context: the asker's.
        command: that of settings, for the lines of buttons.
        wanted: texts by name.
        seen: how settings were in the form that this comes from, `None` where it is from none.
    """
    settings = [each for each in TABLE if each.name in wanted]
    for each in settings:
        require(each, context.actor)
    before, after = await _settled(context, wanted, seen)
    left = [*_left(settings, command, wanted, after, context.actor)] if seen is not None else []
    left += _meanwhile(seen or {}, wanted, after, context.actor)
    changed = [each for each in settings if _differs(each, before, after, context.actor)]
    # What is asked again is how it stands, and never the change once more.
    line = write(command, {"name": settings[0].name if len(settings) == 1 else None})
    if not changed and not left:
        pairs = [(each.name, each.in_words(after, context.actor)) for each in settings]
        return replace(unchanged_reply(pairs), command=line)
    told = [_changed(each, before, after, context.actor) for each in changed]
    undo = _undo(command, changed, before, after if seen is not None else None)
    return replace(changed_reply(told, undo, context.actor, left), command=line)


def workspace(context: Context) -> Workspace:
    """Return whose settings the asker's are."""
    return Workspace(context.actor.platform, context.actor.workspace)


async def _settled(
    context: Context, wanted: Mapping[str, str], seen: Mapping[str, str] | None
) -> tuple[WorkspaceSettings, WorkspaceSettings]:
    if not wanted:
        found = await context.workspaces.settings(workspace(context), fresh=True)
        return found, found
    return await context.workspaces.change(
        workspace(context),
        {name: None if text == DEFAULT else text for name, text in wanted.items()},
        context.request,
        None if seen is None else _settings(seen),
    )


def _left(
    settings: Iterable[Setting],
    command: Command,
    wanted: Mapping[str, str],
    after: WorkspaceSettings,
    actor: Actor,
) -> Iterator[Left]:
    """Give what was wanted and stays as somebody else set it."""
    for each in settings:
        words = each.in_words(_settings({each.name: wanted[each.name]}), actor)
        value = each.in_words(after, actor)
        if value != words:
            line = write(command, {"name": each.name, "value": wanted[each.name]})
            yield Left(each.name, value, words, Button(f"Set {each.name} to {words}", line))


def _meanwhile(
    seen: Mapping[str, str], wanted: Mapping[str, str], after: WorkspaceSettings, actor: Actor
) -> Iterator[Left]:
    """Give what nobody wanted to change in the form, and somebody else changed."""
    was = _settings(seen)
    for each in TABLE:
        is_let_be = each.name in seen and each.name not in wanted
        if is_let_be and _differs(each, was, after, actor):
            yield Left(each.name, each.in_words(after, actor))


def _differs(
    setting: Setting, before: WorkspaceSettings, after: WorkspaceSettings, actor: Actor
) -> bool:
    return setting.in_words(before, actor) != setting.in_words(after, actor)


def _changed(
    setting: Setting, before: WorkspaceSettings, after: WorkspaceSettings, actor: Actor
) -> Changed:
    return Changed(setting.name, setting.in_words(before, actor), setting.in_words(after, actor))


def _undo(
    command: Command,
    changed: Iterable[Setting],
    before: WorkspaceSettings,
    after: WorkspaceSettings | None,
) -> str:
    """Return the line that restores what was; with `after`, where it still is so."""
    texts = {each.name: each.text(before) for each in changed}
    if after is None and len(texts) == 1:
        [(name, value)] = texts.items()
        return write(command, {"name": name, "value": value})
    if after is None:
        return write(command, texts)
    now = {each.name: each.text(after) for each in TABLE if each.name in texts}
    return write(command, {**texts, SEEN_NAME: _seen_text(now)})


def _settings(texts: Mapping[str, str]) -> WorkspaceSettings:
    return settings_of({name: text for name, text in texts.items() if text != DEFAULT})


def _seen_text(texts: Mapping[str, str]) -> str:
    return _BETWEEN.join(f"{name}{_IS}{text}" for name, text in texts.items())
