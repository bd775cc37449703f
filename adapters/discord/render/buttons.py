"""Buttons and selects, their custom ids, and new labels for those of a posted message.

The id holds everything, so a button works after a restart and in any process. An id has 100
characters; a longer command string is stored, and the id has its digest.
https://docs.discord.com/developers/components/reference#anatomy-of-a-component
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import discord
from discord import ui

from adapters.common.layout.elements import ButtonAction, ButtonElement, Effect, MenuElement
from adapters.common.layout.pieces import MenuPick
from bot.replies.blocks import Button

LONGEST_ID = 100
# https://docs.discord.com/developers/components/reference#button
LONGEST_LABEL = 80
# https://docs.discord.com/developers/components/reference#string-select
LONGEST_OPTION = 100
MOST_OPTIONS = 25
# https://docs.discord.com/developers/resources/message#create-message (the length of a nonce)
LONGEST_KEY = 25
_DIGEST = "#"  # no command string begins so
_EFFECTS = {effect.value[0]: effect for effect in Effect}
# Of a select, which runs the command string that is chosen.
_SELECT = "p"

# The format of an id: effect and number, part, key of the post or whose words, command string.
_REST = r"(?P<number>\d+)\.(?P<part>\d+)\.(?:@(?P<by>\d*)|(?P<key>[\w-]*))\.(?P<command>.*)"
BUTTON_ID = re.compile(rf"(?P<effect>[rtsf]){_REST}", re.DOTALL)
SELECT_ID = re.compile(rf"(?P<effect>{_SELECT}){_REST}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ComponentAction(ButtonAction):
    """The action of a component; a command with `#` before it is the digest of a stored one.

    `key` is the idempotency key of the post with the component, empty if it is not in a post.
    """

    key: str = ""


def custom_id(action: ComponentAction, number: int) -> str:
    """Return the id of a button; `number` makes it unique in its message."""
    place = action.key if action.by is None else f"@{action.by}"
    prefix = f"{action.effect.value[0]}{number}.{action.part}.{place}."
    return prefix + packed(action.command, LONGEST_ID - len(prefix))


def read_id(text: str) -> ComponentAction | None:
    """Return the action of an id, `None` if it has another format."""
    found = BUTTON_ID.fullmatch(text) or SELECT_ID.fullmatch(text)
    if found is None:
        return None
    return ComponentAction(
        _EFFECTS.get(found["effect"], Effect.RUN),
        found["command"],
        int(found["part"]),
        found["by"],
        found["key"] or "",
    )


def packed(command: str, room: int = LONGEST_OPTION) -> str:
    """Return a command string, or its digest if it is too long."""
    return command if len(command) <= room and command[:1] != _DIGEST else _DIGEST + digest(command)


def is_kept(text: str, command: str) -> bool:
    """Tell whether an id or a value has only the digest of a command string."""
    return not text.endswith(command)


def digest(command: str) -> str:
    """Return the digest of a command string: 22 characters."""
    hashed = hashlib.blake2b(command.encode(), digest_size=16).digest()
    return base64.urlsafe_b64encode(hashed).decode().rstrip("=")


def kept_digest(command: str) -> str | None:
    """Return the digest in an id, `None` if the id has the command string itself."""
    return command.removeprefix(_DIGEST) if command.startswith(_DIGEST) else None


class Controls:
    """The buttons and selects of one message, each with an id of its own.

    It makes them for the post of this key, and knows the lines that ids hold by digest only.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._numbers = count(1)
        self._kept: dict[str, None] = {}

    @property
    def kept(self) -> tuple[str, ...]:
        """The lines that have to be kept."""
        return tuple(self._kept)

    def button(self, element: ButtonElement) -> ui.Button[Any]:
        """Return a button."""
        label = element.label
        action = ComponentAction(
            element.effect, element.command, element.part, element.by, self._key
        )
        return ui.Button(
            label=label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…",
            custom_id=self._noted(action.command, custom_id(action, next(self._numbers))),
        )

    def select(self, menu: MenuElement) -> ui.Select[Any]:
        """Return a select."""
        return ui.Select(
            custom_id=f"{_SELECT}{next(self._numbers)}.1.{self._key}.",
            placeholder=menu.placeholder,
            options=self._options(menu.options),
        )

    def _options(self, picks: Sequence[MenuPick]) -> list[discord.SelectOption]:
        values = [self._noted(pick.command, packed(pick.command)) for pick in picks]
        return [
            discord.SelectOption(label=pick.label, value=value)
            for pick, value in zip(picks, values, strict=True)
        ]

    def _noted(self, line: str, packed_line: str) -> str:
        """Remember a line whose digest stands for it."""
        if is_kept(packed_line, line):
            self._kept[line] = None
        return packed_line


def relabelled(
    message: discord.Message | None, buttons: Sequence[Button]
) -> ui.LayoutView | ui.View | None:
    """Return the components of a message whose buttons take the labels of `buttons`.

    Buttons correspond by their commands. Return `None` if no button does.

    Args:
        message: the message with the pressed button.
        buttons: the buttons with new labels.
    """
    if message is None:
        return None
    view_class: Any = ui.LayoutView if message.flags.components_v2 else ui.View
    view: ui.LayoutView | ui.View = view_class.from_message(message, timeout=None)
    view.stop()  # the client forgets it
    found = False
    for item in view.walk_children():
        button = _new_button(item, buttons)
        if button is not None and isinstance(item, ui.Button):
            item.label, found = button.label, True
    return view if found else None


def _new_button(item: ui.Item[Any], buttons: Sequence[Button]) -> Button | None:
    action = read_id(getattr(item, "custom_id", None) or "")
    if action is None:
        return None
    command, kept = action.command, kept_digest(action.command)
    same = (each for each in buttons if each.command == command or digest(each.command) == kept)
    return next(same, None)
