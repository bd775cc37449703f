"""Methods of channels: their list, members and messages.

https://docs.slack.dev/apis/web-api/using-the-conversations-api
"""

from collections.abc import Iterator, Sequence

from tests.fakes.slack.records import Channel, Json, Message
from tests.fakes.slack.state import World
from tests.fakes.slack.web_api.calls import ApiError, Call, Method, require

_DEFAULT_PAGE = 100


def channel_of(call: Call) -> Channel:
    """Return the channel of a call.

    Raises:
        ApiError: if the bot can't see it.
    """
    channel = call.team.channels.get(call.arguments["channel"])
    if channel is None or (channel.private and call.team.bot_user not in channel.members):
        raise ApiError("channel_not_found")
    return channel


def paged(world: World, call: Call, name: str, whole: list[Json]) -> Json:
    """Return the page of a list that a call asks for, with the next cursor.

    https://docs.slack.dev/apis/web-api/pagination
    """
    begin, end = _bounds(world, call)
    return {name: whole[begin:end]} | _next(end, len(whole))


def _info(_: World, call: Call) -> Json:
    _require_by_kind(call, "read")
    channel = channel_of(call)
    state = {
        "is_member": call.team.bot_user in channel.members,
        "is_read_only": channel.read_only,
    }
    return {"channel": _as_json(channel) | state}


def _join(_: World, call: Call) -> Json:
    channel = channel_of(call)
    if channel.private:
        raise ApiError("method_not_supported_for_channel_type")
    if channel.archived:
        raise ApiError("is_archived")
    already = call.team.bot_user in channel.members
    channel.members.add(call.team.bot_user)
    return {"channel": _as_json(channel)} | ({"warning": "already_in_channel"} if already else {})


def _open(_: World, call: Call) -> Json:
    user = call.arguments["users"]
    if user not in call.team.people:
        raise ApiError("user_not_found")
    return {"channel": {"id": f"D{user.removeprefix('U')}"}}


def _history(world: World, call: Call) -> Json:
    channel = _readable(call)
    since = [message for message in _said(channel, call) if not message.is_reply]
    return _page(world, call, since, newest_first=True)


def _replies(world: World, call: Call) -> Json:
    channel, root = _readable(call), call.arguments["ts"]
    if not channel.has_thread(root):
        raise ApiError("thread_not_found")
    replies = [message for message in _said(channel, call) if message.thread_ts == root]
    # Every page starts with the root message.
    begun = [message for message in [channel.find(root)] if message and message not in replies]
    return _page(world, call, [*begun, *replies], newest_first=False)


def _of_user(world: World, call: Call) -> Json:
    """Return the channels of a user; of the private ones only those with the bot."""
    kinds = str(call.arguments.get("types") or "public_channel").split(",")
    for kind in kinds:
        require(call, {"public_channel": "channels:read", "private_channel": "groups:read"}[kind])
    team, user = call.team, call.arguments.get("user") or call.team.bot_user
    if user not in team.people and user != team.bot_user:
        raise ApiError("user_not_found")
    if team.org_wide and not call.arguments.get("team_id"):
        raise ApiError("missing_argument")
    known = [
        _as_json(channel)
        for channel in team.channels.values()
        if user in channel.members
        and not channel.direct
        and not (channel.archived and call.arguments.get("exclude_archived"))
        and (team.bot_user in channel.members or not channel.private)
        and ("private_channel" if channel.private else "public_channel") in kinds
    ]
    return paged(world, call, "channels", known)


def _readable(call: Call) -> Channel:
    _require_by_kind(call, "history")
    channel = channel_of(call)
    if call.team.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    return channel


def _require_by_kind(call: Call, what: str) -> None:
    """Check the scope for the kind of channel; an unknown one counts as public."""
    channel = call.team.channels.get(call.arguments["channel"])
    kind = "im" if channel and channel.direct else "groups" if channel and channel.private else ""
    require(call, f"{kind or 'channels'}:{what}")


def _said(channel: Channel, call: Call) -> Iterator[Message]:
    oldest = float(call.arguments.get("oldest") or 0)
    latest = float(call.arguments.get("latest") or "inf")
    for message in channel.messages:
        is_seen = not message.ephemeral_for and not message.deleted
        if is_seen and oldest < float(message.ts) < latest:
            yield message


def _page(world: World, call: Call, messages: Sequence[Message], *, newest_first: bool) -> Json:
    """Return a page of messages; with `oldest`, the pages start at the oldest message."""
    begin, end = _bounds(world, call)
    metadata = bool(call.arguments.get("include_all_metadata"))
    backwards = newest_first and not call.arguments.get("oldest")
    ordered = sorted(messages, key=lambda message: float(message.ts), reverse=backwards)
    page = sorted(ordered[begin:end], key=lambda each: float(each.ts), reverse=newest_first)
    shown = [message.as_json(metadata=metadata) for message in page]
    return {"messages": shown, "has_more": end < len(ordered)} | _next(end, len(ordered))


def _bounds(world: World, call: Call) -> tuple[int, int]:
    begin = int(call.arguments.get("cursor") or 0)
    wanted = int(call.arguments.get("limit") or _DEFAULT_PAGE)
    if not 1 <= wanted <= 1000:
        raise ApiError("invalid_limit")
    return begin, begin + min(wanted, world.most_listed)


def _next(end: int, total: int) -> Json:
    return {"response_metadata": {"next_cursor": str(end) if end < total else ""}}


def _as_json(channel: Channel) -> Json:
    kind = {"is_channel": not channel.private, "is_group": channel.private, "is_im": False}
    state = {"is_private": channel.private, "is_archived": channel.archived}
    return {"id": channel.id, "name": channel.name} | kind | state


_SPAN = "cursor limit oldest latest inclusive include_all_metadata"
METHODS = {
    "conversations.info": Method(_info, required="channel"),
    "conversations.join": Method(_join, "channels:join", "channel"),
    "conversations.open": Method(_open, "im:write", "users"),
    "conversations.history": Method(_history, required="channel", optional=_SPAN),
    "conversations.replies": Method(_replies, required="channel ts", optional=_SPAN),
    "users.conversations": Method(
        _of_user, optional="user types exclude_archived cursor limit team_id"
    ),
}
