"""The views of modals: forms with what stands in them, answers, and what users enter. Pure.

A modal keeps its state in itself. https://docs.slack.dev/reference/views/modal-views
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

from adapters.common.forms import (
    SEPARATOR,
    FieldKind,
    FormField,
    FormLimits,
    OpenedForm,
    form_of,
)
from adapters.common.layout.elements import ButtonAction, Effect
from adapters.slack.render import apology, render_view
from adapters.slack.render.buttons import button, plain_text
from adapters.slack.requests.payloads import Payload, from_mrkdwn
from bot.commands.handlers.search import SEARCH
from bot.commands.types import Call
from bot.errors import Option
from bot.library.links_in_text import ids_in_line
from bot.replies.blocks import Level, Notice, Reply
from bot.replies.wording import shorten
from store.text import storable

LOOKING = Reply((Notice(Level.INFO, "Looking…"),))
_MOST_BLOCKS, _LONGEST_TITLE = 100, 24
_PAPERS = "Papers"
# The callback id of a modal without a form.
_ANSWER = "answer"
_OF_FORM = ("type", "callback_id", "title", "submit", "close", "private_metadata")
# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
_LONGEST_LABEL, _LONGEST_VALUE, _MOST_OPTIONS = 75, 150, 100
# https://docs.slack.dev/reference/block-kit/blocks/input-block
# A conversations select holds channels, but no direct messages.
FORM_LIMITS = FormLimits(
    frozenset(FieldKind) - {FieldKind.ROLE},
    re.compile(r"[CG][A-Z0-9]+"),
    most_fields=50,
    most_options=_MOST_OPTIONS,
    longest_value=_LONGEST_VALUE,
    longest_label=2000,
    longest_hint=2000,
)
# The fields of a view's state by those of an element's initial value.
_STATE_FIELDS = {
    "initial_value": "value",
    "initial_option": "selected_option",
    "initial_options": "selected_options",
    "initial_time": "selected_time",
    "initial_conversation": "selected_conversation",
}

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


def read_metadata(view: Payload) -> Metadata:
    """Return the state of a modal."""
    fields = json.loads(view.get("private_metadata") or "{}")
    return Metadata(fields.get("line", ""), fields.get("channel"), fields.get("hidden", {}))


def form_modal(
    form: OpenedForm, metadata: Metadata, reply: Reply | None = None, part: int = 1
) -> View:
    """Return the modal of a form, with a part of a reply below it if there is one."""
    blocks = _with_reply([_input_block(each) for each in form.fields], reply, part)
    kept = replace(metadata, hidden=form.kept.arguments)
    view = _modal(form.title[:_LONGEST_TITLE], blocks, kept, form.kept.command.name)
    return {**view, "submit": plain_text(form.submit[:_LONGEST_TITLE])}


def search_modal() -> View:
    """Return the modal of the search, with nothing in it."""
    return form_modal(form_of(Call(SEARCH, {}), FORM_LIMITS), Metadata(SEARCH.name))


def submitted_modal(view: Payload, reply: Reply) -> View:
    """Return a submitted form as it was, with what was entered, and a reply below it."""
    kept = {name: view[name] for name in _OF_FORM}
    return {**kept, "blocks": _with_reply([_refilled(*each) for each in _inputs(view)], reply)}


def answer_modal(
    reply: Reply, metadata: Metadata, back: str = "", part: int = 1, title: str = _PAPERS
) -> View:
    """Return the modal of a part of a reply; its back button runs the command `back`."""
    back_button = button(_back_label(back), ButtonAction(Effect.RUN, back), 0)
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


def read_form(view: Payload) -> dict[str, str]:
    """Return what a user entered, by parameter name; an empty input gives an empty text."""
    return {block["element"]["action_id"]: _read(state) for block, state in _inputs(view)}


def errors_by_block(view: Payload, errors: Mapping[str, str]) -> dict[str, str]:
    """Return errors by block id, from errors by parameter name."""
    inputs = ((block["block_id"], block["element"]["action_id"]) for block, _ in _inputs(view))
    return {block_id: errors[name] for block_id, name in inputs if name in errors}


def options_payload(options: Sequence[Option]) -> View:
    """Return the response to a request for options."""
    valid = [option for option in options if 0 < len(option.value) <= _LONGEST_VALUE]
    return {"options": [_offered(each.value, each) for each in valid[:_MOST_OPTIONS]]}


def _modal(
    title: str, blocks: Sequence[View], metadata: Metadata, callback_id: str = _ANSWER
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


def _with_reply(inputs: list[View], reply: Reply | None, part: int = 1) -> list[View]:
    if reply is None:
        return inputs
    rendered = render_view(reply, part, most_blocks=_MOST_BLOCKS - len(inputs) - 1)
    return [*inputs, {"type": "divider"}, *rendered.blocks]


def _back_label(command: str) -> str:
    if ids_in_line(command):
        return "Back to the papers"
    return "Back to the search" if command.split()[:1] == [SEARCH.name] else "Back"


def _input_block(field: FormField) -> View:
    element = {"action_id": field.param.name, **_element(field)}
    return {
        "type": "input",
        "block_id": _block_id(field.param.name, field.text),
        "label": plain_text(field.label),
        "optional": not field.param.required,
        "element": {key: value for key, value in element.items() if value is not None},
        **({"hint": plain_text(field.hint)} if field.hint else {}),
    }


def _block_id(name: str, text: str) -> str:
    """Return an id that changes with the value.

    Slack keeps the text that a user sees in an input whose id stays the same in an updated view:
    https://docs.slack.dev/reference/views/modal-views
    """
    return f"{name}-{blake2b(text.encode(), digest_size=6).hexdigest()}"


def _element(field: FormField) -> View:
    """Return the input element of a field, with what stands in it."""
    type_, text = field.param.type, field.text or None
    match field.kind:
        case FieldKind.NUMBER:
            bounds = {"min_value": str(type_.least), "max_value": str(type_.most)}
            typed = {"type": "number_input", "is_decimal_allowed": False, **bounds}
            return {**typed, "initial_value": text}
        case FieldKind.TIME:
            return {"type": "timepicker", "initial_time": text}
        case FieldKind.CHANNEL:
            shown = {"include": ["public", "private"]}
            return {"type": "conversations_select", "filter": shown, "initial_conversation": text}
        case FieldKind.BUTTONS | FieldKind.MENU | FieldKind.SEARCH:
            return _select(field)
        case _:
            lines = True if type_.long else None
            typed = {"type": "plain_text_input", "multiline": lines, "max_length": field.longest}
            return {**typed, "initial_value": text}


def _select(field: FormField) -> View:
    several = field.param.type.several
    chosen = [_option(field, each) for each in field.chosen]
    first = {"initial_option": next(iter(chosen), None)}
    initial: View = {"initial_options": chosen or None} if several else first
    placeholder = {"placeholder": plain_text(field.param.empty)}
    if field.kind is FieldKind.SEARCH:
        type_ = "multi_external_select" if several else "external_select"
        return {"type": type_, "min_query_length": 0, **placeholder, **initial}
    options = {"options": [_option(field, each) for each in field.options]}
    if field.kind is FieldKind.BUTTONS:
        return {"type": "radio_buttons", **options, **initial}
    return {"type": "static_select", **placeholder, **options, **initial}


def _option(field: FormField, option: Option) -> View:
    """Return an option with its label behind it, or below it if it is a button."""
    name, label = field.shown(option), shorten(option.label, _LONGEST_LABEL)
    if field.kind is FieldKind.BUTTONS:
        below = {"description": plain_text(label)} if label else {}
        return {"text": plain_text(name), "value": option.value, **below}
    return _offered(name, option)


def _offered(name: str, option: Option) -> View:
    text = f"{name} · {option.label}" if option.label else name
    return {"text": plain_text(shorten(text, _LONGEST_LABEL)), "value": option.value}


def _inputs(view: Payload) -> Iterator[tuple[Payload, Payload]]:
    """Yield each input with its state.

    Slack may omit the state of an input that nobody touched after an update; then its initial
    value counts: https://github.com/slackapi/bolt-js/issues/1258
    """
    states = (view.get("state") or {}).get("values") or {}
    for block in view.get("blocks") or ():
        if block.get("type") == "input":
            element = block["element"]
            state = (states.get(block["block_id"]) or {}).get(element["action_id"])
            if state is None:
                fields = _STATE_FIELDS.items()
                state = {field: element[initial] for initial, field in fields if initial in element}
            yield block, state


def _read(state: Payload) -> str:
    """Return the value of an input as an argument."""
    if selected := state.get("selected_option"):
        return str(selected["value"])
    if channel := state.get("selected_conversation"):
        return f"<#{channel}>"
    several = SEPARATOR.join(each["value"] for each in state.get("selected_options") or ())
    typed = from_mrkdwn(storable(str(state.get("value") or "")))
    return several or state.get("selected_time") or typed


def _refilled(block: Payload, state: Payload) -> View:
    """Return an input whose initial value is what its state tells.

    Slack requires an initial option to equal one of the options.
    """
    element, text = block["element"], _read(state)
    bare = {key: each for key, each in element.items() if key not in _STATE_FIELDS}
    entered = {initial: state[each] for initial, each in _STATE_FIELDS.items() if state.get(each)}
    if "initial_value" in entered:
        entered["initial_value"] = text
    listed = [each for each in element.get("options", ()) if each["value"] == text]
    if listed:
        entered["initial_option"] = listed[0]
    block_id = _block_id(element["action_id"], text)
    return {**block, "block_id": block_id, "element": bare | entered}
