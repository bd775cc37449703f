"""The doctor's findings on settings and tokens; what it says of a store is in the flows."""

from adapters.cli.doctor import Finding, Verdict, misspelt_settings, tokens


def test_a_misspelt_setting_is_named() -> None:
    """A variable that is nearly a setting is a problem, with the right name as the remedy."""
    assert list(misspelt_settings({"BROADSHEET_TIMEZON": "UTC"})) == [
        Finding(
            "settings",
            Verdict.PROBLEM,
            "BROADSHEET_TIMEZON is no setting and has no effect.",
            "Did you mean BROADSHEET_TIMEZONE?",
        )
    ]


def test_other_variables_are_nobodys_business() -> None:
    """Right names, names of later versions and foreign ones are passed over."""
    variables = {"BROADSHEET_TIMEZONE": "UTC", "BROADSHEET_WEB_PORT": "0", "HOME": "/", "PATH": ""}
    assert list(misspelt_settings(variables)) == []


def test_each_platform_has_its_sentence() -> None:
    """Tokens that are missing are named, and those that are there but not used yet."""
    slack, discord = tokens({"DISCORD_TOKEN": "secret"})
    assert slack.sentence == "SLACK_BOT_TOKEN and SLACK_APP_TOKEN are not set."
    assert discord.sentence == "DISCORD_TOKEN is set, but this version does not connect yet."
    assert "secret" not in discord.sentence + discord.remedy
