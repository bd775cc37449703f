"""Requests for channels, messages and threads."""

from tests.fakes.discord.identities import iso
from tests.fakes.discord.permissions import Permission
from tests.fakes.discord.records import (
    CROSSPOSTED,
    HAS_THREAD,
    REQUIRE_TAG,
    SUPPRESS_EMBEDS,
    Channel,
    Message,
)
from tests.fakes.discord.rest.application import threads_json
from tests.fakes.discord.rest.requests import INVALID_FORM, ApiError, Call, Table, check_payload
from tests.fakes.discord.rules.components import Json
from tests.fakes.discord.rules.messages import COMPONENTS_V2
from tests.fakes.discord.state import World

_NO_TEXT = frozenset({"forum", "category"})


def edit_message(world: World, message: Message, payload: Json) -> Message:
    """Edit a message.

    Raises:
        ApiError: if the result is invalid, or loses the flag of components v2.
    """
    flags = message.flags | (payload.get("flags") or 0)
    now = {"content": message.content, "embeds": message.embeds, "components": message.components}
    now["attachments"] = [each.as_json() for each in message.attachments]
    if message.flags & ~(payload.get("flags", message.flags) or 0) & COMPONENTS_V2:
        why = "the flag of components v2 can't be removed"
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", why)
    check_payload(world, {**now, **payload, "flags": flags}, "message")
    if "flags" in payload:
        # https://docs.discord.com/developers/resources/message#edit-message
        message.flags &= ~SUPPRESS_EMBEDS
    message.fill(payload)
    message.edited = True
    return message


def _get(world: World, call: Call) -> Json:
    return _visible(world, call).as_json()


def _change_thread(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    own = channel.owner_id == world.bot.id and not channel.locked
    if not own:
        _need(world, channel, Permission.MANAGE_THREADS)
    for name in ("archived", "locked", "name"):
        setattr(channel, name, call.body.get(name, getattr(channel, name)))
    return channel.as_json()


def _post(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    payload = call.body
    _may_write(world, channel)
    if payload.get("embeds"):
        _need(world, channel, Permission.EMBED_LINKS)
    check_payload(world, payload, "message")
    nonce = str(payload["nonce"]) if payload.get("enforce_nonce") and payload.get("nonce") else None
    if earlier := world.posted_with(nonce):
        if earlier.deleted:
            raise ApiError(404, 10008, "Unknown Message")
        return {**earlier.as_json(), "nonce": nonce}
    reference = _reference(world, channel, payload)
    message = world.post(channel, payload, reference=reference)
    channel.archived = False
    if nonce:
        world.store_nonce(nonce, message)
    # Only the response to this request has the nonce.
    return {**message.as_json(), **({"nonce": message.nonce} if message.nonce else {})}


def _reference(world: World, channel: Channel, payload: Json) -> Message | None:
    """Return the message that a new one replies to.

    https://docs.discord.com/developers/resources/message#message-reference-types
    """
    known = payload.get("message_reference")
    if known is None:
        return None
    if channel.guild and not world.bot_permissions(channel) & Permission.READ_MESSAGE_HISTORY:
        why = "Cannot reply without permission to read message history"
        raise ApiError(400, 160002, why)
    found = channel.find(int(known["message_id"]))
    if found is None and known.get("fail_if_not_exists", True):
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", "message_reference: Unknown message")
    return found


def _typing(world: World, call: Call) -> None:
    channel = _visible(world, call)
    _may_write(world, channel)


def _history(world: World, call: Call) -> list[Json]:
    channel = _visible(world, call)
    if channel.guild and not world.bot_permissions(channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    before = int(call.query.get("before") or 1 << 63)
    after, limit = int(call.query.get("after") or 0), int(call.query.get("limit") or 50)
    if not 1 <= limit <= 100:
        raise ApiError(400, INVALID_FORM, "Invalid Form Body", f"limit is {limit}")
    found = [each for each in channel.posts if after < each.id < before]
    chosen = found[:limit] if "after" in call.query else found[-limit:]
    return [message.as_json() for message in reversed(chosen)]


def _get_message(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    _need(world, channel, Permission.READ_MESSAGE_HISTORY)
    return _message(call, channel).as_json()


def _edit(world: World, call: Call) -> Json:
    message = _message(call, _visible(world, call))
    if message.author is not world.bot:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    return edit_message(world, message, call.body).as_json()


def _delete(world: World, call: Call) -> None:
    channel = _visible(world, call)
    message = _message(call, channel)
    if message.author is not world.bot:
        _need(world, channel, Permission.MANAGE_MESSAGES)
    message.deleted = True


def _publish(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    message = _message(call, channel)
    _need(world, channel, Permission.SEND_MESSAGES)
    if channel.kind != "announcement":
        raise ApiError(403, 50024, "Cannot execute action on this channel type")
    if message.flags & CROSSPOSTED:
        raise ApiError(400, 40033, "This message has already been crossposted")
    message.flags |= CROSSPOSTED
    return message.as_json()


def _thread_from_message(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    message = _message(call, channel)
    _need(world, channel, Permission.CREATE_PUBLIC_THREADS)
    check_payload(world, call.body, "thread")
    if message.id in world.channels:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    kind = "announcement_thread" if channel.kind == "announcement" else "thread"
    thread = _new_thread(world, channel, kind, call.body["name"], message.id)
    message.thread, message.flags = thread, message.flags | HAS_THREAD
    return thread.as_json()


def _thread(world: World, call: Call) -> Json:
    """Start a thread without a message, or a post in a forum."""
    channel = _visible(world, call)
    check_payload(world, call.body, "thread")
    if channel.kind != "forum":
        _need(world, channel, Permission.CREATE_PUBLIC_THREADS)
        thread = _new_thread(world, channel, "thread", call.body["name"], world.next_id())
        return thread.as_json()
    _need(world, channel, Permission.SEND_MESSAGES)
    wanted = [int(each) for each in call.body.get("applied_tags") or []]
    if unknown := set(wanted) - set(channel.tags.values()):
        raise ApiError(404, 10087, "Unknown Tag", f"no tags: {unknown}")
    if channel.flags & REQUIRE_TAG and not wanted:
        raise ApiError(400, 40067, "A tag is required to create a forum post in this channel")
    thread = _new_thread(world, channel, "thread", call.body["name"], world.next_id())
    thread.applied_tags = wanted
    message = world.post(thread, call.body["message"])
    message.id = thread.id
    return {**thread.as_json(), "message": message.as_json()}


def _new_thread(world: World, parent: Channel, kind: str, name: str, thread_id: int) -> Channel:
    thread = Channel(thread_id, kind, name, parent.guild, parent, owner_id=world.bot.id)
    world.store(thread)
    assert parent.guild
    world.dispatch("THREAD_CREATE", {**thread.as_json(), "newly_created": True}, parent.guild.id)
    return thread


def _thread_member(world: World, call: Call) -> Json:
    thread, user_id = _visible(world, call), call.number("user_id")
    if not thread.is_thread or user_id not in thread.members:
        raise ApiError(404, 10007, "Unknown Member")
    joined = {"join_timestamp": iso(thread.id), "flags": 0}
    return {"id": str(thread.id), "user_id": str(user_id), **joined}


def _archived(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    _need(world, channel, Permission.READ_MESSAGE_HISTORY)
    return threads_json([each for each in world.threads_of(channel) if each.archived])


def _delete_channel(world: World, call: Call) -> Json:
    channel = _visible(world, call)
    wanted = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
    _need(world, channel, wanted)
    channel.deleted = True
    return channel.as_json()


def _visible(world: World, call: Call) -> Channel:
    """Return the channel of a request, which must be visible to the bot."""
    channel = world.channels.get(call.number("channel_id"))
    if channel is None or channel.deleted:
        raise ApiError(404, 10003, "Unknown Channel")
    if channel.guild:
        seen = channel.guild.bot_in and bool(
            world.bot_permissions(channel) & Permission.VIEW_CHANNEL
        )
    else:
        seen = channel.kind == "dm"
    if not seen:
        raise ApiError(403, 50001, "Missing Access")
    return channel


def _need(world: World, channel: Channel, permission: Permission) -> None:
    if channel.guild and not world.bot_permissions(channel) & permission:
        raise ApiError(403, 50013, "Missing Permissions", f"{permission.name} in {channel.name}")


def _may_write(world: World, channel: Channel) -> None:
    if any(user.closed for user in channel.recipients):
        raise ApiError(403, 50007, "Cannot send messages to this user")
    if channel.kind in _NO_TEXT:
        raise ApiError(400, 50008, "Cannot send messages in a non-text channel")
    in_thread = Permission.SEND_MESSAGES_IN_THREADS
    _need(world, channel, in_thread if channel.is_thread else Permission.SEND_MESSAGES)
    if channel.locked and not world.bot_permissions(channel) & Permission.MANAGE_THREADS:
        if channel.archived:
            raise ApiError(400, 50083, "Thread is archived")
        raise ApiError(400, 160005, "Thread is locked")


def _message(call: Call, channel: Channel) -> Message:
    message = channel.find(call.number("message_id"))
    if message is None or message.ephemeral:
        raise ApiError(404, 10008, "Unknown Message")
    return message


CHANNELS: Table = {
    ("GET", "/channels/{channel_id}"): _get,
    ("PATCH", "/channels/{channel_id}"): _change_thread,
    ("DELETE", "/channels/{channel_id}"): _delete_channel,
    ("POST", "/channels/{channel_id}/typing"): _typing,
    ("GET", "/channels/{channel_id}/messages"): _history,
    ("POST", "/channels/{channel_id}/messages"): _post,
    ("GET", "/channels/{channel_id}/messages/{message_id}"): _get_message,
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"): _edit,
    ("DELETE", "/channels/{channel_id}/messages/{message_id}"): _delete,
    ("POST", "/channels/{channel_id}/messages/{message_id}/crosspost"): _publish,
    ("POST", "/channels/{channel_id}/messages/{message_id}/threads"): _thread_from_message,
    ("POST", "/channels/{channel_id}/threads"): _thread,
    ("GET", "/channels/{channel_id}/threads/archived/public"): _archived,
    ("GET", "/channels/{channel_id}/thread-members/{user_id}"): _thread_member,
}
