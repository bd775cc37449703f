"""What Slack would refuse to show, in the words of its answer."""

import json
from collections.abc import Callable
from typing import Any

from tests.adapters.slack import payload_rules

# Undocumented, and seen near 13,200: https://github.com/slackapi/bolt-js/issues/2509
_MOST_BLOCKS_SIZE = 13_000
# A text alone is a message too, which the judge of rendered ones does not know.
_NO_BLOCKS = {"type": "divider"}


def message_error(payload: dict[str, Any]) -> tuple[str, str] | None:
    """Return Slack's error for a message and what is wrong with it, `None` for a good one."""
    blocks = payload.get("blocks") or []
    size = len(json.dumps(blocks))
    if "metadata" in payload and not _is_metadata(payload["metadata"]):
        return "invalid_metadata_format", "an event_type and an event_payload are all of it"
    if not blocks and not str(payload.get("text") or "").strip():
        return "no_text", "neither a text nor blocks"
    if size > _MOST_BLOCKS_SIZE:
        return "msg_blocks_too_long", f"{size} characters of blocks"
    return _judged(
        payload_rules.judge_message, {**payload, "blocks": blocks or [_NO_BLOCKS]}, "invalid_blocks"
    )


def view_error(view: dict[str, Any]) -> tuple[str, str] | None:
    """Return Slack's error for a view and what is wrong with it, `None` for a good one."""
    return _judged(payload_rules.judge_view, view, "invalid_arguments")


def options_error(payload: dict[str, Any]) -> tuple[str, str] | None:
    """Return what is wrong with the options offered for what was typed.

    https://docs.slack.dev/reference/block-kit/composition-objects/option-object
    """
    options = payload.get("options")
    if not isinstance(options, list) or len(options) > 100:
        return "invalid_options", "no list of up to 100 options"
    for option in options:
        label, value = option["text"]["text"], option["value"]
        if not 1 <= len(label) <= 75 or not 1 <= len(value) <= 150:
            return "invalid_options", f"an option out of bounds: {label!r} {value!r}"
    return None


def _is_metadata(metadata: dict[str, Any]) -> bool:
    """Tell whether a message may be marked so: https://docs.slack.dev/messaging/message-metadata."""
    if metadata.keys() != {"event_type", "event_payload"}:
        return False
    kind, payload = metadata["event_type"], metadata["event_payload"]
    return isinstance(kind, str) and kind.isidentifier() and isinstance(payload, dict)


def _judged(
    judge_it: Callable[[dict[str, Any]], None], payload: dict[str, Any], error: str
) -> tuple[str, str] | None:
    try:
        judge_it(payload)
    except (payload_rules.RefusedError, KeyError, TypeError) as refusal:
        return error, f"{type(refusal).__name__}: {refusal}"
    return None
