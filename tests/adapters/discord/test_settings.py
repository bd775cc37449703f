"""The settings in environment variables."""

import pytest

from adapters.discord.settings import API_URL, is_configured, read_discord_settings
from bot.errors import SettingsError


@pytest.mark.parametrize("variables", [{}, {"DISCORD_TOKEN": ""}, {"DISCORD_TOKEN": " "}])
def test_without_a_token_discord_is_not_wanted(variables: dict[str, str]) -> None:
    """No token, an empty one and blanks are the same."""
    assert not is_configured({**variables, "BROADSHEET_DISCORD_API_URL": "https://d.example.org"})


def test_a_token_is_all_it_takes() -> None:
    """Everything else has its default; the token is not shown by chance."""
    settings = read_discord_settings({"DISCORD_TOKEN": "abc.def.ghi"})
    assert settings.token.get_secret_value() == "abc.def.ghi"
    assert settings.api_url is None
    assert "abc.def.ghi" not in repr(settings)


def test_a_token_may_be_pasted_as_it_stands_in_examples() -> None:
    """Blanks around it, and the word that goes before it in a header, are no part of it."""
    settings = read_discord_settings({"DISCORD_TOKEN": " Bot abc.def.ghi\n"})
    assert settings.token.get_secret_value() == "abc.def.ghi"


@pytest.mark.parametrize("token", ["two words", "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "a\tb"])
def test_what_no_header_can_hold_is_no_token(token: str) -> None:
    """An invalid token is refused before a request, without being repeated."""
    with pytest.raises(SettingsError) as caught:
        read_discord_settings({"DISCORD_TOKEN": token})
    assert caught.value.sentence == "DISCORD_TOKEN holds no token."
    assert "Reset Token" in caught.value.remedy


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("", None),
        (f" {API_URL}/ ", None),
        ("http://127.0.0.1:8081/api/v10/", "http://127.0.0.1:8081/api/v10"),
    ],
)
def test_another_address_has_no_slash_at_its_end(given: str, used: str | None) -> None:
    """Discord's own address is as good as none."""
    variables = {"DISCORD_TOKEN": "abc.def.ghi", "BROADSHEET_DISCORD_API_URL": given}
    assert read_discord_settings(variables).api_url == used


@pytest.mark.parametrize(("given", "number"), [("", None), (" 1 ", 1), ("10000", 10_000)])
def test_shards_are_counted(given: str, number: int | None) -> None:
    """Without a number Discord says how many there are."""
    variables = {"DISCORD_TOKEN": "abc", "BROADSHEET_DISCORD_SHARDS": given}
    assert read_discord_settings(variables).shards == number


@pytest.mark.parametrize("given", ["0", "-1", "two", "1.5", "10001", "\N{SUPERSCRIPT TWO}"])
def test_what_is_no_number_of_shards_is_told(given: str) -> None:
    """The error says which numbers are valid."""
    variables = {"DISCORD_TOKEN": "abc", "BROADSHEET_DISCORD_SHARDS": given}
    with pytest.raises(SettingsError) as caught:
        read_discord_settings(variables)
    assert caught.value.sentence == f"BROADSHEET_DISCORD_SHARDS={given} is no number of shards."
    assert "from 1 to 10000" in caught.value.remedy


def test_an_address_has_a_scheme() -> None:
    """A host alone is refused in words."""
    variables = {"DISCORD_TOKEN": "abc", "BROADSHEET_DISCORD_API_URL": "discord.example.org"}
    with pytest.raises(SettingsError) as caught:
        read_discord_settings(variables)
    assert caught.value.sentence == (
        "BROADSHEET_DISCORD_API_URL=discord.example.org is no address."
    )
    assert caught.value.remedy == "It begins with https:// and ends in /api/v10."
