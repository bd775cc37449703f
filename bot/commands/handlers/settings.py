"""The settings command: the settings of a workspace, shown and changed.

A form carries the settings that it showed, so that it overwrites no change that another user made
meanwhile.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.actor import Actor, Role
from bot.commands.params.scalars import choice
from bot.commands.params.workspace_settings import DEFAULT, TABLE, Setting, settings_for
from bot.commands.parser import command_string
from bot.commands.types import (
    Command,
    Context,
    Form,
    Group,
    Param,
    ParamType,
    as_typed,
    complete_nothing,
)
from bot.errors import ArgumentError, Choice, Option, SeveralMeant, Suggestion, UserError
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    Level,
    Notice,
    Reply,
    Text,
    Title,
    Undo,
)
from bot.replies.plain_text import quoted
from bot.replies.wording import capitalised, workspace_noun
from store.records import WorkspaceSettings
from store.workspaces.workspaces import settings_from

_OFFERED = 8  # values of each setting, if none is named


async def settings(
    context: Context,
    name: str | None = None,
    value: str | None = None,
    seen: dict[str, str] | None = None,
    **texts: Any,  # noqa: ANN401 - what the types of the settings read
) -> Reply:
    """List the settings, say all about one, or change some."""
    wanted = _changes(texts, seen)
    if name is not None and value is not None:
        setting = _named_setting(name)
        _require(setting, context.actor)
        wanted[name] = await _read(setting, value, context)
    elif value is not None:
        raise _nameless(context)
    if wanted or seen is not None:
        return await _apply(context, wanted, seen)
    actor = context.actor
    found = await context.workspaces.settings(context.workspace, fresh=True)
    if name is not None:
        setting = _named_setting(name)
        takes = f"{setting.type.expected} {DEFAULT} resets it: {setting.default(actor)}."
        facts = (
            ("now", setting.in_words(found, actor)),
            ("means", setting.meaning),
            ("takes", takes),
        )
        blocks = (Title(f"Setting: {name}"), Fields(facts))
        return _with_buttons(blocks, _likely_changes(setting, found, actor))
    here = settings_for(actor)
    pairs = tuple((each.name, f"{each.in_words(found, actor)} · {each.meaning}") for each in here)
    likely = [button for each in here for button in _likely_changes(each, found, actor)]
    form = Button("Change settings", SETTINGS.name, form=True)
    title = Title("Settings"), Text(_whose(actor))
    return _with_buttons((*title, Fields(pairs)), [form, *likely])


async def _read(setting: Setting, text: str, context: Context) -> str:
    """Read the value of a setting; its error names the setting."""
    try:
        return str(await setting.type.read(text, context))
    except ArgumentError as error:
        near = (
            Suggestion(option.label or string, string)
            for option in error.nearest
            for string in [_string(setting.name, option.value)]
        )
        kind = Choice if isinstance(error, SeveralMeant) else UserError
        raise kind(f"{setting.name}: {error.sentence}", error.remedy, tuple(near)) from None


def _likely_changes(setting: Setting, settings: WorkspaceSettings, actor: Actor) -> list[Button]:
    if not setting.is_for(actor):
        return []
    now = setting.text(settings)
    return [
        Button(option.label, _string(setting.name, option.value))
        for option in setting.likely(actor)
        if option.value != now
    ]


def _nameless(context: Context) -> UserError:
    strings = [_string(each.name) for each in settings_for(context.actor)]
    return UserError(
        "settings needs the name of what is to have that value.",
        f"Usage: {SETTINGS.usage_for(context.actor)}",
        tuple(Suggestion(each, each) for each in strings),
    )


def _string(name: str, value: str | None = None) -> str:
    return command_string(SETTINGS, {"name": name, "value": value})


def _named_setting(name: str) -> Setting:
    [setting] = [each for each in TABLE if each.name == name]
    return setting


def _named(settings: Sequence[Setting]) -> ParamType:
    """Return the type of a name of one of these settings."""
    options = tuple(Option(each.name, each.meaning) for each in settings)
    everywhere = len(settings) == len(TABLE)
    words = (
        f"{each.name} ({each.where})" if everywhere and each.platforms else each.name
        for each in settings
    )
    expected = f"The settings are {', '.join(words)}."
    return choice("NAME", "a setting", expected, options)


async def _read_name(text: str, context: Context) -> str:
    typed = text.strip().lower()
    for setting in TABLE:
        if setting.name == typed:
            _require(setting, context.actor, to_change=False)
    name: str = await _named(settings_for(context.actor)).read(text, context)
    return name


async def _complete_name(beginning: str, context: Context) -> list[Option]:
    return await _named(settings_for(context.actor)).complete(beginning, context)


async def _complete_value(beginning: str, context: Context) -> list[Option]:
    """Complete the values of the named setting, or of all."""
    typed = beginning.strip().lower()
    found = [Option(DEFAULT)] if DEFAULT.startswith(typed) else []
    settings = [each for each in TABLE if each.is_for(context.actor)]
    name = context.arguments.get("name")
    if name and name not in {each.name for each in settings}:
        return []
    meant = [each for each in settings if each.name == name]
    for setting in meant or settings:
        offers = await setting.type.complete(beginning, context)
        others = [each for each in offers if each.value != DEFAULT]
        found += others if meant else others[:_OFFERED]
    return sorted(found, key=lambda option: not option.value.lower().startswith(typed))


SEEN_NAME = "seen"
_BETWEEN, _IS = ",", "="  # in no value


async def _read_seen(text: str, _context: Context) -> dict[str, str]:
    """Read the settings that a form showed: `zone=UTC,layout=default`."""
    pairs = [each.partition(_IS) for each in text.split(_BETWEEN) if each]
    seen = {name: value for name, _, value in pairs}
    if not all(seen.values()) or not seen.keys() <= {each.name for each in TABLE}:
        raise ArgumentError(f"I can't read {quoted(text)} as how settings were.", SEEN.expected)
    return seen


SEEN = ParamType("SEEN", _read_seen, complete_nothing, "A form has it, and nobody types it.")


def _form_fields(actor: Actor) -> tuple[str, ...]:
    """Return the settings that the form asks an actor for."""
    return tuple(
        each.name for each in settings_for(actor) if each.is_for(actor) and each.has_values(actor)
    )


async def _form_values(context: Context) -> dict[str, str]:
    """Return the present values of the form; a role that no longer exists becomes the default."""
    found = await context.workspaces.settings(context.workspace, fresh=True)
    asked = [each for each in TABLE if each.name in _form_fields(context.actor)]
    seen = {each.name: each.text(found) for each in asked}
    lost = {each.name: DEFAULT for each in asked if not each.exists(seen[each.name], context.actor)}
    return seen | lost | {SEEN_NAME: _seen_text(seen)}


def _changes(texts: Mapping[str, Any], seen: Mapping[str, str] | None) -> dict[str, str]:
    """Return the wanted texts by name; of a form, those of the fields that the user changed."""
    texts = {name: str(value) for name, value in texts.items()}
    if seen is None:
        return texts
    entered = {name: texts.get(name, DEFAULT) for name in seen}
    return {name: text for name, text in entered.items() if text != seen[name]}


def _require(setting: Setting, actor: Actor, *, to_change: bool = True) -> None:
    """Refuse a setting that does not exist here, or that the actor may not change."""
    if not setting.is_where(actor):
        names = (each.name for each in settings_for(actor))
        where = "of servers" if setting.is_on(actor.platform) else f"in {setting.where}"
        raise UserError(
            f"{setting.name} is a setting {where} only.",
            f"The settings here are {', '.join(names)}.",
        )
    if to_change and not setting.is_for(actor):
        raise UserError(setting.owners, "Ask one of them.")


async def _apply(
    context: Context, wanted: Mapping[str, str], seen: Mapping[str, str] | None
) -> Reply:
    """Change settings, and report the changes and the conflicts with other users' changes.

    `wanted` are texts by name; `seen` are the settings that a form showed, if there was one.
    """
    actor = context.actor
    settings = [each for each in TABLE if each.name in wanted]
    for each in settings:
        _require(each, actor)
    before, after = await _written_settings(context, wanted, seen)
    # The answer is repeated without the change.
    again = command_string(SETTINGS, {"name": settings[0].name if len(settings) == 1 else None})
    blocks: list[Block] = []
    buttons: list[Button] = []
    undo: Undo | None = None
    if changed := [each for each in settings if _differs(each, before, after, actor)]:
        pairs = tuple(
            (each.name, f"{each.in_words(before, actor)} → {each.in_words(after, actor)}")
            for each in changed
        )
        [(name, change), *others] = pairs
        sentence = f"{len(pairs)} settings were changed." if others else f"{name}: {change}"
        blocks.append(Notice(Level.INFO, sentence, _whose(actor)))
        if others:
            blocks.append(Fields(pairs))
        before_it = _restoring(changed, before, after)
        buttons.append(Button("Undo", before_it))
        what = f"{len(pairs)} settings" if others else f"the setting {name}: {change}"
        undo = Undo(f"changed {what}", (before_it,), there=True)
    if seen is not None:
        for notice, button in _conflicts(settings, wanted, after, actor):
            blocks.append(notice)
            buttons.append(button)
        blocks += _meanwhile(seen, wanted, after, actor)
    if not blocks:
        values = (f"{each.name}: {each.in_words(after, actor)}, as before." for each in settings)
        blocks.append(Notice(Level.INFO, " ".join(values) or "Nothing has changed."))
    return replace(_with_buttons(blocks, buttons), command=again, undo=undo)


async def _written_settings(
    context: Context, wanted: Mapping[str, str], seen: Mapping[str, str] | None
) -> tuple[WorkspaceSettings, WorkspaceSettings]:
    if not wanted:
        found = await context.workspaces.settings(context.workspace, fresh=True)
        return found, found
    return await context.workspaces.change(
        context.workspace,
        {name: None if text == DEFAULT else text for name, text in wanted.items()},
        context.request,
        None if seen is None else _settings(seen),
    )


def _conflicts(
    settings: Iterable[Setting], wanted: Mapping[str, str], after: WorkspaceSettings, actor: Actor
) -> Iterator[tuple[Notice, Button]]:
    """Yield the settings that stay as another user set them, with buttons that set them anyway."""
    for each in settings:
        words = each.in_words(_settings({each.name: wanted[each.name]}), actor)
        value = each.in_words(after, actor)
        if value != words:
            sentence = f"{each.name} was not changed: somebody else set it to {value} meanwhile."
            notice = Notice(Level.WARNING, sentence, f"You wanted {words}.")
            command = _string(each.name, wanted[each.name])
            yield notice, Button(f"Set {each.name} to {words}", command)


def _meanwhile(
    seen: Mapping[str, str], wanted: Mapping[str, str], after: WorkspaceSettings, actor: Actor
) -> Iterator[Notice]:
    """Yield the settings that another user changed meanwhile, and this one did not."""
    was = _settings(seen)
    for each in TABLE:
        is_untouched = each.name in seen and each.name not in wanted
        if is_untouched and _differs(each, was, after, actor):
            value = each.in_words(after, actor)
            sentence = f"{each.name} is {value} now: somebody else changed it meanwhile."
            yield Notice(Level.INFO, sentence)


def _differs(
    setting: Setting, before: WorkspaceSettings, after: WorkspaceSettings, actor: Actor
) -> bool:
    return setting.in_words(before, actor) != setting.in_words(after, actor)


def _restoring(
    changed: Iterable[Setting], before: WorkspaceSettings, after: WorkspaceSettings
) -> str:
    """Return the command string that restores settings, unless they change again."""
    texts = {each.name: each.text(before) for each in changed}
    now = {each.name: each.text(after) for each in TABLE if each.name in texts}
    return command_string(SETTINGS, {**texts, SEEN_NAME: _seen_text(now)})


def _whose(actor: Actor) -> str:
    if actor.is_alone:
        return "What is settled here holds for you alone, in direct messages."
    return f"What is settled here holds for everybody in this {workspace_noun(actor.platform)}."


def _with_buttons(blocks: Sequence[Block], buttons: Sequence[Button]) -> Reply:
    return Reply((*blocks, Actions(tuple(buttons))) if buttons else tuple(blocks))


def _settings(texts: Mapping[str, str]) -> WorkspaceSettings:
    return settings_from({name: text for name, text in texts.items() if text != DEFAULT})


def _seen_text(texts: Mapping[str, str]) -> str:
    return _BETWEEN.join(f"{name}{_IS}{text}" for name, text in texts.items())


def _param(setting: Setting) -> Param:
    """Return the parameter that the form sets a setting by."""
    hint = f"{capitalised(setting.meaning)}."
    return Param(
        setting.name,
        setting.label,
        setting.type,
        setting.name,
        hidden=True,
        label=setting.label,
        hint=hint,
    )


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
            ParamType("VALUE", as_typed, _complete_value, "What it takes depends on the setting."),
        ),
        *map(_param, TABLE),
        Param(SEEN_NAME, "What stood in the form", SEEN, SEEN_NAME, buttons=True),
    ),
    role=Role.MANAGER,
    examples=("settings", "settings zone", "settings zone Europe/Berlin"),
    form=Form("Settings", "Change", _form_values, lambda actor, _arguments: _form_fields(actor)),
    private=True,
)
