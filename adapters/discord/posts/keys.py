"""Which posts a message is, by the keys in the ids of its buttons. Pure."""

from collections.abc import Iterable, Iterator
from typing import Any

import discord

from adapters.discord.render.buttons import read_id


def keys_of(message: discord.Message) -> set[str]:
    """Return the idempotency keys that a message carries: one, or none where it is no post."""
    presses = (read_id(each) for each in ids_in(message.components))
    return {press.key for press in presses if press and press.key}


def ids_in(components: Iterable[Any]) -> Iterator[str]:
    """Return the ids in components, however deep they are nested."""
    for component in components:
        if found := getattr(component, "custom_id", None):
            yield found
        yield from ids_in(getattr(component, "children", ()))
        yield from ids_in(filter(None, [getattr(component, "accessory", None)]))
