"""Fields of forms are input blocks, which are read back."""

from collections.abc import Mapping
from typing import Any

import pytest

from adapters.common.forms import form_of
from adapters.slack.surfaces.modal_views import (
    FORM_LIMITS,
    Metadata,
    errors_by_block,
    form_modal,
    options_payload,
    read_form,
    submitted_modal,
)
from bot.commands.handlers.search import SEARCH
from bot.commands.types import Call, Command
from bot.errors import Option
from bot.replies.blocks import Reply, Text
from tests.adapters.slack.payload_rules import judge_view
from tests.adapters.slack.sample_command import ORDER

ENTERED = {"query": '"language models" -survey', "topic": "agents", "since": "2025-Q4"}
ORDERED = {
    "day": "tuesday",
    "time": "17:30",
    "zone": "Europe/Berlin",
    "channel": "<#C0123ABCD>",
    "source": "dair,paperdive",
    "topic": "agents",
    "not": "rag,evaluation",
    "size": "5",
    "layout": "full",
    "patience": "2d",
}
OFFERS = {
    "day": [Option("monday"), Option("tuesday")],
    "layout": [Option("compact"), Option("full", "all of it")],
    "topic": [Option("agents", "41 papers")],
}


def drawn(command: Command, entered: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the input blocks of a command's form."""
    form = form_of(Call(command, dict(entered)), FORM_LIMITS, OFFERS)
    blocks: list[dict[str, Any]] = form_modal(form, Metadata())["blocks"]
    return blocks


def view_of(blocks: list[dict[str, Any]], values: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a modal with a form and the state that Slack sends, by parameter name."""
    state = {
        block["block_id"]: {block["element"]["action_id"]: values[block["element"]["action_id"]]}
        for block in blocks
        if values is not None and block["element"]["action_id"] in values
    }
    title = {"type": "plain_text", "text": "Search"}
    return {
        "type": "modal",
        "title": title,
        "submit": title,
        "blocks": blocks,
        "state": {"values": state},
    }


def said(read: Mapping[str, str]) -> dict[str, str]:
    """Return what was entered, without what is empty."""
    return {name: text for name, text in read.items() if text}


def test_each_field_is_an_element() -> None:
    """All values are a static select or radio buttons, those that match an external select."""
    inputs = {
        block["element"]["action_id"]: (block["element"]["type"], block["optional"])
        for block in drawn(ORDER, {})
    }
    assert inputs == {
        "day": ("static_select", True),
        "time": ("timepicker", True),
        "zone": ("external_select", True),
        "channel": ("conversations_select", True),
        "source": ("multi_external_select", True),
        "topic": ("multi_external_select", True),
        "not": ("multi_external_select", True),
        "size": ("number_input", True),
        "layout": ("radio_buttons", True),
        "patience": ("plain_text_input", True),
    }


def test_slack_holds_a_number_to_its_bounds() -> None:
    """Slack refuses what the command would refuse."""
    [size] = [each["element"] for each in drawn(ORDER, {}) if each["block_id"][:5] == "size-"]
    assert (size["min_value"], size["max_value"]) == ("1", "25")


@pytest.mark.parametrize("command", [SEARCH, ORDER])
def test_slack_takes_a_form_empty_and_filled(command: Command) -> None:
    """A form keeps Slack's limits, also where what is entered is too long or means nothing."""
    endless = {param.name: "word " * 300 for param in command.shown}
    senseless = {param.name: "-1,,x" for param in command.shown}
    for entered in ({}, ENTERED, ORDERED, endless, senseless):
        view = view_of(drawn(command, entered))
        del view["state"]
        judge_view(view)


@pytest.mark.parametrize(("command", "entered"), [(SEARCH, ENTERED), (ORDER, ORDERED)])
def test_a_form_shows_its_values_and_is_read_back(
    command: Command, entered: dict[str, str]
) -> None:
    """An input without state has its initial value."""
    assert said(read_form(view_of(drawn(command, entered)))) == entered


def test_each_kind_of_input_is_read_as_the_typed_argument() -> None:
    """A channel is read as its mention, several values with commas between them."""
    rag, agents = ({"value": each, "text": {"text": each}} for each in ("rag", "agents"))
    state = {
        "time": {"type": "timepicker", "selected_time": "08:15"},
        "channel": {"type": "conversations_select", "selected_conversation": "C0123ABCD"},
        "source": {"type": "multi_external_select", "selected_options": []},
        "topic": {"type": "multi_external_select", "selected_options": [rag, agents]},
        "size": {"type": "number_input", "value": "12"},
        "day": {"type": "static_select", "selected_option": None},
    }
    assert said(read_form(view_of(drawn(ORDER, {}), state))) == {
        "time": "08:15",
        "channel": "<#C0123ABCD>",
        "topic": "rag,agents",
        "size": "12",
    }


def test_the_state_counts_before_the_initial_value() -> None:
    """An input that was emptied is empty; one that was changed is changed."""
    chosen = {"text": {"type": "plain_text", "text": "rag · 12 papers"}, "value": "rag"}
    state = {
        "query": {"type": "plain_text_input", "value": "“mixture of experts” &amp; more"},
        "topic": {"type": "external_select", "selected_option": chosen},
        "since": {"type": "plain_text_input", "value": None},
    }
    assert said(read_form(view_of(drawn(SEARCH, ENTERED), state))) == {
        "query": "“mixture of experts” & more",
        "topic": "rag",
    }


def test_a_form_is_refilled_with_what_was_entered() -> None:
    """What is shown again is what was sent, under other ids, and the rest stays as it was."""
    blocks = drawn(ORDER, ORDERED)
    full = {"text": {"type": "plain_text", "text": "Full"}, "value": "full"}
    compact = {**full, "value": "compact"}
    rag = {"text": {"type": "plain_text", "text": "rag"}, "value": "rag"}
    state = {
        "time": {"type": "timepicker", "selected_time": "08:15"},
        "topic": {"type": "multi_external_select", "selected_options": []},
        "not": {"type": "multi_external_select", "selected_options": [rag]},
        "layout": {"type": "radio_buttons", "selected_option": compact},
        "patience": {"type": "plain_text_input", "value": "R&amp;D"},
    }
    metadata = {"callback_id": "order", "close": blocks[0]["label"], "private_metadata": ""}
    view = submitted_modal({**view_of(blocks, state), **metadata}, Reply((Text("No."),)))
    again = view["blocks"][: len(blocks)]
    assert said(read_form(view_of(again))) == {
        **{name: text for name, text in ORDERED.items() if name != "topic"},
        "time": "08:15",
        "not": "rag",
        "layout": "compact",
        "patience": "R&D",
    }
    ids = [(was["block_id"], now["block_id"]) for was, now in zip(blocks, again, strict=True)]
    same = [now.partition("-")[0] for was, now in ids if was == now]
    assert same == ["day", "zone", "source", "size"]
    assert [each["type"] for each in view["blocks"][len(blocks) :]] == ["divider", "rich_text"]
    judge_view(view)


def test_inputs_change_their_ids_with_their_values() -> None:
    """An input with the same ids goes on showing what it showed, whatever else is sent."""
    before, after = (
        {each["element"]["action_id"]: each["block_id"] for each in drawn(SEARCH, entered)}
        for entered in (ENTERED, {**ENTERED, "query": "reward"})
    )
    assert [name for name in before if before[name] != after[name]] == ["query"]


def test_errors_are_at_their_inputs() -> None:
    """An error is named by the input's block, which Slack asks for; others are left out."""
    view = view_of(drawn(SEARCH, ENTERED))
    since = next(block["block_id"] for block in view["blocks"] if block["block_id"][:5] == "since")
    errors = {"since": "That is no period.", "page": "That is no number."}
    assert errors_by_block(view, errors) == {since: "That is no period."}


@pytest.mark.parametrize(
    ("offer", "label"),
    [
        (Option("dair", "Top AI Papers"), "dair · Top AI Papers"),
        (Option("2025"), "2025"),
        (Option("dair", "x" * 90), f"dair · {'x' * 67}…"),
    ],
)
def test_an_option_shows_its_value_and_label(offer: Option, label: str) -> None:
    """An option is what would be typed, with words that say more, cut to Slack's length."""
    [option] = options_payload([offer])["options"]
    assert (option["value"], option["text"]["text"]) == (offer.value, label)
    assert len(option["text"]["text"]) <= 75


def test_slack_is_offered_a_hundred_options_that_it_can_carry() -> None:
    """Options that are too long or too many are left out."""
    offers = [Option("x" * 151), Option(""), *(Option(str(each)) for each in range(200))]
    offered = [each["value"] for each in options_payload(offers)["options"]]
    assert offered == [str(each) for each in range(100)]
