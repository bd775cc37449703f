"""Windows as Slack's views. Pure.

A window knows no more than what stands in it. https://docs.slack.dev/reference/views/modal-views
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from adapters.slack.render import apology, render_view
from adapters.slack.render.buttons import Press, Verb, button
from adapters.slack.requests.payloads import Payload
from adapters.slack.surfaces.forms import Entered, Offers, form_blocks
from adapters.slack.surfaces.inputs import plain_text
from bot.commands.handlers.search import SEARCH
from bot.commands.types import Command
from bot.library.links_in_text import ids_in_line
from bot.replies.blocks import Level, Notice, Reply

LOOKING = Reply((Notice(Level.INFO, "Looking…"),))
_MOST_BLOCKS, _LONGEST_TITLE = 100, 24
_PAPERS = "Papers"
# What a window without a form is known by.
_ANSWER = "answer"

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a window keeps in its `private_metadata`.

    `line` is what the way back from the next window asks for, blank where there is none.
    `channel` is the channel that the first window was opened in, of which Slack tells no further
    one. `hidden` are the arguments that a form has and does not ask for.
    """

    line: str = ""
    channel: str | None = None
    hidden: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a command, what stands in it, and what its lists offer, by argument."""

    command: Command
    entered: Entered = field(default_factory=dict)
    offers: Offers = field(default_factory=dict)


def kept_in(view: Payload) -> Kept:
    """Return what a window keeps."""
    return Kept(**json.loads(view.get("private_metadata") or "{}"))


def form_window(form: Form, kept: Kept, reply: Reply | None = None, part: int = 1) -> View:
    """Return a form, below it a part of a reply if there is one.

    A form that changes something says which: it is named for the arguments it does not ask for,
    unless it has a name of its own.
    """
    blocks = form_blocks(form.command, form.entered, form.offers)
    if reply:
        room = _MOST_BLOCKS - len(blocks) - 1
        rendered = render_view(reply, part, most_blocks=room)
        blocks += [{"type": "divider"}, *rendered.blocks]
    title, submit = _named(form.command, kept)
    view = _modal(title[:_LONGEST_TITLE], blocks, kept, form.command.name)
    return {**view, "submit": plain_text(submit[:_LONGEST_TITLE])}


def search_window(
    entered: Entered, kept: Kept | None = None, reply: Reply | None = None, part: int = 1
) -> View:
    """Return the search with what is entered, below it what was found."""
    window = form_window(Form(SEARCH, entered), kept or Kept(SEARCH.name), reply, part)
    return {**window, "title": plain_text("Search papers")}


def answer_window(
    reply: Reply, kept: Kept, back: str = "", part: int = 1, title: str = _PAPERS
) -> View:
    """Return a part of an answer, with a way back where there is a line that it asks for."""
    row = {"type": "actions", "elements": [button(_way(back), Press(Verb.RUN, back), 0)]}
    rendered = render_view(reply, part, most_blocks=_MOST_BLOCKS - 1)
    return _modal(title, [*([row] if back else []), *rendered.blocks], kept)


def waiting_window() -> View:
    """Return what is shown until the answer is ready."""
    return _modal(_PAPERS, render_view(LOOKING, most_blocks=_MOST_BLOCKS).blocks, Kept())


def sorry_window() -> View:
    """Return what is shown where an answer could not be made."""
    return _modal(_PAPERS, apology().blocks, Kept())


def instead(view: View) -> View:
    """Return the acknowledgement of a form that puts another window in its place."""
    return {"response_action": "update", "view": view}


def _modal(title: str, blocks: Sequence[dict[str, Any]], kept: Kept, name: str = _ANSWER) -> View:
    return {
        "type": "modal",
        "callback_id": name,
        "title": plain_text(title),
        "close": plain_text("Close"),
        "private_metadata": _written(kept),
        "blocks": list(blocks),
    }


def _written(kept: Kept) -> str:
    given = {name: value for name, value in asdict(kept).items() if value}
    return json.dumps(given, ensure_ascii=False)


def _named(command: Command, kept: Kept) -> tuple[str, str]:
    """Return the title of a form, and the words on its button."""
    if command.custom_form:
        return command.custom_form.title, command.custom_form.submit
    title = " ".join(f"{each} {value}" for each, value in kept.hidden.items()) or command.name
    return title.capitalize(), next(iter(kept.hidden), command.name).capitalize()


def _way(back: str) -> str:
    if ids_in_line(back):
        return "Back to the papers"
    return "Back to the search" if back.split()[:1] == [SEARCH.name] else "Back"
