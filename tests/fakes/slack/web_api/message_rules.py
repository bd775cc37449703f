"""The checks of messages, views and options, with the errors of Slack."""

import json
from collections.abc import Callable
from typing import Any

from tests.adapters.slack import payload_rules

# Undocumented, and seen near 13,200: https://github.com/slackapi/bolt-js/issues/2509
_MOST_BLOCKS_SIZE = 13_000
# A message may be text alone, but `judge_message` needs blocks.
_NO_BLOCKS = {"type": "divider"}


def message_error(payload: dict[str, Any]) -> tuple[str, str] | None:
    """Return the error of a message and its reason, or `None` for a valid one."""
    blocks = payload.get("blocks") or []
    size = len(json.dumps(blocks))
    if "metadata" in payload and not _is_metadata(payload["metadata"]):
        return "invalid_metadata_format", "an event_type and an event_payload are all of it"
    if not blocks and not str(payload.get("text") or "").strip():
        return "no_text", "neither a text nor blocks"
    if size > _MOST_BLOCKS_SIZE:
        return "msg_blocks_too_long", f"{size} characters of blocks"
    return _error_of(
        payload_rules.judge_message, {**payload, "blocks": blocks or [_NO_BLOCKS]}, "invalid_blocks"
    )


def view_error(view: dict[str, Any]) -> tuple[str, str] | None:
    """Return the error of a view and its reason, or `None` for a valid one."""
    return _error_of(payload_rules.judge_view, view, "invalid_arguments")


def options_error(payload: dict[str, Any]) -> tuple[str, str] | None:
    """Return the error of suggested options and its reason, or `None` for valid ones.

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
    """Tell whether metadata is valid: https://docs.slack.dev/messaging/message-metadata."""
    if metadata.keys() != {"event_type", "event_payload"}:
        return False
    kind, payload = metadata["event_type"], metadata["event_payload"]
    return isinstance(kind, str) and kind.isidentifier() and isinstance(payload, dict)


def _error_of(
    check: Callable[[dict[str, Any]], None], payload: dict[str, Any], error: str
) -> tuple[str, str] | None:
    try:
        check(payload)
    except (payload_rules.RefusedError, KeyError, TypeError) as refusal:
        return error, f"{type(refusal).__name__}: {refusal}"
    return None
