"""The validation of blocks by Slack itself.

https://docs.slack.dev/reference/methods/blocks.validate
"""

from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.settings import api_url
from bot.errors import SettingsError
from bot.operations.doctor import Finding, PlatformFindings

_SECONDS = 5
_NAMED = 3  # faults
_INVALID = "invalid_blocks"
_FINDINGS = PlatformFindings("slack")


async def check_preview(variables: Mapping[str, str], payload: dict[str, Any]) -> list[Finding]:
    """Return what Slack says of a rendered answer; it needs a bot token, and no scope."""
    token = variables.get("SLACK_BOT_TOKEN")
    if not token:
        remedy = "Set SLACK_BOT_TOKEN, or leave --check out."
        return [_FINDINGS.problem("Slack is asked with a bot token, and there is none.", remedy)]
    try:
        base_url = api_url(variables)
    except SettingsError as error:
        return [_FINDINGS.problem(error.sentence, error.remedy)]
    client = AsyncWebClient(base_url=base_url, timeout=_SECONDS, retry_handlers=[])
    return [await examine_blocks(client, token, payload["blocks"])]


async def examine_blocks(
    client: AsyncWebClient, token: str, blocks: Sequence[dict[str, Any]]
) -> Finding:
    """Return whether Slack takes blocks, and what it refuses of them."""
    try:
        await client.blocks_validate(token=token, blocks=blocks)
    except SlackApiError as error:
        answer = error.response.data if isinstance(error.response.data, dict) else {}
        code = str(answer.get("error") or "no answer of Slack")
        if code != _INVALID:
            return _FINDINGS.note(f"Slack did not check the blocks of an answer ({code}).")
        faults = [_worded(each) for each in answer.get("errors") or ()]
        return _FINDINGS.problem(
            f"Slack refuses the blocks of an answer: {'; '.join(faults[:_NAMED]) or code}.",
            "Report it with the answer's payload: broadsheet ask --as slack.",
        )
    except (aiohttp.ClientError, OSError) as error:
        return _FINDINGS.note(f"Slack did not check the blocks of an answer ({error}).")
    return _FINDINGS.well("Slack takes the blocks of an answer.")


def _worded(fault: Mapping[str, Any]) -> str:
    return f"{fault.get('pointer') or '/'}: {fault.get('message') or fault.get('code')}"
