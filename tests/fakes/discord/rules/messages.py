"""The checks of messages, threads and choices, each with its documentation page.

The OpenAPI document has a part of these rules, but may be absent.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tests.fakes.discord.rest.attachments import attachments_problems
from tests.fakes.discord.rules.commands import commands_problems
from tests.fakes.discord.rules.components import (
    Json,
    components_problems,
    length,
    modal_problems,
)

# https://docs.discord.com/developers/resources/message#create-message
_LONGEST_CONTENT = 2000
_LONGEST_NONCE = 25
COMPONENTS_V2 = 1 << 15
# https://docs.discord.com/developers/resources/message#embed-object-embed-limits
_EMBEDS = 10
_EMBED_FIELDS = 25
_EMBEDS_TEXT = 6000
# https://docs.discord.com/developers/components/using-message-components
_NOT_BESIDE_V2 = ("content", "embeds", "poll", "sticker_ids")
# https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
_LONGEST_THREAD_NAME = 100
_TAGS = 5
# https://docs.discord.com/developers/interactions/receiving-and-responding
_CHOICES = 25


def problems(payload: Any, kind: str) -> list[str]:
    """Return the problems of a `message`, `modal`, `thread`, `choices` or `commands`."""
    return list(_KINDS[kind](payload))


def judge_message(payload: Json) -> None:
    """Check a message.

    Raises:
        AssertionError: with all problems.
    """
    found = problems(payload, "message")
    assert found == [], found


def judge_modal(payload: Json) -> None:
    """Check a modal.

    Raises:
        AssertionError: with all problems.
    """
    found = problems(payload, "modal")
    assert found == [], found


def _message_problems(payload: Json) -> Iterator[str]:
    v2 = bool((payload.get("flags") or 0) & COMPONENTS_V2)
    components = payload.get("components") or []
    yield from length("content", payload.get("content") or "", 0, _LONGEST_CONTENT)
    yield from length("nonce", str(payload.get("nonce") or ""), 0, _LONGEST_NONCE)
    yield from _embeds_problems(payload.get("embeds") or [])
    yield from components_problems(components, v2=v2)
    yield from attachments_problems(payload, v2=v2)
    if v2:
        beside = [name for name in _NOT_BESIDE_V2 if payload.get(name)]
        yield from (f"{name} stands beside components v2" for name in beside)
    beside_v2 = (*_NOT_BESIDE_V2, "attachments")
    if not (components and v2) and not any(payload.get(name) for name in beside_v2):
        yield "the message is empty"


def _embeds_problems(embeds: list[Json]) -> Iterator[str]:
    if len(embeds) > _EMBEDS:
        yield f"{len(embeds)} embeds, of {_EMBEDS}"
    total = 0
    for embed in embeds:
        texts = list(_embed_texts(embed))
        total += sum(len(text) for _, text, _, _ in texts)
        for name, text, least, most in texts:
            yield from length(name, text, least, most)
        if len(embed.get("fields", [])) > _EMBED_FIELDS:
            yield f"an embed has {len(embed['fields'])} fields, of {_EMBED_FIELDS}"
        if not texts and not embed.get("image") and not embed.get("thumbnail"):
            yield "an embed is empty"
    if total > _EMBEDS_TEXT:
        yield f"the embeds hold {total} characters, of {_EMBEDS_TEXT}"


def _embed_texts(embed: Json) -> Iterator[tuple[str, str, int, int]]:
    """Yield each text with its name, minimum and maximum length."""
    for name, most in (("title", 256), ("description", 4096)):
        if embed.get(name) is not None:
            yield f"an embed's {name}", embed[name], 0, most
    for name, key, most in (("footer", "text", 2048), ("author", "name", 256)):
        if embed.get(name):
            yield f"an embed's {name}", embed[name][key], 0, most
    for field in embed.get("fields", []):
        yield "a field's name", field["name"].strip(), 1, 256
        yield "a field's value", field["value"].strip(), 1, 1024


def _thread_problems(payload: Json) -> Iterator[str]:
    yield from length("the thread's name", payload.get("name", "").strip(), 1, _LONGEST_THREAD_NAME)
    if len(payload.get("applied_tags") or []) > _TAGS:
        yield f"{len(payload['applied_tags'])} tags, of {_TAGS}"
    if "message" in payload:
        yield from _message_problems(payload["message"])


def _choices_problems(choices: list[Json]) -> Iterator[str]:
    if len(choices) > _CHOICES:
        yield f"{len(choices)} choices, of {_CHOICES}"
    for choice in choices:
        yield from length("a choice's name", choice["name"].strip(), 1, 100)
        if isinstance(choice["value"], str):
            yield from length("a choice's value", choice["value"], 1, 100)


_KINDS: dict[str, Callable[[Any], Iterator[str]]] = {
    "message": _message_problems,
    "modal": modal_problems,
    "thread": _thread_problems,
    "choices": _choices_problems,
    "commands": commands_problems,
}
