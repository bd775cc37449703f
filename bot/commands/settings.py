"""The settings command: what a workspace settles for itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.command import Actor, Command, Context, Group, Param, ParamType, Role
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.params.choices import SWITCH, choice
from bot.params.layouts import LAYOUT
from bot.params.roles import ROLE, role_name
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
    actor may want, each with the words on its button. `platforms` are those that have it,
    `None` where all do; `owners` says in a sentence that it takes more than a manager, where
    it does; `shown` words a value for an actor.
    """

    name: str
    meaning: str
    type: ParamType
    kept: Callable[[WorkspaceSettings], str | None]
    default: str
    likely: Callable[[Actor], tuple[Option, ...]]
    platforms: frozenset[str] | None = None
    owners: str = ""
    shown: Callable[[str, Actor], str] = lambda value, _actor: value

    def is_on(self, platform: str) -> bool:
        """Tell whether a platform has this setting."""
        return self.platforms is None or platform in self.platforms

    def is_for(self, actor: Actor) -> bool:
        """Tell whether an actor, if a manager, may change this."""
        return self.is_on(actor.platform) and (actor.owns or not self.owners)

    def in_words(self, settings: WorkspaceSettings, actor: Actor) -> str:
        """Word what a workspace settled."""
        kept = self.kept(settings)
        return self.shown(kept, actor) if kept else self.default

    def line(self, settings: WorkspaceSettings) -> str:
        """Return the command that settles what stands in these settings."""
        return _line(self.name, self.kept(settings) or _DEFAULT)


def _likely_zones(actor: Actor) -> tuple[Option, ...]:
    own = (Option(actor.zone, f"Set zone to {actor.zone}"),) if actor.zone else ()
    return (*own, Option(_DEFAULT, "Forget the zone"))


def _likely_layouts(_actor: Actor) -> tuple[Option, ...]:
    return (Option(_DEFAULT, "Forget the layout"),)


def _likely_unfurls(_actor: Actor) -> tuple[Option, ...]:
    return Option("off", "Turn cards off"), Option("on", "Turn cards on")


def _likely_roles(_actor: Actor) -> tuple[Option, ...]:
    return (Option(_DEFAULT, "Forget the role"),)


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
        name="layout",
        meaning="how posts of new subscriptions are laid out",
        type=LAYOUT,
        kept=lambda settings: settings.layout and settings.layout.value,
        default="thread in a forum, else compact",
        likely=_likely_layouts,
    ),
    Setting(
        name="unfurls",
        meaning="cards for links to known papers",
        type=SWITCH,
        kept=lambda settings: "on" if settings.unfurls else "off",
        default="on",
        likely=_likely_unfurls,
        platforms=frozenset({"slack"}),  # elsewhere nobody tells the bot of links
    ),
    Setting(
        name="role",
        meaning="the role whose members may manage posts and settings too",
        type=ROLE,
        kept=lambda settings: settings.role,
        default="not set",
        likely=_likely_roles,
        platforms=frozenset({"discord"}),
        # Whoever has only the role could else hand it on to others, or take it from all.
        owners="Only those with the permission Manage Server may change role.",
        shown=lambda value, actor: role_name(value, actor.roles()),
    ),
)


async def settings(context: Context, name: str | None = None, value: str | None = None) -> Reply:
    """List the settings, say all about one, or change it."""
    if name is None:
        if value is not None:
            raise _nameless(context)
        found = await context.workspaces.settings(_workspace(context), fresh=True)
        return settings_reply([_settled(each, found, context.actor) for each in _here(context)])
    [setting] = [each for each in _SETTINGS if each.name == name]
    if value is None:
        found = await context.workspaces.settings(_workspace(context), fresh=True)
        return setting_reply(_settled(setting, found, context.actor))
    if not setting.is_for(context.actor):
        raise UserError(setting.owners, "Ask one of them.")
    return await _change(context, setting, await _read(setting, value, context))


async def _change(context: Context, setting: Setting, value: str | None) -> Reply:
    before, after = await context.workspaces.change(
        _workspace(context), setting.name, value, context.request
    )
    was, now = (setting.in_words(each, context.actor) for each in (before, after))
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
        value = str(await setting.type.read(text, context))
    except ArgumentError as error:
        near = (
            Suggestion(option.label or line, line)
            for option in error.nearest
            for line in [_line(setting.name, option.value)]
        )
        raise UserError(f"{setting.name}: {error.sentence}", error.remedy, tuple(near)) from None
    return value


def _settled(setting: Setting, settings: WorkspaceSettings, actor: Actor) -> Settled:
    now = setting.kept(settings) or _DEFAULT
    changes = tuple(
        Button(option.label, _line(setting.name, option.value))
        for option in setting.likely(actor)
        if option.value != now and setting.is_for(actor)
    )
    takes = f"{setting.type.expected} {_DEFAULT} is as if nobody had set it: {setting.default}."
    words = setting.in_words(settings, actor)
    return Settled(setting.name, words, setting.meaning, takes, changes)


def _nameless(context: Context) -> UserError:
    lines = [_line(each.name) for each in _here(context)]
    return UserError(
        "settings needs the name of what is to have that value.",
        f"Usage: {SETTINGS.usage_for(context.actor)}",
        tuple(Suggestion(line, line) for line in lines),
    )


def _line(name: str, value: str | None = None) -> str:
    return write(SETTINGS, {"name": name, "value": value})


def _workspace(context: Context) -> Workspace:
    return Workspace(context.actor.platform, context.actor.workspace)


def _here(context: Context) -> list[Setting]:
    return [each for each in _SETTINGS if each.is_on(context.actor.platform)]


def _named(settings: Sequence[Setting]) -> ParamType:
    """Return the type of a name of one of these settings."""
    options = tuple(Option(each.name, each.meaning) for each in settings)
    everywhere = len(settings) == len(_SETTINGS)
    words = map(_with_platforms, settings) if everywhere else (each.name for each in settings)
    expected = f"The settings are {', '.join(words)}."
    return choice("NAME", "a setting", expected, options)


def _with_platforms(setting: Setting) -> str:
    return f"{setting.name} ({_where(setting)})" if setting.platforms else setting.name


def _where(setting: Setting) -> str:
    return " and ".join(name.capitalize() for name in sorted(setting.platforms or ()))


async def _read_name(text: str, context: Context) -> str:
    here, typed = _here(context), text.strip().lower()
    for setting in _SETTINGS:
        if setting.name == typed and setting not in here:
            raise UserError(
                f"{typed} is a setting in {_where(setting)} only.",
                f"The settings here are {', '.join(each.name for each in here)}.",
            )
    name: str = await _named(here).read(text, context)
    return name


async def _complete_name(beginning: str, context: Context) -> list[Option]:
    return await _named(_here(context)).complete(beginning, context)


async def _as_typed(text: str, _context: Context) -> str:
    return text


async def _complete_value(beginning: str, context: Context) -> list[Option]:
    """Offer what the named setting takes, or any where it isn't known which one is meant."""
    typed = beginning.strip().lower()
    found = [Option(_DEFAULT)] if _DEFAULT.startswith(typed) else []
    settings = [each for each in _SETTINGS if each.is_for(context.actor)]
    name = context.given.get("name")
    if name and name not in {each.name for each in settings}:
        return []
    meant = [each for each in settings if each.name == name]
    for setting in meant or settings:
        offers = await setting.type.complete(beginning, context)
        found += offers if meant else offers[:_OFFERED]
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
            replace(_named(_SETTINGS), read=_read_name, complete=_complete_name),
        ),
        Param(
            "value",
            "What it is to be",
            ParamType("VALUE", _as_typed, _complete_value, "What it takes depends on the setting."),
        ),
    ),
    role=Role.MANAGER,
    examples=("settings", "settings zone", "settings zone Europe/Berlin"),
)
