"""Reads what is rendered for Slack as a person sees it, and finds what was not ours to mean."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from adapters.common.layout.elements import ButtonAction
from adapters.slack.render import Rendered
from adapters.slack.render.buttons import read_action
from tests.fakes.slack.records import elements

_TOKEN = re.compile(
    r"<(?P<url>https?://[^|<>\s]+)(?:\|(?P<label>[^<>\n]+))?>"
    r"|(?P<style>(?<!\w)[*_]|[*_](?!\w))"
    r"|(?P<effective>(?<!\w)[~`]|[~`](?!\w)|:(?=[\w+-]+:)|[<>]|^&gt;)"
    r"|(?P<plain>.)",
    re.DOTALL | re.MULTILINE,
)
# Signs that stand for those which would mean something.
_ALIKE = str.maketrans(
    {
        "\N{ASTERISK OPERATOR}": "*",
        "\N{MODIFIER LETTER LOW MACRON}": "_",
        "\N{TILDE OPERATOR}": "~",
        "\N{MODIFIER LETTER GRAVE ACCENT}": "`",
        "\N{MODIFIER LETTER COLON}": ":",
        "\u200b": "",
    }
)


def shown_words(mrkdwn: str) -> str:
    """Return mrkdwn as it is seen, each link with where it leads.

    Raises:
        AssertionError: where a sign has an effect that none of our own marks explains.
    """
    styles = [found["style"] for found in _TOKEN.finditer(mrkdwn) if found["style"]]
    assert all(styles.count(sign) % 2 == 0 for sign in "*_"), mrkdwn
    return unescape("".join(map(_seen, _TOKEN.finditer(mrkdwn)))).translate(_ALIKE)


def _seen(found: re.Match[str]) -> str:
    assert not found["effective"], found.string
    if found["label"]:
        return f"{_unstyled(found['label'])} {found['url']} "
    if found["url"]:
        return found["url"]
    return found["plain"] or ""


def _unstyled(label: str) -> str:
    assert not re.search(r"(?<!\w)[*_~`]|[*_~`](?!\w)|:[\w+-]+:", label), label
    return label


def words_of(rendered: Rendered) -> list[str]:
    """Return all that the blocks of a part say, and where links lead if they don't say that."""
    return list(_words(rendered.blocks))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _words(each)
    elif isinstance(value, dict) and value.get("type") == "mrkdwn":
        yield shown_words(value["text"])
    elif isinstance(value, dict):
        for key in ("text", "url", "rows", "elements", "placeholder", "options", "accessory"):
            if isinstance(value.get(key), str):
                yield value[key] if key == "text" or value[key] != value["text"] else ""
            else:
                yield from _words(value.get(key))


def presses_of(rendered: Rendered) -> list[tuple[str, ButtonAction]]:
    """Return what the buttons and options of a part mean, by their labels."""
    pressable = (each for _, each in elements(rendered.blocks) if "action_id" in each)
    pairs = [pair for element in pressable for pair in _pressed(element)]
    assert all(press for _, press in pairs)
    return [(label, press) for label, press in pairs if press]


def _pressed(element: dict[str, Any]) -> Iterator[tuple[str, ButtonAction | None]]:
    if element["type"] == "button":
        yield element["text"]["text"], read_action(element)
    else:
        for option in element["options"]:
            action = {"action_id": element["action_id"], "selected_option": option}
            yield option["text"]["text"], read_action(action)


def rows_of(rendered: Rendered) -> list[list[str]]:
    """Return the labels in each row of buttons."""
    rows = [block["elements"] for block in rendered.blocks if block["type"] == "actions"]
    return [[each["text"]["text"] for each in row if each["type"] == "button"] for row in rows]
