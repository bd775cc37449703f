"""The doctor's findings on settings and platforms; those on the store are in the flows."""

from dataclasses import replace

from adapters.cli.doctor import check_platforms, misspelt_settings, posting_channels
from bot.operations.doctor_checks import Finding, Verdict
from bot.settings import SETTING_NAMES
from store.records import Channel, KeptToken, SubscriptionState, Workspace
from tests.adapters.runtime.example import Example
from tests.bot.posting.digest.editions import ORDER

_NAMES = {*SETTING_NAMES, "SLACK_BOT_TOKEN"}


def test_a_misspelt_setting_is_named() -> None:
    """A variable that is nearly a setting is a problem, with the right name as the remedy."""
    variables = {"BROADSHEET_TIMEZON": "UTC", "SLACK_BOTTOKEN": "secret"}
    assert list(misspelt_settings(variables, _NAMES)) == [
        Finding(
            "settings",
            Verdict.PROBLEM,
            f"{wrong} is no setting and has no effect.",
            f"Did you mean {right}?",
        )
        for wrong, right in (
            ("BROADSHEET_TIMEZON", "BROADSHEET_TIMEZONE"),
            ("SLACK_BOTTOKEN", "SLACK_BOT_TOKEN"),
        )
    ]


def test_other_variables_are_nobodys_business() -> None:
    """Valid, later and unrelated names are ignored."""
    later = ("TICK_SECONDS", "SYNC", "FETCH_ALLOW", "DISCORD_API_URL")
    names = (*SETTING_NAMES, "HOME", "PATH", "_", "DISCORD_TOKEN", "SLACK_CHANNEL")
    variables = dict.fromkeys((*names, *(f"BROADSHEET_{name}" for name in later)), "")
    assert list(misspelt_settings(variables, _NAMES)) == []


async def test_each_platform_is_heard() -> None:
    """An unconfigured platform gives a hint, a configured one its findings."""
    known = {name: Example(name, []).declaration for name in ("here", "there")}
    assert await check_platforms({"THERE": "secret"}, known) == [
        Finding("here", Verdict.NOTE, "It is not configured.", "here needs HERE."),
        Finding("example", Verdict.WELL, "It was given THERE."),
    ]


async def test_each_platform_hears_of_its_own_channels_and_tokens() -> None:
    """Each platform gets only its own channels and tokens."""
    known = {"here": Example("here", []).declaration}
    channels = [Channel(Workspace(name, "W1"), name) for name in ("here", "there")]
    tokens = [KeptToken(name, "app", f"W1 {name}", "encrypted") for name in ("here", "there")]
    _, *told = await check_platforms({"HERE": "secret"}, known, channels, tokens)
    assert told == [
        Finding("example", Verdict.NOTE, "It posts to here."),
        Finding("example", Verdict.NOTE, "It speaks to W1 here."),
    ]


def test_a_channel_gets_posts_where_an_order_is_carried_out() -> None:
    """A channel counts once if it has active subscriptions."""
    quiet = replace(ORDER, channel=Channel(Workspace("slack", "T1"), "C9"))
    paused = replace(quiet, state=SubscriptionState.PAUSED)
    refused = replace(quiet, state=SubscriptionState.REFUSED)
    assert posting_channels([paused, ORDER, refused, ORDER]) == [ORDER.channel]
