"""Messages of acknowledgements and response_urls, which need no token.

https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
"""

from tests.fakes.slack.records import Hook, Json, Message
from tests.fakes.slack.state import World

_MOST_USES = 5
_LASTS = 30 * 60
_CONTENT = {"text", "blocks", "attachments", "metadata", "mrkdwn", "unfurl_links", "unfurl_media"}
_KEYS = _CONTENT | {"response_type", "replace_original", "delete_original", "thread_ts"}


def use(world: World, key: str, payload: Json) -> tuple[int, Json]:
    """Carry out a request to a response_url; return the status and the body of the response."""
    hook = world.hooks.get(key)
    if hook is None or world.now - hook.made_at > _LASTS:
        return 404, {"ok": False, "error": "expired_url"}
    if hook.uses >= _MOST_USES:
        return 404, {"ok": False, "error": "used_url"}
    hook.uses += 1
    error = answer(world, hook, payload, "response_url")
    return (400, {"ok": False, "error": error}) if error else (200, {"ok": True})


def answer(world: World, hook: Hook, payload: Json, where: str) -> str | None:
    """Post, replace or delete the message of an answer; return its error."""
    if unknown := payload.keys() - _KEYS:
        return world.refuse(where, "invalid_payload", f"unknown: {sorted(unknown)}", payload)
    if payload.get("delete_original"):
        if hook.message:
            hook.message.deleted = True
        return None
    if error := world.message_error(where, payload):
        return error
    if payload.get("replace_original") and hook.message:
        hook.message.fill(payload)
        hook.message.edited = True
        return None
    posted = _post(world, hook, payload)
    # The original message of a button stays the one with the button.
    hook.message = hook.message or posted
    return None


def _post(world: World, hook: Hook, payload: Json) -> Message:
    public = payload.get("response_type", "ephemeral") == "in_channel"
    reader = None if public else hook.user
    return world.post(hook.channel, hook.team, payload, ephemeral_for=reader)
