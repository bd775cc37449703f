"""The views of modals. Pure.

A modal keeps its state in itself. https://docs.slack.dev/reference/views/modal-views
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.slack.render import apology, render_view
from adapters.slack.render.buttons import ButtonAction, Verb, button
from adapters.slack.requests.payloads import Payload
from adapters.slack.surfaces.forms import Options, Values, form_blocks, plain_text
from bot.commands.handlers.search import SEARCH
from bot.commands.types import Command
from bot.library.links_in_text import ids_in_line
from bot.replies.blocks import Level, Notice, Reply

LOOKING = Reply((Notice(Level.INFO, "Looking…"),))
_MOST_BLOCKS, _LONGEST_TITLE = 100, 24
_PAPERS = "Papers"
# The callback id of a modal without a form.
_ANSWER = "answer"

View = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Metadata:
    """The state of a modal, kept in its `private_metadata`.

    `back` is the command of the back button in the next modal, empty for none. `channel` is the
    channel in which the first modal was opened, which Slack omits from later requests. `hidden`
    are arguments of a form that it has no input for.
    """

    back: str = ""
    channel: str | None = None
    hidden: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a command, its initial values and the options of its static selects."""

    command: Command
    values: Values = field(default_factory=dict)
    options: Options = field(default_factory=dict)


def read_metadata(view: Payload) -> Metadata:
    """Return the state of a modal."""
    fields = json.loads(view.get("private_metadata") or "{}")
    return Metadata(fields.get("line", ""), fields.get("channel"), fields.get("hidden", {}))


def form_modal(form: Form, metadata: Metadata, reply: Reply | None = None, part: int = 1) -> View:
    """Return the modal of a form, with a part of a reply below it if there is one.

    The title of a form that changes something names it by the hidden arguments, unless the form
    has a title of its own.
    """
    blocks = form_blocks(form.command, form.values, form.options)
    if reply:
        rendered = render_view(reply, part, most_blocks=_MOST_BLOCKS - len(blocks) - 1)
        blocks += [{"type": "divider"}, *rendered.blocks]
    title, submit = _title_and_submit(form.command, metadata)
    view = _modal(title[:_LONGEST_TITLE], blocks, metadata, form.command.name)
    return {**view, "submit": plain_text(submit[:_LONGEST_TITLE])}


def search_modal(
    values: Values, metadata: Metadata | None = None, reply: Reply | None = None, part: int = 1
) -> View:
    """Return the modal of the search, with its results below the form."""
    view = form_modal(Form(SEARCH, values), metadata or Metadata(SEARCH.name), reply, part)
    return {**view, "title": plain_text("Search papers")}


def answer_modal(
    reply: Reply, metadata: Metadata, back: str = "", part: int = 1, title: str = _PAPERS
) -> View:
    """Return the modal of a part of a reply; its back button runs the command `back`."""
    back_button = button(_back_label(back), ButtonAction(Verb.RUN, back), 0)
    row = {"type": "actions", "elements": [back_button]}
    rendered = render_view(reply, part, most_blocks=_MOST_BLOCKS - 1)
    return _modal(title, [*([row] if back else []), *rendered.blocks], metadata)


def loading_modal() -> View:
    """Return the modal that is shown until the answer is ready."""
    blocks = render_view(LOOKING, most_blocks=_MOST_BLOCKS).blocks
    return _modal(_PAPERS, blocks, Metadata())


def error_modal() -> View:
    """Return the modal that is shown where the answer failed."""
    return _modal(_PAPERS, apology().blocks, Metadata())


def update_response(view: View) -> View:
    """Return the acknowledgement of a submission that replaces the modal."""
    return {"response_action": "update", "view": view}


def _modal(
    title: str, blocks: Sequence[dict[str, Any]], metadata: Metadata, callback_id: str = _ANSWER
) -> View:
    return {
        "type": "modal",
        "callback_id": callback_id,
        "title": plain_text(title),
        "close": plain_text("Close"),
        "private_metadata": _metadata_json(metadata),
        "blocks": list(blocks),
    }


def _metadata_json(metadata: Metadata) -> str:
    fields = {"line": metadata.back, "channel": metadata.channel, "hidden": metadata.hidden}
    return json.dumps({name: each for name, each in fields.items() if each}, ensure_ascii=False)


def _title_and_submit(command: Command, metadata: Metadata) -> tuple[str, str]:
    """Return the title of a form, and the label of its submit button."""
    if command.form.title:
        return command.form.title, command.form.submit
    hidden = metadata.hidden
    title = " ".join(f"{name} {text}" for name, text in hidden.items()) or command.name
    return title.capitalize(), next(iter(hidden), command.name).capitalize()


def _back_label(command: str) -> str:
    if ids_in_line(command):
        return "Back to the papers"
    return "Back to the search" if command.split()[:1] == [SEARCH.name] else "Back"
