"""The fakes accept file uploads as the platforms' clients send them."""

import json
from io import BytesIO
from typing import Any

import aiohttp
import pytest

from tests.fakes.discord import FakeDiscord
from tests.fakes.discord.rules.messages import problems
from tests.fakes.slack import FakeSlack
from tests.fakes.tests.raw_discord_client import V2
from tests.fakes.tests.slack_sdk_client import client, error_of

GALLERY: dict[str, Any] = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}
FILE: dict[str, Any] = {"type": 13, "file": {"url": "attachment://a.png"}}


async def test_slack_refuses_invalid_uploads() -> None:
    """A wrong length, a missing upload, a second sharing and a missing scope are refused."""
    async with FakeSlack() as slack:
        slack.expect_refusals = True
        chat = client(slack)
        begun = await chat.files_getUploadURLExternal(filename="a", length=3)
        named = [{"id": begun["file_id"]}]
        complete = chat.files_completeUploadExternal
        assert await error_of(complete(files=named, channel_id="C1")) == "file_not_found"
        async with aiohttp.ClientSession() as session:
            for data, status in ((b"four", 400), (b"abc", 200)):
                async with session.post(begun["upload_url"], data=data) as answer:
                    assert answer.status == status
        await complete(files=named, channel_id="C1")
        assert await error_of(complete(files=named, channel_id="C1")) == "file_not_found"
        slack.teams["T1"].scopes.discard("files:write")
        asked = chat.files_getUploadURLExternal(filename="a", length=3)
        assert await error_of(asked) == "missing_scope"


@pytest.mark.parametrize(
    ("components", "more", "wrong"),
    [
        ([GALLERY], {"attachments": [{"id": 0, "filename": "a.png"}]}, None),
        ([FILE], {"attachments": [{"id": 0, "filename": "a.png"}]}, None),
        ([GALLERY], {}, "a.png is not attached"),
        ([FILE], {}, "a.png is not attached"),
        ([], {"attachments": [{"id": 0, "filename": "b.png"}]}, "b.png is shown nowhere"),
        (
            [GALLERY],
            {"attachments": [{"id": n, "filename": "a.png"} for n in (0, 1)]},
            "two files are called a.png",
        ),
        (
            [GALLERY],
            {"attachments": [{"id": 0, "filename": "a.png", "description": "x" * 1025}]},
            "a file's description has 1025 characters, of 0 to 1024: ",
        ),
    ],
)
def test_discord_checks_references_to_attachments(
    components: list[Any], more: dict[str, Any], wrong: str | None
) -> None:
    """References and attachments of a message must match."""
    text = {"type": 10, "content": "Words"}
    found = problems({"flags": V2, "components": [text, *components], **more}, "message")
    assert [each[: len(wrong or "")] for each in found] == ([wrong] if wrong else [])


async def test_discord_accepts_a_multipart_form() -> None:
    """An upload is listed in the body, is not empty and not too large."""
    listed = [{"id": 0, "filename": "a.png"}]
    async with FakeDiscord() as discord, aiohttp.ClientSession() as session:
        discord.expect_refusals = True
        channel = discord.add_guild("G").add_channel("general")
        for name, data, attachments, status in (
            ("a.png", b"x", listed, 200),
            ("a.png", b"x", [], 400),
            ("a.png", b"", listed, 400),
            ("b.png", b"x", listed, 400),
            ("ä.png", b"x", [{"id": 0, "filename": "ä.png"}], 400),
            ("a.png", b"x" * (10 * 2**20 + 1), listed, 413),
        ):
            form = aiohttp.FormData(quote_fields=False)
            body = {"content": "Look", "attachments": attachments}
            form.add_field("payload_json", json.dumps(body), content_type="application/json")
            form.add_field("files[0]", BytesIO(data), filename=name, content_type="image/png")
            headers = {"Authorization": f"Bot {discord.token}"}
            url = f"{discord.api_url}/channels/{channel.id}/messages"
            async with session.post(url, data=form, headers=headers) as answer:
                assert answer.status == status, name
        kept = [each.data for message in channel.posts for each in message.attachments]
        assert kept == [b"x"]
