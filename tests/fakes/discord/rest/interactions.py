"""How the bot answers: the first response, within three seconds, and what follows by webhook.

https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from tests.fakes.discord.interactions import (
    CHOICES,
    DEFERRED,
    DEFERRED_UPDATE,
    FORM,
    MAY_ANSWER,
    MESSAGE,
    MODAL,
    UPDATE,
    Interaction,
    Modal,
)
from tests.fakes.discord.records import EPHEMERAL, LOADING, Message
from tests.fakes.discord.rest.channels import edited
from tests.fakes.discord.rest.requests import INVALID_FORM, ApiError, Call, Table, judged
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.state import World

_FIRST_WITHIN = 3.0
_TOKEN_LASTS = 15 * 60.0
# Where the app is only a person's: https://docs.discord.com/developers/resources/application
_MOST_FOLLOWUPS = 5
_UPDATES = (UPDATE, DEFERRED_UPDATE)


def _callback(world: World, call: Call) -> Json | None:
    asked = world.interactions.get(call.parameters["interaction_token"])
    if asked is None or asked.id != call.number("interaction_id"):
        raise ApiError(404, 10062, "Unknown interaction")
    asked.attempts += 1
    if asked.response is not None:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    if world.now - asked.made_at > _FIRST_WITHIN:
        raise ApiError(404, 10062, "Unknown interaction", "answered after three seconds")
    kind, data = call.body["type"], call.body.get("data") or {}
    may = MAY_ANSWER[asked.kind]
    if kind not in may or (asked.kind == MODAL and kind in _UPDATES and not asked.source):
        why = f"a response of type {kind} to an interaction of type {asked.kind}"
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", why)
    _respond(world, asked, kind, data)
    asked.respond(call.body)
    return _callback_json(asked, kind) if call.query.get("with_response") in ("1", "true") else None


def _respond(world: World, asked: Interaction, kind: int, data: Json) -> None:
    """Do what a first response of a kind asks for."""
    if kind == CHOICES:
        judged(world, data.get("choices"), "choices")
        asked.choices = data["choices"]
    elif kind == FORM:
        judged(world, data, "modal")
        asked.form = Modal(asked, data)
    elif kind == MESSAGE:
        judged(world, data, "message")
        _say(world, asked, data)
    elif kind == DEFERRED:
        asked.deferred = True
        _say(world, asked, {"flags": (data.get("flags") or 0) & EPHEMERAL | LOADING})
    elif asked.source:
        asked.deferred = kind == DEFERRED_UPDATE
        asked.original = asked.source
        if kind == UPDATE:
            edited(world, asked.source, data)


def _say(world: World, asked: Interaction, payload: Json) -> Message:
    message = world.post(asked.channel, payload, to=asked.user)
    message.webhook_id = world.application_id
    message.interaction = {
        "id": str(asked.id),
        "type": asked.kind,
        "user": asked.user.as_json(),
        "authorizing_integration_owners": asked.payload["authorizing_integration_owners"],
    }
    asked.original = asked.original or message
    asked.messages.append(message)
    return message


def _callback_json(asked: Interaction, kind: int) -> Json:
    known: Json = {"id": str(asked.id), "type": asked.kind}
    resource: Json = {"type": kind}
    if asked.original:
        known["response_message_id"] = str(asked.original.id)
        known["response_message_loading"] = asked.original.loading
        known["response_message_ephemeral"] = asked.original.ephemeral
        if kind in (MESSAGE, UPDATE):
            resource["message"] = asked.original.as_json()
    return {"interaction": known, "resource": resource}


def _follow_up(world: World, call: Call) -> Json:
    asked = _asked(world, call)
    asked.followed = True
    if asked.original and asked.original.loading:
        # The first one takes the place of the word that the bot is thinking.
        return _filled(world, asked.original, call.body).as_json()
    judged(world, call.body, "message")
    if not asked.bot_is_member and len(asked.messages) > _MOST_FOLLOWUPS:
        words = "This interaction has reached its maximum number of follow up messages"
        raise ApiError(400, 40094, words)
    return _say(world, asked, call.body).as_json()


def _filled(world: World, message: Message, payload: Json) -> Message:
    """Change an answer; whether one person sees it was settled when it was deferred."""
    was_loading = message.loading
    judged_payload = {**payload, "flags": (payload.get("flags") or 0) & ~EPHEMERAL}
    if not was_loading and "flags" not in payload:
        del judged_payload["flags"]
    edited(world, message, judged_payload)
    message.flags &= ~LOADING
    message.edited = not was_loading
    return message


def _get_answer(world: World, call: Call) -> Json:
    return _answer(_asked(world, call), call).as_json()


def _edit_answer(world: World, call: Call) -> Json:
    asked = _asked(world, call)
    answer = _filled(world, _answer(asked, call), call.body)
    asked.followed = True
    return answer.as_json()


def _delete_answer(world: World, call: Call) -> None:
    asked = _asked(world, call)
    _answer(asked, call).deleted = True
    asked.followed = True


def _asked(world: World, call: Call) -> Interaction:
    asked = world.interactions.get(call.parameters["webhook_token"])
    if call.number("webhook_id") != world.application_id or asked is None:
        raise ApiError(404, 10015, "Unknown Webhook")
    if asked.response is None:
        raise ApiError(404, 10015, "Unknown Webhook", "there was no first response")
    if world.now - asked.made_at > _TOKEN_LASTS:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return asked


def _answer(asked: Interaction, call: Call) -> Message:
    wanted = call.parameters.get("message_id", "@original")
    every = [*([asked.original] if asked.original else []), *asked.messages]
    chosen = (
        every[:1] if wanted == "@original" else [each for each in every if str(each.id) == wanted]
    )
    if not chosen or chosen[0].deleted:
        raise ApiError(404, 10008, "Unknown Message")
    return chosen[0]


_WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}"
INTERACTIONS: Table = {
    ("POST", "/interactions/{interaction_id}/{interaction_token}/callback"): _callback,
    ("POST", _WEBHOOK): _follow_up,
    ("GET", f"{_WEBHOOK}/messages/@original"): _get_answer,
    ("PATCH", f"{_WEBHOOK}/messages/@original"): _edit_answer,
    ("DELETE", f"{_WEBHOOK}/messages/@original"): _delete_answer,
    ("GET", f"{_WEBHOOK}/messages/{{message_id}}"): _get_answer,
    ("PATCH", f"{_WEBHOOK}/messages/{{message_id}}"): _edit_answer,
    ("DELETE", f"{_WEBHOOK}/messages/{{message_id}}"): _delete_answer,
}
