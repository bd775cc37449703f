"""The settings command: what a workspace settles for itself."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.command import Actor, Command, Context, Group, Param, ParamType, Role
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.params.choices import SWITCH, choice
from bot.params.zones import ZONE
from bot.parsing import write
from bot.replies import Button, Reply
from bot.views.settings import (
    Settled,
    changed_reply,
    setting_reply,
    settings_reply,
    unchanged_reply,
)
from store.records import Workspace, WorkspaceSettings

_DEFAULT = "default"  # the value that takes back what was settled
_OFFERED = 8  # values of each setting, where it is not known which one is meant


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing to settle.

    `type` reads a value as text that is kept, `kept` tells the value of a workspace, `None`
    where it has the default, and `default` says that in words. `likely` are values that an
    actor may want, each with the words on its button.
    """

    name: str
    meaning: str
    type: ParamType
    kept: Callable[[WorkspaceSettings], str | None]
    default: str
    likely: Callable[[Actor], tuple[Option, ...]]

    def in_words(self, settings: WorkspaceSettings) -> str:
        """Word what a workspace settled."""
        return self.kept(settings) or self.default

    def line(self, settings: WorkspaceSettings) -> str:
        """Return the command that settles what stands in these settings."""
        return _line(self.name, self.kept(settings) or _DEFAULT)


def _likely_zones(actor: Actor) -> tuple[Option, ...]:
    own = (Option(actor.zone, f"Set zone to {actor.zone}"),) if actor.zone else ()
    return (*own, Option(_DEFAULT, "Forget the zone"))


def _likely_unfurls(_actor: Actor) -> tuple[Option, ...]:
    return Option("off", "Turn cards off"), Option("on", "Turn cards on")


_SETTINGS = (
    Setting(
        name="zone",
        meaning="the zone of days and times for those whose profile names none",
        type=ZONE,
        kept=lambda settings: settings.zone,
        default="not set",
        likely=_likely_zones,
    ),
    Setting(
        name="unfurls",
        meaning="cards for links to known papers",
        type=SWITCH,
        kept=lambda settings: "on" if settings.unfurls else "off",
        default="on",
        likely=_likely_unfurls,
    ),
)


async def settings(context: Context, name: str | None = None, value: str | None = None) -> Reply:
    """List the settings, say all about one, or change it."""
    if name is None:
        if value is not None:
            raise _nameless()
        found = await context.workspaces.settings(_workspace(context), fresh=True)
        return settings_reply([_settled(each, found, context.actor) for each in _SETTINGS])
    [setting] = [each for each in _SETTINGS if each.name == name]
    if value is None:
        found = await context.workspaces.settings(_workspace(context), fresh=True)
        return setting_reply(_settled(setting, found, context.actor))
    return await _change(context, setting, await _read(setting, value, context))


async def _change(context: Context, setting: Setting, value: str | None) -> Reply:
    before, after = await context.workspaces.change(
        _workspace(context), setting.name, value, context.request
    )
    was, now = setting.in_words(before), setting.in_words(after)
    if was == now:
        reply = unchanged_reply(setting.name, now)
    else:
        reply = changed_reply(setting.name, was, now, setting.line(before))
    # What is shared, or asked again, is how it stands, and never the change once more.
    return replace(reply, line=_line(setting.name))


async def _read(setting: Setting, text: str, context: Context) -> str | None:
    """Read a value, `None` for the default; what is wrong with it is told as of the command."""
    if text.strip().lower() == _DEFAULT:
        return None
    try:
        value: str = await setting.type.read(text, context)
    except ArgumentError as error:
        lines = [_line(setting.name, option.value) for option in error.nearest]
        near = tuple(Suggestion(line, line) for line in lines)
        raise UserError(f"{setting.name}: {error.sentence}", error.remedy, near) from None
    return value


def _settled(setting: Setting, settings: WorkspaceSettings, actor: Actor) -> Settled:
    now = setting.kept(settings) or _DEFAULT
    changes = tuple(
        Button(option.label, _line(setting.name, option.value))
        for option in setting.likely(actor)
        if option.value != now
    )
    takes = f"{setting.type.expected} {_DEFAULT} is as if nobody had set it: {setting.default}."
    return Settled(setting.name, setting.in_words(settings), setting.meaning, takes, changes)


def _nameless() -> UserError:
    lines = [_line(each.name) for each in _SETTINGS]
    return UserError(
        "settings needs the name of what is to have that value.",
        f"Usage: {SETTINGS.usage}",
        tuple(Suggestion(line, line) for line in lines),
    )


def _line(name: str, value: str | None = None) -> str:
    return write(SETTINGS, {"name": name, "value": value})


def _workspace(context: Context) -> Workspace:
    return Workspace(context.actor.platform, context.actor.workspace)


async def _as_typed(text: str, _context: Context) -> str:
    return text


async def _complete_value(beginning: str, context: Context) -> list[Option]:
    """Offer what any setting takes: which one is meant, a value by itself does not tell."""
    typed = beginning.strip().lower()
    found = [Option(_DEFAULT)] if _DEFAULT.startswith(typed) else []
    for setting in _SETTINGS:
        found += (await setting.type.complete(beginning, context))[:_OFFERED]
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
            choice(
                "NAME",
                "a setting",
                f"The settings are {', '.join(each.name for each in _SETTINGS)}.",
                tuple(Option(each.name, each.meaning) for each in _SETTINGS),
            ),
        ),
        Param(
            "value",
            "What it is to be",
            ParamType("VALUE", _as_typed, _complete_value, "settings NAME says what it takes."),
        ),
    ),
    role=Role.MANAGER,
    examples=("settings", "settings zone", "settings zone Europe/Berlin", "settings unfurls off"),
)
