"""Sessions of an agent app: each is one thread, which has a title.

https://docs.slack.dev/ai/agent-sessions and the pages of the methods. That a thread has no session
before `agents.sessions.setStatus` made it is told by those who tried it.
"""

from tests.fakes.slack.records import Channel, Json
from tests.fakes.slack.state import World
from tests.fakes.slack.web_api.calls import ApiError, Call, Method

_LONGEST_TITLE = 200
_STATUSES = frozenset({"active", "processing", "suspended", "closed"})
_Session = tuple[str, str, str]


def _rename(world: World, call: Call) -> Json:
    session = _session_of(world, call)
    title = _title(world, call)
    if session not in world.sessions:
        raise ApiError("session_not_found")
    world.sessions[session] = title
    return {"title": title}


def _set_status(world: World, call: Call) -> Json:
    session, status = _session_of(world, call), call.arguments["status"]
    if status not in _STATUSES:
        raise ApiError(world.refuse(call.method, "invalid_arguments", status, call.arguments))
    title = _title(world, call) if "title" in call.arguments else ""
    # The title counts only for a session that is new.
    title = world.sessions.setdefault(session, title)
    return {"status": status, "agent_status": status} | ({"title": title} if title else {})


def _session_of(world: World, call: Call) -> _Session:
    """Return the session that a call speaks of.

    Raises:
        ApiError: for an app that is no agent, and a thread that is none.
    """
    if not world.is_agent:
        raise ApiError("not_authorized")
    channel = _channel_of(call)
    thread = call.arguments.get("thread_ts")
    if not thread:
        raise ApiError("thread_ts_required")
    root = channel.find(thread)
    if root is None or root.is_reply:
        why = "no message begins a thread there"
        raise ApiError(world.refuse(call.method, "session_not_found", why, call.arguments))
    return call.team.id, channel.id, thread


def _channel_of(call: Call) -> Channel:
    channel = call.team.channels.get(call.arguments["channel_id"])
    if channel is None or call.team.bot_user not in channel.members:
        raise ApiError("channel_not_found")
    return channel


def _title(world: World, call: Call) -> str:
    title = str(call.arguments["title"])
    if not 1 <= len(title) <= _LONGEST_TITLE or title != " ".join(title.split()):
        why = "a title has 1 to 200 characters, on one line"
        raise ApiError(world.refuse(call.method, "invalid_arguments", why, call.arguments))
    return title


METHODS = {
    "agents.sessions.rename": Method(_rename, "chat:write", "channel_id title", "thread_ts"),
    "agents.sessions.setStatus": Method(
        _set_status, "chat:write", "channel_id status", "thread_ts title initiator_user_id"
    ),
}
