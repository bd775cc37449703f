"""Methods of file uploads: the upload URL, the upload and the sharing.

https://docs.slack.dev/messaging/working-with-files#upload
"""

import re
from collections.abc import Iterator

from tests.fakes.slack.records import Json, Upload
from tests.fakes.slack.state import World
from tests.fakes.slack.web_api.calls import ApiError, Call, Method
from tests.fakes.slack.web_api.conversations import channel_of

_LONGEST_ALT = 1000
# A user id is not accepted: https://github.com/slackapi/bolt-js/issues/2115
_CHANNEL = re.compile("[CGDZ][A-Z0-9]+")


def receive(world: World, key: str, data: bytes) -> tuple[int, str]:
    """Store an uploaded file; return the status and the body of the response."""
    upload = world.uploads.get(key)
    if upload is None:
        return 404, "not found"
    if len(data) != upload.length:
        world.refuse("upload", "length", f"{len(data)} bytes, of {upload.length}", {"key": key})
        return 400, "size mismatch"
    upload.data = data
    return 200, f"OK - {len(data)}"


def _begin(world: World, call: Call) -> Json:
    """https://docs.slack.dev/reference/methods/files.getUploadURLExternal."""
    length, name = call.arguments["length"], call.arguments["filename"]
    if not length.isdecimal() or not int(length):
        raise ApiError(world.refuse(call.method, "missing_argument", "a length", call.arguments))
    if "/" in name or not name.isprintable():
        raise ApiError(world.refuse(call.method, "invalid_arguments", "filename", call.arguments))
    alt = call.arguments.get("alt_txt")
    if len(alt or "") > _LONGEST_ALT:
        raise ApiError(world.refuse(call.method, "alt_txt_too_large", "alt_txt", call.arguments))
    key = world.next_id("F")
    world.uploads[key] = Upload(key, call.team.id, name, int(length), alt)
    return {"upload_url": f"{world.url}/upload/{key}", "file_id": key}


def _complete(world: World, call: Call) -> Json:
    """https://docs.slack.dev/reference/methods/files.completeUploadExternal."""
    uploads = list(_named(world, call))
    response = {"files": [{"id": each.id, "title": each.title} for each in uploads]}
    if not call.arguments.get("channel_id"):
        return response
    if not _CHANNEL.fullmatch(call.arguments["channel_id"]):
        raise ApiError(world.refuse(call.method, "invalid_arguments", "channel_id", call.arguments))
    call.arguments["channel"] = call.arguments["channel_id"]
    channel, thread_ts = channel_of(call), call.arguments.get("thread_ts")
    if call.team.bot_user not in channel.members:
        raise ApiError("not_in_channel")
    if thread_ts and not channel.has_thread(thread_ts):
        raise ApiError("thread_not_found")
    comment = call.arguments.get("initial_comment", "")
    if comment and (error := world.message_error(call.method, {"text": comment})):
        raise ApiError(error)
    call.posted = world.post(channel, call.team, {"text": comment, "thread_ts": thread_ts})
    call.posted.files = uploads
    return response


def _named(world: World, call: Call) -> Iterator[Upload]:
    """Give the files that are meant, which were received and not shared before."""
    for each in call.arguments["files"]:
        upload = world.uploads.get(each["id"])
        if upload is None or upload.team != call.team.id or upload.data is None or upload.shared:
            raise ApiError(world.refuse(call.method, "file_not_found", each["id"], call.arguments))
        upload.shared, upload.title = True, each.get("title", "")
        yield upload


METHODS = {
    "files.getUploadURLExternal": Method(
        _begin, "files:write", "filename length", "alt_txt snippet_type"
    ),
    "files.completeUploadExternal": Method(
        _complete, "files:write", "files", "channel_id thread_ts initial_comment channel"
    ),
}
