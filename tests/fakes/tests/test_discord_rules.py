"""The checks of payloads accept and refuse as Discord does."""

from typing import Any

import pytest

from tests.fakes.discord.rules.commands import command_size
from tests.fakes.discord.rules.messages import judge_message, judge_modal, problems
from tests.fakes.discord.rules.openapi import openapi_problems
from tests.fakes.tests.raw_discord_client import COMMANDS, TEXT, V2
from tests.shared_data import shared_file

CREATE = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
BUTTON: dict[str, Any] = {"type": 2, "style": 1, "label": "Next", "custom_id": "next"}
OPTION = {"label": "One", "value": "1"}
SELECT: dict[str, Any] = {"type": 3, "custom_id": "pick", "options": [OPTION]}
INPUT: dict[str, Any] = {"type": 4, "custom_id": "in", "style": 1}
SUBCOMMAND: dict[str, Any] = {"type": 1, "name": "latest", "description": "Newest"}


def row(*inner: dict[str, Any]) -> dict[str, Any]:
    """Return a row."""
    return {"type": 1, "components": list(inner)}


def texts(*contents: str) -> list[dict[str, Any]]:
    """Return texts."""
    return [{"type": 10, "content": content} for content in contents]


def v2(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a message of components v2."""
    return {"flags": V2, "components": list(components), **more}


def form(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a modal."""
    return {"custom_id": "f", "title": "Form", "components": list(components), **more}


def label(inner: dict[str, Any], text: str = "Name") -> dict[str, Any]:
    """Return a label with a field."""
    return {"type": 18, "label": text, "component": inner}


def command(*options: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """Return one command with options."""
    known = {"name": "papers", "description": "Papers", "options": list(options)}
    return [{**known, **more}]


def buttons(number: int) -> list[dict[str, Any]]:
    """Return that many buttons, each with its own id."""
    return [{**BUTTON, "custom_id": f"b{each}"} for each in range(number)]


SECTION = {"type": 9, "components": [TEXT], "accessory": BUTTON}
GOOD_MESSAGES = [
    {"content": "x" * 2000},
    {"embeds": [{"title": "x" * 256, "description": "y" * 4096}]},
    {"content": "x", "components": [row(BUTTON)], "nonce": "n" * 25},
    v2(*texts("x" * 4000)),
    v2(SECTION, row(SELECT), {"type": 14}),
    v2({"type": 17, "components": [TEXT, row(*buttons(5))]}),
    v2(*texts(*["x"] * 40)),
]
BAD_MESSAGES: list[tuple[dict[str, Any], str]] = [
    ({"content": ""}, "the message is empty"),
    ({"components": [row(BUTTON)]}, "the message is empty"),
    ({"content": "x" * 2001}, "content has 2001"),
    ({"content": "x", "nonce": "n" * 26}, "nonce has 26"),
    (v2(TEXT, content="x"), "content stands beside components v2"),
    (v2(TEXT, embeds=[{"title": "x"}]), "embeds stands beside components v2"),
    ({"content": "x", "components": [TEXT]}, "without their flag"),
    (v2(), "the message is empty"),
    (v2(*texts("x" * 4000, "y")), "the texts hold 4001"),
    (v2(*texts(*["x"] * 41)), "41 components"),
    (v2({"type": 17, "components": texts(*["x"] * 40)}), "41 components"),
    (v2(*[SECTION | {"accessory": each} for each in buttons(14)]), "42 components"),
    (v2(*texts(" ")), "a text is blank"),
    (v2(TEXT, row(BUTTON), row(BUTTON)), "custom_id next stands twice"),
    (v2({**TEXT, "id": 1}, {**TEXT, "id": 1}), "id 1 stands twice"),
    (v2(row({**BUTTON, "custom_id": "x" * 101})), "a custom_id has 101"),
    (v2(row({**BUTTON, "custom_id": ""})), "a custom_id has 0"),
    (v2(row({**BUTTON, "label": "x" * 81})), "a button's label has 81"),
    (v2(row({**BUTTON, "label": ""})), "neither a label nor an emoji"),
    (v2(row({**BUTTON, "url": "https://example.com"})), "either an address"),
    (v2(row({"type": 2, "style": 5, "label": "x", "url": "ftp://x"})), "no address"),
    (v2(row(*buttons(6))), "a row of 6"),
    (v2(row()), "a row of 0"),
    (v2(row(BUTTON, SELECT)), "a row of a select and more"),
    (v2(row({**SELECT, "options": []})), "0 options"),
    (v2(row({**SELECT, "options": [OPTION, OPTION]})), "'1' stands twice"),
    (v2(row({**SELECT, "options": [{**OPTION, "label": "x" * 101}]})), "option's label has 101"),
    (v2(row({**SELECT, "options": [{**OPTION, "value": ""}]})), "option's value has 0"),
    (v2(row({**SELECT, "options": [{**OPTION, "description": "x" * 101}]})), "description has 101"),
    (v2(row({**SELECT, "placeholder": "x" * 151})), "a placeholder has 151"),
    (v2(row({**SELECT, "max_values": 2})), "takes 2 values of 1"),
    (v2({**SECTION, "components": texts(*"abcd")}), "one to three texts"),
    (v2({**SECTION, "accessory": None}), "a button or a picture"),
    (v2({"type": 17, "components": []}), "a container is empty"),
    (v2({"type": 17, "components": [{"type": 17, "components": [TEXT]}]}), "type 17 inside 17"),
    (v2(BUTTON), "type 2 inside a message"),
    ({"embeds": [{"title": "x"}] * 11}, "11 embeds"),
    ({"embeds": [{"title": "x" * 257}]}, "an embed's title has 257"),
    ({"embeds": [{"description": "x" * 4097}]}, "an embed's description has 4097"),
    ({"embeds": [{"footer": {"text": "x" * 2049}}]}, "an embed's footer has 2049"),
    ({"embeds": [{"fields": [{"name": "x", "value": "y"}] * 26}]}, "26 fields"),
    ({"embeds": [{"fields": [{"name": "x", "value": "y" * 1025}]}]}, "a field's value has 1025"),
    ({"embeds": [{"fields": [{"name": " ", "value": "y"}]}]}, "a field's name has 0"),
    ({"embeds": [{"description": "x" * 3001}] * 2}, "the embeds hold 6002"),
    ({"embeds": [{}]}, "an embed is empty"),
]
BAD_FORMS = [
    (form(label(INPUT), title="x" * 46), "title has 46"),
    (form(), "has 0 components"),
    (form(*texts(*"abcdef")), "has 6 components"),
    (form(label(INPUT), label(INPUT)), "custom_id in stands twice"),
    (form(label(INPUT, "x" * 46)), "a label has 46"),
    (form(label({**INPUT, "placeholder": "x" * 101})), "placeholder has 101"),
    (form(BUTTON), "type 2 in a form"),
]
STRING = {"type": 3, "name": "source", "description": "Whose"}
BAD_COMMANDS = [
    (command(name="Papers"), "is no name"),
    (command(name="my papers"), "is no name"),
    (command(description=""), "has 0 characters"),
    (command(*[{**STRING, "name": f"s{each}"} for each in range(26)]), "26 options"),
    (command(STRING, STRING), "source stands twice"),
    (command(STRING, {**STRING, "name": "b", "required": True}), "before a required one"),
    (command(STRING, SUBCOMMAND), "subcommands beside options"),
    (command({**SUBCOMMAND, "options": [SUBCOMMAND]}), "has subcommands, being one"),
    (command({**STRING, "choices": [{"name": "a", "value": "a"}] * 26}), "26 choices"),
    ([*command(), *command()], "stands twice"),
    ([{"type": 3, "name": "Look up", "description": "x"}], "in a context menu"),
]


@pytest.mark.parametrize("payload", GOOD_MESSAGES)
def test_a_message_at_its_limits_is_valid(payload: dict[str, Any]) -> None:
    """A message at its limits is valid, also by the OpenAPI document."""
    judge_message(payload)
    assert openapi_problems("POST", CREATE, payload) == []


@pytest.mark.parametrize(("payload", "words"), BAD_MESSAGES)
def test_a_message_over_a_limit_is_refused(payload: dict[str, Any], words: str) -> None:
    """Each limit of messages, components and embeds is checked."""
    with pytest.raises(AssertionError, match=words):
        judge_message(payload)


@pytest.mark.parametrize(("payload", "words"), BAD_FORMS)
def test_a_modal_over_a_limit_is_refused(payload: dict[str, Any], words: str) -> None:
    """Each limit of modals is checked."""
    judge_modal(form(label(INPUT), label(SELECT, "Pick")))
    with pytest.raises(AssertionError, match=words):
        judge_modal(payload)


@pytest.mark.parametrize(("commands", "words"), BAD_COMMANDS)
def test_commands_over_a_limit_are_refused(commands: list[dict[str, Any]], words: str) -> None:
    """Each limit of commands is checked."""
    assert problems(COMMANDS, "commands") == []
    assert words in "; ".join(problems(commands, "commands"))


def test_a_command_holds_8000_characters() -> None:
    """Names, descriptions and values count, each in its longest localization."""
    options = [{**STRING, "name": f"s{each}", "description": "x" * 100} for each in range(25)]
    groups = [{**SUBCOMMAND, "name": f"g{each}", "options": options} for each in range(4)]
    found = problems(command(*groups), "commands")
    assert found == [f"papers holds {command_size(command(*groups)[0])} characters, of 8000"]
    translated = {**STRING, "description_localizations": {"de": "Wessen Auswahl"}}
    assert command_size(translated) - command_size(STRING) == len("Wessen Auswahl") - len("Whose")


def test_choices_are_at_most_25_and_never_blank() -> None:
    """Autocompletion offers up to 25 choices with names and values of 1 to 100 characters."""
    choice = {"name": "x" * 100, "value": "y" * 100}
    assert problems([choice] * 25, "choices") == []
    assert problems([choice] * 26, "choices") == ["26 choices, of 25"]
    assert len(problems([{"name": " ", "value": "y" * 101}], "choices")) == 2


def test_a_thread_has_a_name_and_five_tags() -> None:
    """A thread's name has 1 to 100 characters, a post in a forum up to five tags and a message."""
    assert problems({"name": "x" * 100, "applied_tags": ["1"] * 5}, "thread") == []
    bad = {"name": "x" * 101, "applied_tags": ["1"] * 6, "message": {"content": ""}}
    assert len(problems(bad, "thread")) == 3


def test_the_openapi_document_checks_bodies() -> None:
    """The OpenAPI document finds a wrong type in a nested alternative."""
    shared_file("discord-openapi.json.gz")
    found = openapi_problems("POST", CALLBACK, {"type": 4, "data": {"content": 5}})
    assert [problem.split(":")[0] for problem in found] == ["$.data.content"]
    assert openapi_problems("POST", f"{CREATE}/{{message_id}}/crosspost", {"a": 1}) != []
    with pytest.raises(KeyError):
        openapi_problems("POST", "/channels/{channel_id}/papers", {})
