"""A form is made from a command's declaration alone, and read back by it."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.slack.forms import errors_beside, form_blocks, options_payload, read_form
from bot.app import LONGEST_LINE
from bot.commands.search import SEARCH
from bot.errors import Option
from bot.parsing import write
from tests.adapters.slack.judge import judge_view

ENTERED = {
    "query": Option('"language models" -survey'),
    "topic": Option("agents", "41 papers · Language models that act"),
    "since": Option("2025-Q4"),
}


def view_of(blocks: list[dict[str, Any]], values: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a window with a form, and what Slack says is in it: each input by its name."""
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
    """What is chosen from a list is a select, what is needed can't be left out."""
    inputs = [
        (block["element"]["action_id"], block["element"]["type"], block["optional"])
        for block in form_blocks(SEARCH, {})
    ]
    assert inputs == [
        ("query", "plain_text_input", False),
        ("topic", "external_select", True),
        ("source", "external_select", True),
        ("since", "plain_text_input", True),
        ("until", "plain_text_input", True),
    ]


def test_slack_takes_a_form_empty_and_filled() -> None:
    """A form keeps Slack's limits, also where what is entered is too long for it."""
    endless = {param.name: Option("word " * 300, "label " * 40) for param in SEARCH.shown}
    for entered in ({}, ENTERED, endless):
        view = view_of(form_blocks(SEARCH, entered))
        del view["state"]
        judge_view(view)


def test_what_a_type_takes_is_said_once() -> None:
    """Two arguments of one type have one hint between them."""
    explained = [
        block["element"]["action_id"] for block in form_blocks(SEARCH, {}) if "hint" in block
    ]
    assert explained == ["query", "since"]


def test_a_form_shows_what_was_entered_and_is_read_back() -> None:
    """Of a form that nobody touched Slack may say nothing; what it shows counts then."""
    assert read_form(SEARCH, view_of(form_blocks(SEARCH, ENTERED))) == ENTERED


def test_what_somebody_entered_counts_and_not_what_stood_there() -> None:
    """An input that was emptied is empty; one that was changed is changed."""
    blocks = form_blocks(SEARCH, ENTERED)
    chosen = {"text": {"type": "plain_text", "text": "rag · 12 papers"}, "value": "rag"}
    state = {
        "query": {"type": "plain_text_input", "value": "“mixture of experts” &amp; more"},
        "topic": {"type": "external_select", "selected_option": chosen},
        "since": {"type": "plain_text_input", "value": None},
    }
    assert read_form(SEARCH, view_of(blocks, state)) == {
        "query": Option('"mixture of experts" & more'),
        "topic": Option("rag", "12 papers"),
    }


def test_inputs_keep_their_ids_just_as_long_as_what_they_show() -> None:
    """An input with the same ids goes on showing what it showed, whatever else is sent."""
    before = {
        each["element"]["action_id"]: each["block_id"] for each in form_blocks(SEARCH, ENTERED)
    }
    changed = {**ENTERED, "query": Option("reward")}
    after = {
        each["element"]["action_id"]: each["block_id"] for each in form_blocks(SEARCH, changed)
    }
    assert [name for name in before if before[name] != after[name]] == ["query"]


def test_the_longest_form_is_a_line_that_may_be_asked() -> None:
    """What the inputs of a form take at most fits into one line."""
    longest = {
        param.name: "x"
        * form_blocks(replace(SEARCH, params=(param,)), {})[0]["element"].get("max_length", 150)
        for param in SEARCH.shown
    }
    assert len(write(SEARCH, longest)) <= LONGEST_LINE


def test_errors_stand_beside_their_inputs() -> None:
    """An error is named by the input's block, which Slack asks for; others are left out."""
    view = view_of(form_blocks(SEARCH, ENTERED))
    since = next(block["block_id"] for block in view["blocks"] if block["block_id"][:5] == "since")
    errors = {"since": "That is no period.", "page": "That is no number."}
    assert errors_beside(view, errors) == {since: "That is no period."}


@pytest.mark.parametrize(
    ("offer", "label"),
    [
        (Option("dair", "Top AI Papers"), "dair · Top AI Papers"),
        (Option("2025"), "2025"),
        (Option("dair", "x" * 90), f"dair · {'x' * 67}…"),
    ],
)
def test_an_option_shows_its_value_and_what_it_is(offer: Option, label: str) -> None:
    """An option is what would be typed, with words that say more, cut to Slack's length."""
    [option] = options_payload([offer])["options"]
    assert (option["value"], option["text"]["text"]) == (offer.value, label)
    assert len(option["text"]["text"]) <= 75


def test_slack_is_offered_a_hundred_options_that_it_can_carry() -> None:
    """What is too long for an option's value, and what is too much, is left out."""
    offers = [Option("x" * 151), Option(""), *(Option(str(each)) for each in range(200))]
    offered = [each["value"] for each in options_payload(offers)["options"]]
    assert offered == [str(each) for each in range(100)]
