"""The methods of the Web API that the bot calls."""

from tests.fakes.slack.records import Json, Message, with_block_ids
from tests.fakes.slack.state import World
from tests.fakes.slack.web_api import agents, conversations, files, views
from tests.fakes.slack.web_api.calls import ApiError, Call, Method
from tests.fakes.slack.web_api.conversations import channel_of
from tests.fakes.slack.web_api.message_rules import message_error


def _open_connection(world: World, call: Call) -> Json:
    if not call.token:
        raise ApiError("not_authed")
    if call.token != world.app_token:
        bots = call.token.startswith("xoxb-")
        raise ApiError("not_allowed_token_type" if bots else "invalid_auth")
    ticket = world.next_id("ticket-")
    world.tickets.add(ticket)
    url = world.socket_url or f"ws://{call.host}/link/"
    return {"url": f"{url}?ticket={ticket}"}


def _test_auth(_: World, call: Call) -> Json:
    team = call.team
    bot = {"user": "broadsheet", "user_id": team.bot_user, "bot_id": team.bot_id}
    org = {"enterprise_id": team.enterprise, "is_enterprise_install": team.org_wide}
    place = {"team": f"Team {team.id}", "url": f"https://{team.id.lower()}.example.com/"}
    return bot | org | place | {"team_id": team.enterprise if team.org_wide else team.id}


def _teams(world: World, call: Call) -> Json:
    """https://docs.slack.dev/reference/methods/auth.teams.list."""
    known = [{"id": team.id, "name": f"Team {team.id}"} for team in call.teams]
    return conversations.paged(world, call, "teams", known)


def _exchange_code(world: World, call: Call) -> Json:
    given = call.arguments.get("client_id"), call.arguments.get("client_secret")
    client_id, secret = call.basic or given
    grant = world.codes.get(call.arguments["code"])
    if client_id != world.client_id:
        raise ApiError("invalid_client_id")
    if secret != world.client_secret:
        raise ApiError("bad_client_secret")
    if grant is None or grant["used"]:
        raise ApiError("code_already_used" if grant else "invalid_code")
    if call.arguments.get("redirect_uri") != grant["redirect_uri"]:
        raise ApiError("bad_redirect_uri")
    grant["used"] = True
    team = world.teams[grant["team"]]
    if team.bot_token in world.dead_tokens:
        team.bot_token = world.next_id(f"{team.bot_token}-")
    team.installed, team.scopes = True, set(grant["scopes"])
    org = {"id": team.enterprise, "name": "Org"} if team.enterprise else None
    place = None if team.org_wide else {"id": team.id, "name": f"Team {team.id}"}
    where = {"team": place, "enterprise": org, "is_enterprise_install": team.org_wide}
    token = {"access_token": team.bot_token, "token_type": "bot", "bot_user_id": team.bot_user}
    app = {"app_id": world.app_id, "authed_user": {"id": grant["user"]}}
    return where | token | app | {"scope": ",".join(sorted(team.scopes))}


def _user_info(world: World, call: Call) -> Json:
    """https://docs.slack.dev/apis/slack-connect tells how a stranger looks."""
    person = call.team.people.get(call.arguments["user"])
    if person is None:
        raise ApiError("user_not_found")
    rank = {"is_admin": person.admin, "is_owner": False, "is_bot": False, "deleted": False}
    home = world.teams[person.home]
    user = {"id": person.id, "team_id": home.id, "tz": person.tz, **rank}
    if home.enterprise:
        org = {"enterprise_id": home.enterprise, "is_admin": False, "teams": [home.id]}
        user["enterprise_user"] = {"id": person.id, **org}
    return {"user": user}


def _post(world: World, call: Call) -> Json:
    if call.arguments["channel"] in call.team.people:
        call.arguments["channel"] = f"D{call.arguments['channel'].removeprefix('U')}"
    channel = channel_of(call)
    if call.team.bot_user not in channel.members and "chat:write.public" not in call.team.scopes:
        raise ApiError("not_in_channel")
    if channel.archived:
        raise ApiError("is_archived")
    if channel.read_only:
        raise ApiError("restricted_action_read_only_channel")
    thread_ts = call.arguments.get("thread_ts")
    if thread_ts and not channel.has_thread(thread_ts):
        raise ApiError("thread_not_found")
    _check_message(world, call)
    call.posted = world.post(channel, call.team, call.arguments)
    return {"channel": channel.id, "ts": call.posted.ts, "message": call.posted.as_json()}


def _post_ephemeral(world: World, call: Call) -> Json:
    channel, user = channel_of(call), call.arguments["user"]
    if call.team.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    if user not in channel.members:
        raise ApiError("user_not_in_channel")
    _check_message(world, call)
    message = world.post(channel, call.team, call.arguments, ephemeral_for=user)
    return {"message_ts": message.ts}


def _update(world: World, call: Call) -> Json:
    message = _own_message(call)
    _check_message(world, call)
    message.fill(call.arguments)
    message.edited = True
    return {"channel": message.channel, "ts": message.ts, "text": message.text}


def _permalink(_: World, call: Call) -> Json:
    """https://docs.slack.dev/reference/methods/chat.getPermalink."""
    channel, ts = channel_of(call), call.arguments["message_ts"]
    message = channel.find(ts)
    if message is None:
        raise ApiError("message_not_found")
    place = f"https://{call.team.id.lower()}.example.com/archives/{channel.id}"
    thread = f"?thread_ts={message.thread_ts}&cid={channel.id}" if message.is_reply else ""
    return {"channel": channel.id, "permalink": f"{place}/p{ts.replace('.', '')}{thread}"}


def _unfurl(world: World, call: Call) -> Json:
    unfurls: Json = call.arguments["unfurls"]
    composing = world.previews.get(call.arguments.get("unfurl_id", ""))
    channel = call.team.channels.get(call.arguments.get("channel", ""))
    message = composing or (channel and channel.find(call.arguments.get("ts", "")))
    if not message:
        raise ApiError("cannot_find_message")
    if not unfurls:
        raise ApiError("missing_unfurls")
    if any(link not in message.text for link in unfurls):
        raise ApiError(world.refuse(call.method, "cannot_unfurl_url", "not in it", unfurls))
    for card in unfurls.values():
        if any(block["type"] == "rich_text" for block in card["blocks"]):
            # https://docs.slack.dev/messaging/unfurling-links-in-messages, at its end
            raise ApiError(world.refuse(call.method, "invalid_blocks", "rich_text", unfurls))
        if error := world.message_error(call.method, {"text": "card", **card}):
            raise ApiError(error)
    for link, card in unfurls.items():
        message.unfurls[link] = card | {"blocks": with_block_ids(card["blocks"])}
    return {}


def _own_message(call: Call) -> Message:
    message = channel_of(call).find(call.arguments["ts"])
    if message is None:
        raise ApiError("message_not_found")
    if message.bot_id != call.team.bot_id:
        raise ApiError("cant_update_message")
    return message


def _check_message(world: World, call: Call) -> None:
    if error := world.message_error(call.method, call.arguments):
        raise ApiError(error)


def _validate(_: World, call: Call) -> Json:
    """https://docs.slack.dev/reference/methods/blocks.validate."""
    blocks = call.arguments["blocks"]
    if error := message_error({"text": "blocks", "blocks": blocks}):
        raise ApiError("invalid_blocks", errors=[{"pointer": "/0", "message": error[1]}])
    return {}


_CONTENT = "text blocks attachments metadata unfurl_links unfurl_media mrkdwn"
_VIEW = "trigger_id view"
METHODS = {
    "apps.connections.open": Method(_open_connection, caller="app"),
    "auth.test": Method(_test_auth),
    "blocks.validate": Method(_validate, required="blocks"),
    "auth.teams.list": Method(_teams, optional="cursor limit"),
    "oauth.v2.access": Method(
        _exchange_code,
        required="code",
        optional="client_id client_secret redirect_uri",
        caller="anyone",
    ),
    "users.info": Method(_user_info, "users:read", "user"),
    "chat.postMessage": Method(_post, "chat:write", "channel", f"{_CONTENT} thread_ts"),
    "chat.postEphemeral": Method(
        _post_ephemeral, "chat:write", "channel user", f"{_CONTENT} thread_ts"
    ),
    "chat.update": Method(_update, "chat:write", "channel ts", _CONTENT),
    "chat.getPermalink": Method(_permalink, required="channel message_ts"),
    **agents.METHODS,
    **conversations.METHODS,
    **files.METHODS,
    "chat.unfurl": Method(
        _unfurl, "links:write", "unfurls", "channel ts unfurl_id source metadata"
    ),
    "views.open": Method(views.open_view, "", _VIEW),
    "views.update": Method(views.update_view, "", "view", "view_id external_id hash"),
    "views.publish": Method(views.publish_view, "", "user_id view", "hash"),
}
