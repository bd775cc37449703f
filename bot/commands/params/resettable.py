"""Values of settings: those of another type, or the word that takes back what was settled."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.actor import Actor
from bot.commands.params.choices import LAYOUT, SWITCH
from bot.commands.params.roles import ROLE
from bot.commands.params.times.zones import ZONE
from bot.commands.types import Context, ParamType
from bot.errors import Option

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
