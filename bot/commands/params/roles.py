"""Roles of a server: mentioned, or named by their name or id. What is kept of one is its id."""

import re
from collections.abc import Sequence
from difflib import get_close_matches

from bot.actor import Named
from bot.commands.types import Context, ParamType
from bot.errors import ArgumentError, Option
from bot.replies.plain_text import quoted

EXPECTED = "A role is mentioned (@Editors), or named by its name or its id."
_OFFERED = 3
_ALIKE = 0.5
_LONGEST = 100  # https://docs.discord.com/developers/resources/guild#create-guild-role
# https://docs.discord.com/developers/reference#message-formatting-formats
_MENTION = re.compile(r"<@&(\d+)>")


def find_role(text: str, roles: Sequence[Named]) -> str:
    """Return the id of the role that a text mentions or names, in any case.

    Raises:
        ArgumentError: if there is none, with the nearest; or if there are several, with each.
    """
    typed = _MENTION.sub(r"\1", text.strip())
    if any(role.id == typed for role in roles):
        return typed
    found = [role for role in roles if _name(role) == _folded(typed)]
    if len(found) == 1:
        return found[0].id
    if found:
        each = tuple(Option(role.id, f"{role.name} · {role.id}") for role in found)
        raise ArgumentError(f"Several roles are called {quoted(typed)}.", "Which one?", each)
    names = dict.fromkeys(map(_name, roles))
    near = get_close_matches(_folded(typed)[:_LONGEST], names, n=_OFFERED, cutoff=_ALIKE)
    nearest = [Option(role.id, role.name) for role in roles if _name(role) in near]
    raise ArgumentError(
        f"There is no role {quoted(typed)} here.", EXPECTED, tuple(nearest[:_OFFERED])
    )


def role_name(kept: str, roles: Sequence[Named]) -> str:
    """Return the name of a stored role id."""
    names = (role.name for role in roles if role.id == kept)
    return next(names, f"{kept} (no such role is here now)")


def _name(role: Named) -> str:
    return _folded(role.name)


def _folded(name: str) -> str:
    """Return a name for comparison: on one line, in one case, without its sign."""
    return " ".join(name.split()).removeprefix("@").casefold()


async def _read(text: str, context: Context) -> str:
    return find_role(text, context.actor.roles())


async def _complete(beginning: str, context: Context) -> list[Option]:
    """Complete a role by any part of its name, those that begin so first."""
    typed, roles = _folded(beginning), context.actor.roles()
    found = [role for role in roles if typed in _name(role)]
    found.sort(key=lambda role: not _name(role).startswith(typed))
    return [_option(role, roles) for role in found]


def _option(role: Named, roles: Sequence[Named]) -> Option:
    """Offer a role by its name, or by its id if another role has that name."""
    means = sum(_name(role) in (_name(other), other.id) for other in roles)
    return Option(role.name) if means == 1 else Option(role.id, role.name)


ROLE = ParamType("ROLE", _read, _complete, EXPECTED)
