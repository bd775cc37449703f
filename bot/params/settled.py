"""Values of settings: those of another type, or the word that takes back what was settled."""

from dataclasses import replace
from typing import Any

from bot.command import Context, ParamType
from bot.errors import Option
from bot.params.choices import SWITCH
from bot.params.layouts import LAYOUT
from bot.params.roles import ROLE
from bot.params.zones import ZONE

DEFAULT = "default"


def _or_default(type_: ParamType, meaning: str = "") -> ParamType:
    """Return a type that takes the word too; with a meaning, that is offered first with it."""

    async def read(text: str, context: Context) -> Any:  # noqa: ANN401 - what the type reads
        return DEFAULT if text.strip().lower() == DEFAULT else await type_.read(text, context)

    async def complete(beginning: str, context: Context) -> list[Option]:
        is_begun = bool(meaning) and DEFAULT.startswith(beginning.strip().lower())
        first = [Option(DEFAULT, meaning)] if is_begun else []
        return first + await type_.complete(beginning, context)

    return replace(type_, read=read, complete=complete)


NOT_SET = "not set"
BY_CHANNEL = "thread in a forum, else compact"

SETTLED_ZONE = _or_default(ZONE, NOT_SET)
SETTLED_LAYOUT = _or_default(LAYOUT, BY_CHANNEL)
SETTLED_ROLE = _or_default(ROLE, NOT_SET)
SETTLED_SWITCH = _or_default(SWITCH)
