"""The settings that there are: a row each."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.actor import Actor
from bot.commands.params.choices import LAYOUT, SWITCH
from bot.commands.params.post_times import ZONE
from bot.commands.params.roles import ROLE, role_name
from bot.commands.types import Context, ParamType
from bot.errors import Option
from store.records import WorkspaceSettings

DEFAULT = "default"


def not_set(_actor: Actor) -> str:
    """Say of a setting that nobody set it, which is all there is to say."""
    return "not set"


def by_channel(actor: Actor) -> str:
    """Say how posts are laid out where nobody settled it: only Discord's servers have forums."""
    has_forums = actor.platform == "discord" and not actor.is_alone
    return "thread in a forum, else compact" if has_forums else "compact"


def _or_default(type_: ParamType, meaning: Callable[[Actor], str] | None = None) -> ParamType:
    """Return a type that takes the word too; with a meaning, that is offered first with it."""

    async def read(text: str, context: Context) -> Any:  # noqa: ANN401 - what the type reads
        return DEFAULT if text.strip().lower() == DEFAULT else await type_.read(text, context)

    async def complete(beginning: str, context: Context) -> list[Option]:
        is_begun = DEFAULT.startswith(beginning.strip().lower())
        first = [Option(DEFAULT, meaning(context.actor))] if meaning and is_begun else []
        return first + await type_.complete(beginning, context)

    return replace(type_, read=read, complete=complete)


SETTLED_ZONE = _or_default(ZONE, not_set)
SETTLED_LAYOUT = _or_default(LAYOUT, by_channel)
SETTLED_ROLE = _or_default(ROLE, not_set)
SETTLED_SWITCH = _or_default(SWITCH)


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing to settle.

    `type` reads a value as text that is kept, `kept` tells the value of a workspace, `None`
    where it has the default, and `default` says that in words to an actor. `label` stands over its
    field in a form. `likely` are values that an actor may want, each with the words on its button.
    `platforms` are those that have it, `None` where all do; what `takes_others` is no setting
    where an actor is alone. `owners` says in a sentence that it takes more than a manager, where
    it does; `shown` words a value for an actor; `has_values` tells whether there is anything to
    choose from where an actor is, and `exists` whether a value that is kept is still one.
    """

    name: str
    meaning: str
    label: str
    type: ParamType
    kept: Callable[[WorkspaceSettings], str | None]
    default: Callable[[Actor], str]
    likely: Callable[[Actor], tuple[Option, ...]]
    platforms: frozenset[str] | None = None
    takes_others: bool = False
    owners: str = ""
    shown: Callable[[str, Actor], str] = lambda value, _actor: value
    has_values: Callable[[Actor], bool] = lambda _actor: True
    exists: Callable[[str, Actor], bool] = lambda _value, _actor: True

    def is_on(self, platform: str) -> bool:
        """Tell whether a platform has this setting."""
        return self.platforms is None or platform in self.platforms

    def is_where(self, actor: Actor) -> bool:
        """Tell whether there is this setting where an actor is."""
        return self.is_on(actor.platform) and not (self.takes_others and actor.is_alone)

    @property
    def where(self) -> str:
        """The platforms that have it, where not all do."""
        return " and ".join(name.capitalize() for name in sorted(self.platforms or ()))

    def is_for(self, actor: Actor) -> bool:
        """Tell whether an actor, if a manager, may change this."""
        return self.is_where(actor) and (actor.owns or not self.owners)

    def in_words(self, settings: WorkspaceSettings, actor: Actor) -> str:
        """Word what a workspace settled."""
        kept = self.kept(settings)
        return self.shown(kept, actor) if kept else self.default(actor)

    def text(self, settings: WorkspaceSettings) -> str:
        """Return what a workspace settled as it is typed."""
        return self.kept(settings) or DEFAULT


def _likely_zones(actor: Actor) -> tuple[Option, ...]:
    own = (Option(actor.zone, f"Set zone to {actor.zone}"),) if actor.zone else ()
    return (*own, Option(DEFAULT, "Forget the zone"))


def _likely_layouts(_actor: Actor) -> tuple[Option, ...]:
    return (Option(DEFAULT, "Forget the layout"),)


def _likely_unfurls(_actor: Actor) -> tuple[Option, ...]:
    return Option("off", "Turn cards off"), Option("on", "Turn cards on")


def _likely_roles(_actor: Actor) -> tuple[Option, ...]:
    return (Option(DEFAULT, "Forget the role"),)


TABLE = (
    Setting(
        name="zone",
        meaning="the zone of days and times for those whose profile names none",
        label="The zone of those whose profile names none",
        type=SETTLED_ZONE,
        kept=lambda settings: settings.zone,
        default=not_set,
        likely=_likely_zones,
    ),
    Setting(
        name="layout",
        meaning="how posts of new subscriptions are laid out",
        label="The layout of new subscriptions",
        type=SETTLED_LAYOUT,
        kept=lambda settings: settings.layout and settings.layout.value,
        default=by_channel,
        likely=_likely_layouts,
    ),
    Setting(
        name="unfurls",
        meaning="cards for links to known papers",
        label="Cards for links to known papers",
        type=SETTLED_SWITCH,
        kept=lambda settings: "on" if settings.unfurls else "off",
        default=lambda _actor: "on",
        likely=_likely_unfurls,
        platforms=frozenset({"slack"}),  # elsewhere nobody tells the bot of links
    ),
    Setting(
        name="role",
        meaning="the role whose members may manage posts and settings too",
        label="The role whose members may manage too",
        type=SETTLED_ROLE,
        kept=lambda settings: settings.role,
        default=not_set,
        likely=_likely_roles,
        platforms=frozenset({"discord"}),
        takes_others=True,
        # Whoever has only the role could else hand it on to others, or take it from all.
        owners="Only those with the permission Manage Server may change role.",
        shown=lambda value, actor: role_name(value, actor.roles()),
        has_values=lambda actor: bool(actor.roles()),
        exists=lambda value, actor: any(role.id == value for role in actor.roles()),
    ),
)


def settings_for(actor: Actor) -> list[Setting]:
    """Return the settings that there are where an actor is."""
    return [each for each in TABLE if each.is_where(actor)]
