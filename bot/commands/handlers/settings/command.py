"""Settings asked one by one, and changed one by one or several together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.actor import Actor, Role
from bot.commands.handlers.settings.table import TABLE, Setting, settings_for
from bot.commands.handlers.settings.together import (
    SEEN,
    SEEN_NAME,
    asked_for,
    held,
    in_form,
    require,
    settle,
    workspace,
)
from bot.commands.params.choices import choice
from bot.commands.params.resettable import DEFAULT
from bot.commands.parser import write
from bot.commands.types import Command, Context, Group, Param, ParamType, Sheet
from bot.commands.views.settings import Settled, setting_reply, settings_reply
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.replies.blocks import Button, Reply
from store.records import WorkspaceSettings

_OFFERED = 8  # values of each setting, where it is not known which one is meant


async def settings(
    context: Context,
    name: str | None = None,
    value: str | None = None,
    seen: dict[str, str] | None = None,
    **given: Any,  # noqa: ANN401 - what the types of the settings read
) -> Reply:
    """List the settings, say all about one, or change some."""
    wanted = asked_for(given, seen)
    if name is not None and value is not None:
        setting = _setting(name)
        require(setting, context.actor)
        wanted[name] = await _read(setting, value, context)
    elif value is not None:
        raise _nameless(context)
    if wanted or seen is not None:
        return await settle(context, SETTINGS, wanted, seen)
    found = await context.workspaces.settings(workspace(context), fresh=True)
    if name is not None:
        return setting_reply(_settled(_setting(name), found, context.actor))
    here = settings_for(context.actor)
    form = Button("Change settings", SETTINGS.name, form=True)
    return settings_reply(
        [_settled(each, found, context.actor) for each in here], form, context.actor
    )


async def _read(setting: Setting, text: str, context: Context) -> str:
    """Read a value; what is wrong with it is told as of the command."""
    try:
        return str(await setting.type.read(text, context))
    except ArgumentError as error:
        near = (
            Suggestion(option.label or line, line)
            for option in error.nearest
            for line in [_line(setting.name, option.value)]
        )
        raise UserError(f"{setting.name}: {error.sentence}", error.remedy, tuple(near)) from None


def _settled(setting: Setting, settings: WorkspaceSettings, actor: Actor) -> Settled:
    now = setting.text(settings)
    changes = tuple(
        Button(option.label, _line(setting.name, option.value))
        for option in setting.likely(actor)
        if option.value != now and setting.is_for(actor)
    )
    takes = f"{setting.type.expected} {DEFAULT} takes it back: {setting.default(actor)}."
    words = setting.in_words(settings, actor)
    return Settled(setting.name, words, setting.meaning, takes, changes)


def _nameless(context: Context) -> UserError:
    lines = [_line(each.name) for each in settings_for(context.actor)]
    return UserError(
        "settings needs the name of what is to have that value.",
        f"Usage: {SETTINGS.usage_for(context.actor)}",
        tuple(Suggestion(line, line) for line in lines),
    )


def _line(name: str, value: str | None = None) -> str:
    return write(SETTINGS, {"name": name, "value": value})


def _setting(name: str) -> Setting:
    [setting] = [each for each in TABLE if each.name == name]
    return setting


def _named(settings: Sequence[Setting]) -> ParamType:
    """Return the type of a name of one of these settings."""
    options = tuple(Option(each.name, each.meaning) for each in settings)
    everywhere = len(settings) == len(TABLE)
    words = map(_with_platforms, settings) if everywhere else (each.name for each in settings)
    expected = f"The settings are {', '.join(words)}."
    return choice("NAME", "a setting", expected, options)


def _with_platforms(setting: Setting) -> str:
    return f"{setting.name} ({setting.where})" if setting.platforms else setting.name


async def _read_name(text: str, context: Context) -> str:
    typed = text.strip().lower()
    for setting in TABLE:
        if setting.name == typed:
            require(setting, context.actor, to_change=False)
    name: str = await _named(settings_for(context.actor)).read(text, context)
    return name


async def _complete_name(beginning: str, context: Context) -> list[Option]:
    return await _named(settings_for(context.actor)).complete(beginning, context)


async def _as_typed(text: str, _context: Context) -> str:
    return text


async def _complete_value(beginning: str, context: Context) -> list[Option]:
    """Offer what the named setting takes, or any where it isn't known which one is meant."""
    typed = beginning.strip().lower()
    found = [Option(DEFAULT)] if DEFAULT.startswith(typed) else []
    settings = [each for each in TABLE if each.is_for(context.actor)]
    name = context.given.get("name")
    if name and name not in {each.name for each in settings}:
        return []
    meant = [each for each in settings if each.name == name]
    for setting in meant or settings:
        offers = await setting.type.complete(beginning, context)
        others = [each for each in offers if each.value != DEFAULT]
        found += others if meant else others[:_OFFERED]
    return sorted(found, key=lambda option: not option.value.lower().startswith(typed))


SETTINGS = Command(
    name="settings",
    group=Group.CHANNEL,
    summary="What this workspace settled for itself, and changes to it",
    handler=settings,
    params=(
        Param(
            "name",
            "One setting to say more about",
            replace(_named(TABLE), read=_read_name, complete=_complete_name),
        ),
        Param(
            "value",
            "What it is to be",
            ParamType("VALUE", _as_typed, _complete_value, "What it takes depends on the setting."),
        ),
        *(Param(each.name, each.label, each.type, each.name, hidden=True) for each in TABLE),
        Param(SEEN_NAME, "What stood in the form", SEEN, SEEN_NAME, hidden=True),
    ),
    role=Role.MANAGER,
    examples=("settings", "settings zone", "settings zone Europe/Berlin"),
    sheet=Sheet("Settings", "Change", in_form, held, SEEN_NAME),
    private=True,
)
