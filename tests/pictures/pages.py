"""Scenes as HTML pages that imitate the platform, each complete in itself. Pure."""

import re
from base64 import b64encode
from datetime import time
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, Template, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from tests.pictures.markup import ansi, charts, markdown, mrkdwn
from tests.pictures.scenes.records import Attachment, Message, Printed, Scene
from tests.pictures.table import Platform

_TEMPLATES = Path(__file__).parent / "templates"
_ATTACHED = "attachment"
_TIMELY_ID = re.compile(r"(?<=[/p])\d{15,}")


def page_of(scene: Scene) -> str:
    """Return the page of a scene.

    Raises:
        ValueError: for a block or component that is not imitated yet.
    """
    screens = [
        {"columns": columns, "text": ansi.html_of(text)}
        for each in scene.shown
        if isinstance(each, Printed)
        for columns, text in each.by_columns.items()
    ]
    messages = [each for each in scene.shown if isinstance(each, Message)]
    page = _template(f"{scene.platform}.html").render(
        title=scene.key,
        css=_css(scene.platform),
        platform=scene.platform.value,
        shown=scene.shown,
        screens=screens,
        names=dict(scene.names),
        files={file.name: file for each in messages for file in each.files},
    )
    return _same_each_time(page)


def _same_each_time(page: str) -> str:
    """Number the ids in addresses, which are made of the time."""
    numbers: dict[str, str] = {}

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], str(len(numbers) + 1).zfill(len(found[0])))

    return _TIMELY_ID.sub(number, page)


@cache
def _template(name: str) -> Template:
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True)
    environment.filters |= _FILTERS
    return environment.get_template(name)


@cache
def _css(platform: Platform) -> Markup:
    css = (_TEMPLATES / f"{platform}.css").read_text(encoding="utf-8")
    return Markup(css)  # noqa: S704 - a file of ours


def _plain(text: str) -> Markup:
    return Markup("<br>").join(map(escape, text.split("\n")))


@pass_context
def _markdown(context: Context, text: str) -> Markup:
    return markdown.html_of(text, context["names"])


@pass_context
def _who(context: Context, identity: str) -> str:
    return str(context["names"][identity])


@pass_context
def _source(context: Context, file: Attachment | str) -> str:
    """Return the address of an image: of a file by its content."""
    if isinstance(file, str):
        address = urlsplit(file)
        if address.scheme != _ATTACHED:
            return file
        attached: Attachment = context["files"][address.netloc]
        return _data(attached)
    return _data(file)


def _data(file: Attachment) -> str:
    return f"data:{file.media_type};base64,{b64encode(file.data).decode()}"


def _unknown(payload: dict[str, Any]) -> NoReturn:
    raise ValueError(f"there is no imitation of {payload.get('type')} yet: {payload}")


_FILTERS = {
    "chart": charts.html_of,
    "colour": lambda number: f"#{number:06x}",
    "emoji": mrkdwn.EMOJI.__getitem__,
    "filename": lambda url: urlsplit(url).netloc,
    "markdown": _markdown,
    "mrkdwn": mrkdwn.html_of,
    "plain": _plain,
    "source": _source,
    "twelve": lambda text: time.fromisoformat(text).strftime("%-I:%M %p"),
    "unknown": _unknown,
    "who": _who,
}
