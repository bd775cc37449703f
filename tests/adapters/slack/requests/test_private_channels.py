"""Subscriptions of private channels are hidden from users outside of them."""

from store.database import Database
from store.posting.deliveries import list_deliveries
from tests.adapters.slack.connected_bot import running
from tests.fakes.slack import FakeSlack


async def test_a_user_who_left_a_private_channel_can_only_stop_its_posts(stocked: Database) -> None:
    """From another channel and in direct messages nothing is previewed, resumed or posted there."""
    async with FakeSlack() as slack, running(stocked, slack):
        team = slack.teams["T1"]
        secret = slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        assert "#name-g2 gets posts" in (await slack.ask("subscribe in:G2")).text
        secret.members.discard("U1")
        for line in ("preview 1", "resume 1", "deliver 1"):
            for channel in ("C1", "D1"):
                said = (await slack.ask(line, channel=channel)).text
                assert said.startswith("You or Broadsheet are not in #name-g2:"), said
        assert await stocked.read(list_deliveries) == []
        assert "is paused" in (await slack.ask("pause 1")).text
        assert "is cancelled" in (await slack.ask("unsubscribe 1", channel="D1")).text


async def test_a_shared_status_names_no_private_channel(stocked: Database) -> None:
    """An admin's ephemeral status has all channels; the shared one leaves private ones out."""
    async with FakeSlack() as slack, running(stocked, slack):
        team = slack.teams["T1"]
        slack.add_user(team, "U1", admin=True)
        slack.add_channel(team, "G2", members={"U1", team.bot_user}, private=True)
        for line in ("subscribe", "subscribe in:G2"):
            await slack.ask(line)
        status = await slack.ask("status")
        assert "#name-g2" in status.text
        await slack.click(status, "Share")
        [shared] = await slack.settled(lambda: slack.seen("U2"))
        assert "#name-c1" in shared.text
        assert "g2" not in f"{shared.text} {shared.blocks}".lower()
