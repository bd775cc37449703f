"""Methods of modals and Home tabs."""

from typing import Any

from tests.fakes.slack.records import Json, Trigger, View, with_block_ids
from tests.fakes.slack.state import World
from tests.fakes.slack.web_api.calls import ApiError, Call

_TRIGGER_LASTS = 3.0


def open_view(world: World, call: Call) -> Json:
    """Open a modal for the user of a trigger."""
    trigger = _spend_trigger(world, call)
    stack = world.stacks[trigger.team.id, trigger.user] = []
    payload = _payload(world, call)
    return _shown(world, add_view(world, stack, trigger.team.id, trigger.user, payload))


def update_view(world: World, call: Call) -> Json:
    """Update an open modal, if the hash is current."""
    wanted = call.arguments.get("view_id"), call.arguments.get("external_id")
    teams = {team.id for team in call.teams}
    stacks = (stack for (team, _), stack in world.stacks.items() if team in teams)
    for view in (view for stack in stacks for view in stack):
        if wanted[0] == view.id or (wanted[1] and wanted[1] == view.payload.get("external_id")):
            return _shown(world, _change(world, call, view))
    raise ApiError("not_found")


def publish_view(world: World, call: Call) -> Json:
    """Publish the Home tab of a user."""
    user = call.arguments["user_id"]
    if user not in call.team.people:
        raise ApiError("user_not_found")
    key = (call.team.id, user)
    if key in world.homes:
        return _shown(world, _change(world, call, world.homes[key]))
    view_id = world.next_id("V")
    payload = _payload(world, call, kind="home")
    world.homes[key] = View(view_id, *key, payload, world.next_id("hash"), view_id)
    return _shown(world, world.homes[key])


def add_view(world: World, stack: list[View], team: str, user: str, payload: Json) -> View:
    """Push a view on a stack."""
    view_id = world.next_id("V")
    root, previous = (stack[0].root, stack[-1].id) if stack else (view_id, None)
    stack.append(View(view_id, team, user, payload, world.next_id("hash"), root, previous))
    return stack[-1]


def submitted(world: World, view: View, answer: Json) -> None:
    """Apply the acknowledgement of a submission to its modal.

    https://docs.slack.dev/surfaces/modals#handling_submissions
    """
    stack = world.stacks[view.team, view.user]
    match answer.get("response_action"):
        case None if not answer:
            stack[:] = [other for other in stack if other is not view]
        case "clear":
            stack.clear()
        case "errors" if answer["errors"].keys() <= _inputs(view):
            view.errors = answer["errors"]
        case "update" | "push" as action:
            _follow(world, view, answer["view"], stack if action == "push" else None)
        case _:
            why = "no known response_action, or errors beside no input"
            world.refuse("view_submission", "invalid_response", why, answer)


def _follow(world: World, view: View, payload: Json, stack: list[View] | None) -> None:
    """Replace a modal by another view, or push that on a stack."""
    if world.view_error("view_submission", payload):
        return
    payload = payload | {"blocks": with_block_ids(payload["blocks"])}
    if stack is None:
        view.payload, view.hash = payload, world.next_id("hash")
    else:
        add_view(world, stack, view.team, view.user, payload)


def as_json(world: World, view: View, values: Json | None = None) -> Json:
    """Return the JSON of a view."""
    known = {"callback_id": "", "private_metadata": "", **view.payload}
    stack = {"id": view.id, "root_view_id": view.root, "previous_view_id": view.previous}
    home = world.home_of(view.user, world.teams[view.team])
    app = {"team_id": home.id, "app_installed_team_id": view.team, "app_id": world.app_id}
    return known | stack | app | {"hash": view.hash, "state": {"values": values or {}}}


def _inputs(view: View) -> set[str]:
    return {block["block_id"] for block in view.blocks if block["type"] == "input"}


def _spend_trigger(world: World, call: Call) -> Trigger:
    trigger = world.triggers.get(call.arguments["trigger_id"])
    if trigger is None or trigger.team not in call.teams:
        raise ApiError("invalid_trigger_id")
    if trigger.used:
        raise ApiError("exchanged_trigger_id")
    if world.now - trigger.made_at > _TRIGGER_LASTS:
        raise ApiError("expired_trigger_id")
    trigger.used = True
    return trigger


def _payload(world: World, call: Call, kind: str = "modal") -> Json:
    view: dict[str, Any] = call.arguments["view"]
    if error := world.view_error(call.method, view):
        raise ApiError(error)
    if view["type"] != kind:
        raise ApiError(world.refuse(call.method, "invalid_arguments", f"no {kind}", view))
    return view | {"blocks": with_block_ids(view["blocks"])}


def _change(world: World, call: Call, view: View) -> View:
    if call.arguments.get("hash") not in (None, view.hash):
        raise ApiError("hash_conflict")
    view.payload = _payload(world, call, view.payload["type"])
    view.hash = world.next_id("hash")
    return view


def _shown(world: World, view: View) -> Json:
    return {"view": as_json(world, view)}
