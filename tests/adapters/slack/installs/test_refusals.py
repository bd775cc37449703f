"""Subscriptions are refused on removal of the bot and restored on reinstallation."""

import asyncio
from datetime import time

from bot.operations.health import State
from store.database import Database
from store.posting.subscriptions import add_subscription, list_subscriptions
from store.records import Channel, Subscription, SubscriptionState, Workspace
from tests.adapters.slack.connected_bot import many_variables, running
from tests.fakes.slack import FakeSlack


async def test_a_workspace_gets_no_posts_while_the_bot_is_not_there(stocked: Database) -> None:
    """Its subscriptions are refused with a sentence, and restored when the bot is back."""
    subscription = Subscription(
        Channel(Workspace("slack", "T1"), "C1"), 0, time(9), "UTC", None, owner="U1"
    )
    await stocked.write(add_subscription, subscription)
    async with FakeSlack() as slack:
        async with running(stocked, slack) as (platform, _):
            await slack.uninstall("T1")
            [refused] = await _subscriptions(stocked, SubscriptionState.REFUSED)
            assert refused.refusal is not None
            assert refused.refusal.code == "removed"
            assert (await platform.condition()).state is State.FAILING
        slack.teams["T1"].installed = True
        slack.dead_tokens.clear()
        async with running(stocked, slack):
            [restored] = await _subscriptions(stocked, SubscriptionState.ACTIVE)
    assert restored.refusal is None


async def test_a_workspace_that_installs_it_again_gets_its_posts(stocked: Database) -> None:
    """Each workspace of many is refused and restored by itself."""
    for team in ("T1", "T2"):
        channel = Channel(Workspace("slack", team), "C1")
        await stocked.write(add_subscription, Subscription(channel, 0, time(9), "UTC", None))
    async with FakeSlack() as slack:
        slack.add_team("T2")
        async with running(stocked, slack, many_variables(slack)) as (_, url):
            for team in ("T1", "T2"):
                await slack.install(url, team, "U1")
            await slack.uninstall("T1")
            [refused] = await _subscriptions(stocked, SubscriptionState.REFUSED)
            assert refused.channel.workspace.external_id == "T1"
            await slack.install(url, "T1", "U1")
            assert len(await _subscriptions(stocked, SubscriptionState.ACTIVE, 2)) == 2


async def _subscriptions(
    database: Database, state: SubscriptionState, number: int = 1
) -> list[Subscription]:
    """Wait until so many subscriptions are in a state, and return them."""
    for _ in range(1000):
        found = [each for each in await database.read(list_subscriptions) if each.state is state]
        if len(found) == number:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(await database.read(list_subscriptions))
