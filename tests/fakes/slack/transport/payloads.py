"""The payloads of commands, interactions and events.

https://docs.slack.dev/reference/interaction-payloads and https://docs.slack.dev/reference/events
"""

import time
from collections.abc import Iterator

from tests.fakes.slack.records import Channel, Json, Message, Team, View, buttons, elements
from tests.fakes.slack.state import World
from tests.fakes.slack.web_api.views import as_json

_SCOPES = {
    "app_mention": "app_mentions:read",
    "message": "im:history",
    "link_shared": "links:read",
}


def command(world: World, team: Team, channel: Channel, user: str, text: str) -> Json:
    """Return the payload of a slash command, which is no valid one for strangers.

    https://github.com/slackapi/bolt-python/issues/767
    """
    assert world.home_of(user, team) is team, "no command of theirs"
    org = {"enterprise_id": team.enterprise, "enterprise_name": "Org"} if team.enterprise else {}
    place = {"channel_id": channel.id, "channel_name": channel.name, "team_id": team.id, **org}
    app = {"api_app_id": world.app_id, "is_enterprise_install": str(team.org_wide).lower()}
    url, trigger = world.make_hook(team, channel, user), world.make_trigger(team, user)
    typed = {"command": "/papers", "text": text, "user_id": user, "user_name": user.lower()}
    return typed | place | app | {"response_url": url, "trigger_id": trigger}


def interaction(world: World, kind: str, team: Team, user: str) -> Json:
    """Return the common payload of interactions; a `block_suggestion` has no trigger.

    A submitted form names the workspace of its user, anything else that of the app.
    https://github.com/slackapi/bolt-js/issues/1614
    """
    home = world.home_of(user, team)
    named = home if kind == "view_submission" else team
    org = {"id": named.enterprise, "name": "Org"} if named.enterprise else None
    place = {"enterprise": org, "is_enterprise_install": named.org_wide}
    person = {"id": user, "username": user.lower(), "team_id": home.id}
    who = {"user": person, "team": {"id": named.id, "domain": named.id.lower()}}
    done = {"type": kind, "api_app_id": world.app_id, "action_ts": world.next_ts()}
    if kind != "block_suggestion":
        done["trigger_id"] = world.make_trigger(team, user)
    return done | who | place


def at_message(world: World, message: Message, user: str) -> Json:
    """Return the part of a payload about its message; an ephemeral one has no content there."""
    team = world.teams[message.team]
    channel = team.channels[message.channel]
    private = bool(message.ephemeral_for)
    # A message of another author can neither be replaced nor deleted.
    own = message if message.bot_id else None
    container = {"type": "message", "message_ts": message.ts, "channel_id": channel.id}
    container |= {"thread_ts": message.thread_ts} if message.thread_ts else {}
    return {
        "container": {**container, "is_ephemeral": private},
        "channel": {"id": channel.id, "name": channel.name},
        "response_url": world.make_hook(team, channel, user, own),
        **({} if private else {"message": message.as_json(), "message_ts": message.ts}),
    }


def at_view(world: World, view: View, values: Json | None = None) -> Json:
    """Return the part of a payload about its view and the values there."""
    container = {"type": "view", "view_id": view.id}
    return {"container": container, "view": as_json(world, view, values)}


def pressed(target: Message | View, label: str, ts: str) -> Json:
    """Return the action of the button with a label, accessibility label or action_id.

    `Save 2` is the option Save of the second menu beside words, behind three dots.
    """
    option, _, number = label.rpartition(" ")
    menus = [each for each in elements(target.blocks) if each[1]["type"] == "overflow"]
    if option and number.isdecimal() and 0 < int(number) <= len(menus):
        block, menu = menus[int(number) - 1]
        return _picked(block, menu, {}, option, ts)
    found = [
        (
            {**{key: value for key, value in element.items() if key != "style"}, "block_id": block},
            url,
        )
        for url, blocks in _parts(target)
        for block, element in ((block["block_id"], e) for block, e in buttons(blocks))
        if label
        in (element["text"]["text"], element.get("accessibility_label"), element["action_id"])
    ]
    assert len(found) == 1, f"{len(found)} buttons {label!r} in {target}"
    [(button, url)] = found
    action = {"actions": [{**button, "action_ts": ts}]}
    if url is None or isinstance(target, View):
        return action
    place = {"message_ts": target.ts, "channel_id": target.channel, "is_ephemeral": False}
    card = {"type": "message_attachment", "attachment_id": 1, "is_app_unfurl": True}
    return action | {"container": place | card | {"app_unfurl_url": url}}


def picked(target: Message | View, menu: str, option: str, ts: str) -> Json:
    """Return the action of the option with a label in the menu with a placeholder."""
    found = [
        (block, element)
        for block, element in elements(target.blocks)
        if element["type"] == "static_select" and element["placeholder"]["text"] == menu
    ]
    assert len(found) == 1, f"{len(found)} menus {menu!r} in {target}"
    [(block, select)] = found
    return _picked(block, select, {"placeholder": select["placeholder"]}, option, ts)


def _picked(block: Json, menu: Json, more: Json, option: str, ts: str) -> Json:
    options = [each for each in menu["options"] if each["text"]["text"] == option]
    assert len(options) == 1, f"{option!r} is {len(options)} times in {menu['options']}"
    about = {"type": menu["type"], "action_id": menu["action_id"], "block_id": block["block_id"]}
    return {"actions": [{**about, **more, "selected_option": options[0], "action_ts": ts}]}


def _parts(target: Message | View) -> Iterator[tuple[str | None, list[Json]]]:
    """Yield the blocks of a message or view, and of each unfurl with its URL."""
    yield None, target.blocks
    if isinstance(target, Message):
        yield from ((url, card["blocks"]) for url, card in target.unfurls.items())


def event(world: World, team: Team, happened: Json, event_id: str | None) -> Json:
    """Return the payload of an event; without the app, it has no authorizations.

    In a shared channel the outer workspace is the host, and the author's is named where it is not
    that of the app: https://github.com/slackapi/java-slack-sdk/issues/629
    """
    needed = _SCOPES.get(happened["type"])
    assert needed is None or needed in team.scopes, f"Slack sends this event only with {needed}"
    org_wide = {"is_enterprise_install": team.org_wide, "enterprise_id": team.enterprise}
    bot = {"user_id": team.bot_user, "is_bot": True}
    authorization = org_wide | bot | {"team_id": None if team.org_wide else team.id}
    channel = team.channels.get(happened.get("channel", ""))
    outer = world.teams[channel.host] if channel and channel.host else team
    place: Json = {"team_id": outer.id, "enterprise_id": outer.enterprise}
    place |= {"api_app_id": world.app_id}
    place |= {"context_team_id": team.id, "context_enterprise_id": team.enterprise}
    place["is_ext_shared_channel"] = bool(channel and world.is_shared_outside(channel))
    happened = happened | _author(world, team, happened)
    about = {"type": "event_callback", "event": happened, "event_time": int(time.time())}
    known = {"authorizations": [authorization] if team.installed else []}
    return about | place | known | {"event_id": event_id or world.next_id("Ev")}


def _author(world: World, team: Team, happened: Json) -> Json:
    """Return what an event says of the workspace of its author."""
    home = world.home_of(str(happened.get("user")), team)
    if happened["type"] == "message":
        return {"team": home.id}
    if happened["type"] == "app_mention" and home is not team:
        return dict.fromkeys(("user_team", "source_team"), home.enterprise or home.id)
    return {}


def filled(view: View, values: dict[str, str | None]) -> Json:
    """Return the state of a submitted modal, which has all required values.

    Inputs without a value keep their initial one, and `None` empties an input. The values of a
    multi-select are separated by commas.
    """
    state: Json = {}
    for block in (block for block in view.blocks if block["type"] == "input"):
        element, block_id = block["element"], block["block_id"]
        name = element["action_id"]
        value = values.get(block_id, values.get(name, _initial_value(element)))
        assert value or block.get("optional"), f"{block_id} must be filled in"
        state[block_id] = {name: {"type": element["type"], **_entered(element, value)}}
    return state


def _initial_value(element: Json) -> str | None:
    """Return the initial value of an input."""
    one = (element.get(f"initial_{each}") for each in ("value", "time", "conversation"))
    several = element.get("initial_options") or [element.get("initial_option")]
    chosen = ",".join(option["value"] for option in several if option)
    return next((each for each in one if each), None) or chosen or None


def _entered(element: Json, value: str | None) -> Json:
    """Return the state of an input: https://docs.slack.dev/reference/views/modal-views."""
    match element["type"]:
        case "timepicker":
            return {"selected_time": value}
        case "conversations_select":
            return {"selected_conversation": value}
        case "multi_external_select":
            return {"selected_options": [_typed(each) for each in (value or "").split(",") if each]}
        case "external_select":
            return {"selected_option": _typed(value) if value else None}
        case "static_select" | "radio_buttons":
            found = [each for each in element["options"] if each["value"] == value]
            assert found or not value, f"{value} is not offered"
            return {"selected_option": found[0] if found else None}
    return {"value": value}


def _typed(value: str) -> Json:
    return {"text": {"type": "plain_text", "text": value}, "value": value}
