"""Forms are made from commands' declarations and read back."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.slack.surfaces.forms import errors_by_block, form_blocks, options_payload, read_form
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import LONGEST_COMMAND_STRING, command_string
from bot.commands.types import Command
from bot.errors import Option
from tests.adapters.slack.payload_rules import judge_view
from tests.adapters.slack.sample_command import ORDER

ENTERED = {
    "query": Option('"language models" -survey'),
    "topic": Option("agents", "41 papers · Language models that act"),
    "since": Option("2025-Q4"),
}
ORDERED = {
    "day": Option("tuesday"),
    "time": Option("17:30"),
    "zone": Option("Europe/Berlin", "10:00 now"),
    "channel": Option("<#C0123ABCD>"),
    "source": Option("dair,paperdive"),
    "topic": Option("agents"),
    "not": Option("rag,evaluation"),
    "size": Option("5"),
    "layout": Option("full", "all of it"),
    "patience": Option("2d"),
}
OFFERS = {
    "day": [Option("monday"), Option("tuesday")],
    "layout": [Option("compact"), Option("full", "all of it")],
}


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


def test_a_form_has_an_input_for_each_argument_that_help_speaks_of() -> None:
    """A parameter with listed values is a select, and a required one is not optional."""
    inputs = [
        (block["element"]["action_id"], block["element"]["type"], block["optional"])
        for block in form_blocks(SEARCH, {})
    ]
    assert inputs == [
        ("query", "plain_text_input", True),
        ("topic", "external_select", True),
        ("source", "external_select", True),
        ("author", "plain_text_input", True),
        ("since", "plain_text_input", True),
        ("until", "plain_text_input", True),
    ]


def test_the_element_depends_on_the_parameter_s_type() -> None:
    """Days are a static select, layouts radio buttons, types of many values external selects."""
    inputs = {
        block["element"]["action_id"]: block["element"]["type"]
        for block in form_blocks(ORDER, {}, OFFERS)
    }
    assert inputs == {
        "day": "static_select",
        "time": "timepicker",
        "zone": "external_select",
        "channel": "conversations_select",
        "source": "multi_external_select",
        "topic": "multi_external_select",
        "not": "multi_external_select",
        "size": "number_input",
        "layout": "radio_buttons",
        "patience": "plain_text_input",
    }


@pytest.mark.parametrize(("entered", "held"), [("12", "12"), ("0", None), ("26", None)])
def test_a_number_is_held_to_its_bounds(entered: str, held: str | None) -> None:
    """Slack refuses what the command would refuse, and is not given it to begin with."""
    blocks = form_blocks(ORDER, {"size": Option(entered)}, OFFERS)
    [size] = [each["element"] for each in blocks if each["element"]["action_id"] == "size"]
    assert (size["min_value"], size["max_value"]) == ("1", "25")
    assert size.get("initial_value") == held


def test_a_list_of_nothing_is_typed() -> None:
    """Slack takes no list without options, so what has none is asked for in words."""
    [day, *_] = form_blocks(ORDER, {"day": Option("tuesday")}, {"day": []})
    assert (day["element"]["type"], day["element"]["initial_value"]) == (
        "plain_text_input",
        "tuesday",
    )


@pytest.mark.parametrize("command", [SEARCH, ORDER])
def test_slack_takes_a_form_empty_and_filled(command: Command) -> None:
    """A form keeps Slack's limits, also where what is entered is too long or means nothing."""
    endless = {param.name: Option("word " * 300, "label " * 40) for param in command.shown}
    senseless = {param.name: Option("-1,,x") for param in command.shown}
    for entered in ({}, ENTERED, ORDERED, endless, senseless):
        view = view_of(form_blocks(command, entered, OFFERS))
        del view["state"]
        judge_view(view)


def test_a_hint_is_shown_once() -> None:
    """Two arguments that are given alike have one hint between them."""
    explained = [
        block["element"]["action_id"] for block in form_blocks(SEARCH, {}) if "hint" in block
    ]
    assert explained == ["query", "author", "since"]


def test_a_form_shows_its_values_and_is_read_back() -> None:
    """An input without state has its initial value."""
    assert read_form(SEARCH, view_of(form_blocks(SEARCH, ENTERED))) == ENTERED
    assert read_form(ORDER, view_of(form_blocks(ORDER, ORDERED, OFFERS))) == ORDERED


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
    assert read_form(ORDER, view_of(form_blocks(ORDER, {}, OFFERS), state)) == {
        "time": Option("08:15"),
        "channel": Option("<#C0123ABCD>"),
        "topic": Option("rag,agents"),
        "size": Option("12"),
    }


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("time", "9am", {"initial_time": "09:00"}),
        ("time", "soon", {}),
        ("channel", "C0123ABCD", {"initial_conversation": "C0123ABCD"}),
        ("channel", "<#G0123ABCD>", {"initial_conversation": "G0123ABCD"}),
        ("channel", "D0123ABCD", {}),
        ("size", "many", {}),
        ("day", "someday", {}),
    ],
)
def test_an_input_shows_only_values_that_it_can_hold(
    name: str, text: str, shown: dict[str, str]
) -> None:
    """A value that Slack would refuse as initial value is left out."""
    inputs = form_blocks(ORDER, {name: Option(text)}, OFFERS)
    [element] = [block["element"] for block in inputs if block["element"]["action_id"] == name]
    assert {key: value for key, value in element.items() if key[:8] == "initial_"} == shown


def test_the_state_counts_before_the_initial_value() -> None:
    """An input that was emptied is empty; one that was changed is changed."""
    blocks = form_blocks(SEARCH, ENTERED)
    chosen = {"text": {"type": "plain_text", "text": "rag · 12 papers"}, "value": "rag"}
    state = {
        "query": {"type": "plain_text_input", "value": "“mixture of experts” &amp; more"},
        "topic": {"type": "external_select", "selected_option": chosen},
        "since": {"type": "plain_text_input", "value": None},
    }
    assert read_form(SEARCH, view_of(blocks, state)) == {
        "query": Option("“mixture of experts” & more"),
        "topic": Option("rag", "12 papers"),
    }


def test_inputs_change_their_ids_with_their_values() -> None:
    """An input with the same ids goes on showing what it showed, whatever else is sent."""
    before = {
        each["element"]["action_id"]: each["block_id"] for each in form_blocks(SEARCH, ENTERED)
    }
    changed = {**ENTERED, "query": Option("reward")}
    after = {
        each["element"]["action_id"]: each["block_id"] for each in form_blocks(SEARCH, changed)
    }
    assert [name for name in before if before[name] != after[name]] == ["query"]


def test_the_longest_form_is_an_allowed_command_string() -> None:
    """The longest inputs of a form together fit into one command string."""
    longest = {
        param.name: "x"
        * form_blocks(replace(SEARCH, params=(param,)), {})[0]["element"].get("max_length", 150)
        for param in SEARCH.shown
    }
    assert len(command_string(SEARCH, longest)) <= LONGEST_COMMAND_STRING


def test_errors_are_at_their_inputs() -> None:
    """An error is named by the input's block, which Slack asks for; others are left out."""
    view = view_of(form_blocks(SEARCH, ENTERED))
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
