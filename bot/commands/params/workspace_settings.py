"""The settings of a workspace, each with the type of its values."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.actor import Actor
from bot.commands.params.channels_and_roles import ROLE, role_name
from bot.commands.params.scalars import LAYOUT, SWITCH
from bot.commands.params.times import ZONE
from bot.commands.types import Context, ParamType
from bot.domain.zones import zone_in_words
from bot.errors import Option
from store.records import WorkspaceSettings

DEFAULT = "default"


def _not_set(_actor: Actor) -> str:
    """Describe the default of a setting that has none."""
    return "not set"


def _by_channel(actor: Actor) -> str:
    """Describe the default layout: only Discord's servers have forums."""
    has_forums = actor.platform == "discord" and not actor.is_alone
    return "thread in a forum, else compact" if has_forums else "compact"


def _or_default(type_: ParamType, meaning: Callable[[Actor], str] | None = None) -> ParamType:
    """Return a type that accepts `default` too, and completes it if its meaning is given."""

    async def read(text: str, context: Context) -> Any:  # noqa: ANN401 - what the type reads
        return DEFAULT if text.strip().lower() == DEFAULT else await type_.read(text, context)

    async def complete(beginning: str, context: Context) -> list[Option]:
        is_begun = DEFAULT.startswith(beginning.strip().lower())
        first = [Option(DEFAULT, meaning(context.actor))] if meaning and is_begun else []
        return first + await type_.complete(beginning, context)

    return replace(type_, read=read, complete=complete)


SETTLED_ZONE = _or_default(ZONE, _not_set)
SETTLED_LAYOUT = _or_default(LAYOUT, _by_channel)
SETTLED_ROLE = _or_default(ROLE, _not_set)
SETTLED_SWITCH = _or_default(SWITCH)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a workspace.

    `label` is the label of its field in a form; `type` reads a value as the text that is stored,
    and `stored` returns that of a workspace, `None` for the default. `likely` returns likely values
    for an actor, each with the label of a button. `platforms` are those that have it, `None` for
    all; with `needs_members` a workspace of one user has it not. `owners` is a sentence about who
    may change it, if a manager may not. `exists` tells whether a stored value still exists.
    """

    name: str
    meaning: str
    label: str
    type: ParamType
    stored: Callable[[WorkspaceSettings], str | None]
    default: Callable[[Actor], str]
    likely: Callable[[Actor], tuple[Option, ...]]
    platforms: frozenset[str] | None = None
    needs_members: bool = False
    owners: str = ""
    shown: Callable[[str, Actor], str] = lambda value, _actor: value
    has_values: Callable[[Actor], bool] = lambda _actor: True
    exists: Callable[[str, Actor], bool] = lambda _value, _actor: True

    def is_on(self, platform: str) -> bool:
        """Tell whether a platform has the setting."""
        return self.platforms is None or platform in self.platforms

    def is_where(self, actor: Actor) -> bool:
        """Tell whether an actor's workspace has the setting."""
        return self.is_on(actor.platform) and not (self.needs_members and actor.is_alone)

    @property
    def where(self) -> str:
        """The platforms that have the setting, if not all do."""
        return " and ".join(name.capitalize() for name in sorted(self.platforms or ()))

    def is_for(self, actor: Actor) -> bool:
        """Tell whether an actor who is a manager may change the setting."""
        return self.is_where(actor) and (actor.owns or not self.owners)

    def in_words(self, settings: WorkspaceSettings, actor: Actor) -> str:
        """Word the value of a workspace."""
        stored = self.stored(settings)
        return self.shown(stored, actor) if stored else self.default(actor)

    def text(self, settings: WorkspaceSettings) -> str:
        """Return the value of a workspace as it is typed."""
        return self.stored(settings) or DEFAULT


def _likely_zones(actor: Actor) -> tuple[Option, ...]:
    own = (Option(actor.zone, f"Set zone to {actor.zone}"),) if actor.zone else ()
    return (*own, Option(DEFAULT, "Forget the zone"))


TABLE = (
    Setting(
        name="zone",
        meaning="the zone of days and times for those whose profile names none",
        label="Time zone",
        type=SETTLED_ZONE,
        stored=lambda settings: settings.zone,
        default=_not_set,
        likely=_likely_zones,
        shown=lambda value, _actor: zone_in_words(value),
    ),
    Setting(
        name="layout",
        meaning="how posts of new subscriptions are laid out",
        label="Layout of posts",
        type=SETTLED_LAYOUT,
        stored=lambda settings: settings.layout and settings.layout.value,
        default=_by_channel,
        likely=lambda _actor: (Option(DEFAULT, "Forget the layout"),),
    ),
    Setting(
        name="unfurls",
        meaning="cards for links to known papers",
        label="Cards below links",
        type=SETTLED_SWITCH,
        stored=lambda settings: "on" if settings.unfurls else "off",
        default=lambda _actor: "on",
        likely=lambda _actor: (Option("off", "Turn cards off"), Option("on", "Turn cards on")),
        platforms=frozenset({"slack"}),  # other platforms notify the bot of no links
    ),
    Setting(
        name="role",
        meaning="the role whose members may manage posts and settings too",
        label="Role of managers",
        type=SETTLED_ROLE,
        stored=lambda settings: settings.role,
        default=_not_set,
        likely=lambda _actor: (Option(DEFAULT, "Forget the role"),),
        platforms=frozenset({"discord"}),
        needs_members=True,
        # A manager by this role alone could give it to others, or take it from all.
        owners="Only those with the permission Manage Server may change role.",
        shown=lambda value, actor: role_name(value, actor.roles()),
        has_values=lambda actor: bool(actor.roles()),
        exists=lambda value, actor: any(role.id == value for role in actor.roles()),
    ),
)


def settings_for(actor: Actor) -> list[Setting]:
    """Return the settings of an actor's workspace."""
    return [each for each in TABLE if each.is_where(actor)]
