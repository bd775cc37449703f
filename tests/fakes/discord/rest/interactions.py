"""Requests that respond to interactions, and those of their webhooks.

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
from tests.fakes.discord.rest.channels import edit_message
from tests.fakes.discord.rest.requests import INVALID_FORM, ApiError, Call, Table, check_payload
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.state import World

_FIRST_WITHIN = 3.0
_TOKEN_LASTS = 15 * 60.0
# Of an app that only the user has installed: https://docs.discord.com/developers/resources/application
_MOST_FOLLOWUPS = 5
_UPDATES = (UPDATE, DEFERRED_UPDATE)


def _callback(world: World, call: Call) -> Json | None:
    interaction = world.interactions.get(call.parameters["interaction_token"])
    if interaction is None or interaction.id != call.number("interaction_id"):
        raise ApiError(404, 10062, "Unknown interaction")
    interaction.attempts += 1
    if interaction.response is not None:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    if world.now - interaction.made_at > _FIRST_WITHIN:
        raise ApiError(404, 10062, "Unknown interaction", "answered after three seconds")
    kind, data = call.body["type"], call.body.get("data") or {}
    allowed = MAY_ANSWER[interaction.kind]
    if kind not in allowed or (
        interaction.kind == MODAL and kind in _UPDATES and not interaction.source
    ):
        why = f"a response of type {kind} to an interaction of type {interaction.kind}"
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", why)
    _respond(world, interaction, kind, data)
    interaction.respond(call.body)
    with_response = call.query.get("with_response") in ("1", "true")
    return _callback_json(interaction, kind) if with_response else None


def _respond(world: World, interaction: Interaction, kind: int, data: Json) -> None:
    """Carry out a first response."""
    if kind == CHOICES:
        check_payload(world, data.get("choices"), "choices")
        interaction.choices = data["choices"]
    elif kind == FORM:
        check_payload(world, data, "modal")
        interaction.form = Modal(interaction, data)
    elif kind == MESSAGE:
        check_payload(world, data, "message")
        _post(world, interaction, data)
    elif kind == DEFERRED:
        interaction.deferred = True
        _post(world, interaction, {"flags": (data.get("flags") or 0) & EPHEMERAL | LOADING})
    elif interaction.source:
        interaction.deferred = kind == DEFERRED_UPDATE
        interaction.original = interaction.source
        if kind == UPDATE:
            edit_message(world, interaction.source, data)


def _post(world: World, interaction: Interaction, payload: Json) -> Message:
    message = world.post(interaction.channel, payload, to=interaction.user)
    message.webhook_id = world.application_id
    message.interaction = {
        "id": str(interaction.id),
        "type": interaction.kind,
        "user": interaction.user.as_json(),
        "authorizing_integration_owners": interaction.payload["authorizing_integration_owners"],
    }
    interaction.original = interaction.original or message
    interaction.messages.append(message)
    return message


def _callback_json(interaction: Interaction, kind: int) -> Json:
    known: Json = {"id": str(interaction.id), "type": interaction.kind}
    resource: Json = {"type": kind}
    if interaction.original:
        known["response_message_id"] = str(interaction.original.id)
        known["response_message_loading"] = interaction.original.loading
        known["response_message_ephemeral"] = interaction.original.ephemeral
        if kind in (MESSAGE, UPDATE):
            resource["message"] = interaction.original.as_json()
    return {"interaction": known, "resource": resource}


def _follow_up(world: World, call: Call) -> Json:
    interaction = _answered_interaction(world, call)
    interaction.followed = True
    if interaction.original and interaction.original.loading:
        # The first follow-up replaces the loading message.
        return _filled(world, interaction.original, call.body).as_json()
    check_payload(world, call.body, "message")
    if not interaction.bot_is_member and len(interaction.messages) > _MOST_FOLLOWUPS:
        words = "This interaction has reached its maximum number of follow up messages"
        raise ApiError(400, 40094, words)
    return _post(world, interaction, call.body).as_json()


def _filled(world: World, message: Message, payload: Json) -> Message:
    """Edit an answer, which stays ephemeral or public as it was deferred."""
    was_loading = message.loading
    judged_payload = {**payload, "flags": (payload.get("flags") or 0) & ~EPHEMERAL}
    if not was_loading and "flags" not in payload:
        del judged_payload["flags"]
    edit_message(world, message, judged_payload)
    message.flags &= ~LOADING
    message.edited = not was_loading
    return message


def _get_answer(world: World, call: Call) -> Json:
    return _answer(_answered_interaction(world, call), call).as_json()


def _edit_answer(world: World, call: Call) -> Json:
    interaction = _answered_interaction(world, call)
    answer = _filled(world, _answer(interaction, call), call.body)
    interaction.followed = True
    return answer.as_json()


def _delete_answer(world: World, call: Call) -> None:
    interaction = _answered_interaction(world, call)
    _answer(interaction, call).deleted = True
    interaction.followed = True


def _answered_interaction(world: World, call: Call) -> Interaction:
    interaction = world.interactions.get(call.parameters["webhook_token"])
    if call.number("webhook_id") != world.application_id or interaction is None:
        raise ApiError(404, 10015, "Unknown Webhook")
    if interaction.response is None:
        raise ApiError(404, 10015, "Unknown Webhook", "there was no first response")
    if world.now - interaction.made_at > _TOKEN_LASTS:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return interaction


def _answer(interaction: Interaction, call: Call) -> Message:
    wanted = call.parameters.get("message_id", "@original")
    every = [*([interaction.original] if interaction.original else []), *interaction.messages]
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
