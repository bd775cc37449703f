"""The validation of an answer by Slack itself."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.render import preview
from adapters.slack.setup.doctor import check_preview, examine_blocks
from bot.operations.doctor_checks import Verdict
from bot.replies.blocks import Reply, Text
from tests.fakes.faults import Fault
from tests.fakes.slack import Drop, FakeSlack, Refuse

TOKEN = "xoxb-1"  # noqa: S105 - of a server in this process
PAYLOAD = preview(Reply((Text("Some words."),), command="latest"))


def _variables(slack: FakeSlack) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": TOKEN,
        "SLACK_APP_TOKEN": slack.app_token,
        "BROADSHEET_SLACK_API_URL": slack.api_url,
    }


async def test_slack_takes_what_is_sent_to_it() -> None:
    """The payload of an answer is judged as it is sent, with the bot's token."""
    async with FakeSlack() as slack:
        [found] = await check_preview(_variables(slack), PAYLOAD)
        [call] = slack.calls("blocks.validate")
    assert (found.verdict, found.sentence) == (
        Verdict.WELL,
        "Slack takes the blocks of an answer.",
    )
    assert call.arguments["blocks"] == PAYLOAD["blocks"]


async def test_what_slack_refuses_is_named() -> None:
    """Its pointer to the fault stands in the sentence."""
    async with FakeSlack() as slack:
        client = AsyncWebClient(base_url=slack.api_url)
        found = await examine_blocks(client, TOKEN, [{"type": "fax"}])
    assert found.verdict is Verdict.PROBLEM
    assert found.sentence.startswith("Slack refuses the blocks of an answer: /0: ")


@pytest.mark.parametrize("fault", [Refuse("unknown_method"), Refuse("ratelimited"), Drop()])
async def test_a_slack_that_does_not_say_is_no_problem(fault: Fault) -> None:
    """What answers may be older, or busy."""
    async with FakeSlack() as slack:
        slack.fail("blocks.validate", fault)
        [found] = await check_preview(_variables(slack), PAYLOAD)
    assert found.verdict is Verdict.NOTE
    assert found.sentence.startswith("Slack did not check")


async def test_without_a_token_nobody_is_asked() -> None:
    """The remedy says what to set."""
    [found] = await check_preview({}, PAYLOAD)
    assert found.verdict is Verdict.PROBLEM
    assert found.remedy
