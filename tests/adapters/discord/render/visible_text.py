"""Reads what is rendered for Discord as a person sees it, and finds what was not ours to mean."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from discord.ui.view import BaseView

from adapters.discord.render import RenderedMessage
from adapters.discord.render.buttons import ComponentAction, digest, kept_digest, read_id
from adapters.discord.render.files import described, to_attach
from tests.fakes.discord.rules.components import BUTTON, ROW, SELECT, TEXT, walk

# What we put in: at the beginning of a line, and anywhere.
_OURS = re.compile(r"^(## |### |-# |- |> )", re.MULTILINE)
# In it no sign means anything but the end.
_FENCED = re.compile(r"^```\n((?:(?!```).)*)\n```$", re.MULTILINE | re.DOTALL)
_TOKEN = re.compile(
    r"\\(?P<sign>[^0-9A-Za-z\s])"
    r"|\[(?P<label>(?:\\.|[^\\\]])*)\]\(<(?P<leads>https?://[^\s<>()*]+)>\)"
    r"|<(?P<url>https?://[^\s<>()*]+)>"
    r"|<t:(?P<at>-?\d+):[FR]>"
    r"|<@(?P<user>\d+)>"
    r"|(?P<bold>\*\*)"
    r"|(?P<effective>[*_~|`<\[\]\\]|:(?=[\w+-]+:)|@(?=everyone|here|[!&]?\d)|://)"
    r"|(?P<plain>.)",
    re.DOTALL,
)
_START = re.compile(r"^\s*(?:[-+>#]|\d+[.)]\s)", re.MULTILINE)

Json = dict[str, Any]


def read(markdown: str) -> str:
    """Return Markdown as it is seen, addresses as they lead.

    Raises:
        AssertionError: where a sign has an effect that none of our own marks explains.
    """
    around, *others = _FENCED.split(markdown)
    pairs = zip(others[::2], others[1::2], strict=True)
    return "".join([_read(around), *(f"{kept}{_read(after)}" for kept, after in pairs)])


def _read(markdown: str) -> str:
    bare = _OURS.sub("", markdown)
    assert sum(1 for found in _TOKEN.finditer(bare) if found["bold"]) % 2 == 0, markdown
    return "".join(map(_seen, _TOKEN.finditer(bare)))


def starts(markdown: str) -> list[str]:
    """Return the lines that begin as a list or a heading does, behind our own marks too."""
    bare = _OURS.sub("", _FENCED.sub("", markdown))
    return [line for line in bare.split("\n") if _START.match(line)]


def components_of(rendered: RenderedMessage) -> list[Json]:
    """Return the components of a part as JSON."""
    view: BaseView = rendered.view
    return view.to_components()


def payload_of(rendered: RenderedMessage) -> Json:
    """Return a part as it is sent."""
    files = {"attachments": [each.to_dict(0) for each in to_attach(rendered.files)]}
    return {"flags": 1 << 15, "components": components_of(rendered), **files}


def texts_of(rendered: RenderedMessage) -> list[str]:
    """Return all Markdown of a part."""
    return [each["content"] for each in walk(components_of(rendered)) if each["type"] == TEXT]


def words_of(rendered: RenderedMessage) -> list[str]:
    """Return all that a part says, on its buttons and of its files too."""
    found = [read(text) for text in texts_of(rendered)]
    found += [described(file) or "" for file in rendered.files]
    for each in walk(components_of(rendered)):
        if each["type"] == BUTTON:
            found.append(each["label"])
        elif each["type"] == SELECT:
            found += [each["placeholder"], *(option["label"] for option in each["options"])]
    return found


def ids_of(rendered: RenderedMessage) -> list[str]:
    """Return the ids of a part's buttons and selects."""
    every = walk(components_of(rendered))
    return [each["custom_id"] for each in every if each["type"] in (BUTTON, SELECT)]


def presses_of(rendered: RenderedMessage) -> list[tuple[str, ComponentAction]]:
    """Return what a part's buttons mean, by their labels, with the lines that their ids stand for.

    A press of a select is given once for each of its options.
    """
    return [
        (label, ComponentAction(press.effect, _line(rendered, line), press.part, key=press.key))
        for label, press, line in _pressed(rendered)
    ]


def rows_of(rendered: RenderedMessage) -> list[list[str]]:
    """Return the labels in each row of buttons."""
    rows = [each["components"] for each in walk(components_of(rendered)) if each["type"] == ROW]
    labels = ([each["label"] for each in row if each["type"] == BUTTON] for row in rows)
    return [row for row in labels if row]


def _pressed(rendered: RenderedMessage) -> Iterator[tuple[str, ComponentAction, str]]:
    for each in walk(components_of(rendered)):
        if each["type"] in (BUTTON, SELECT):
            press = read_id(each["custom_id"])
            assert press, each
            if each["type"] == BUTTON:
                yield each["label"], press, press.command
            else:
                for option in each["options"]:
                    yield option["label"], press, option["value"]


def _line(rendered: RenderedMessage, line: str) -> str:
    name = kept_digest(line)
    return line if name is None else {digest(each): each for each in rendered.kept}[name]


def _seen(found: re.Match[str]) -> str:
    assert found["effective"] is None, found.string[max(0, found.start() - 30) : found.end() + 30]
    if found["leads"]:
        return f"{read(found['label'])} {_address(found['leads'])} "
    if found["url"]:
        return f"{_address(found['url'])} "
    return found["sign"] or found["plain"] or found["at"] or found["user"] or ""


def _address(url: str) -> str:
    """Return an address as it stands and as it means."""
    return " ".join(dict.fromkeys((url, unquote(url))))
