"""The words of a message."""

import pytest

from adapters.discord.messages import command_in

BOT = 123456789012345678


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("search agents", "search agents"),
        ("/papers search agents", "search agents"),
        ("/Papers", ""),
        ("/papersearch", "/papersearch"),
        (f"<@{BOT}> search agents", "search agents"),
        (f"<@!{BOT}>, /papers search agents", "search agents"),
        (f"search agents <@{BOT}>", "search agents"),
        (f"hey <@{BOT}>: what's new?", "what's new?"),
        (f"<@{BOT}> <@{BOT}>\nnote 3  fine!", "note 3 fine!"),
        (f"hello, <@{BOT}>!", "hello"),
        (f"<@{BOT}> ?", "?"),
        ("_search agents_", "search agents"),
        ("```text\nsearch agents\n```", "search agents"),
        (f"<@{BOT}> ```md\n/papers search agents\n```", "search agents"),
        (f"<@{BOT}> `search agents`", "search agents"),
        ("_", "_"),
        ("snake_case", "snake_case"),
        (f"<@{BOT}>\uff1asearch agents", "search agents"),
        (f"<@{BOT}>", ""),
        ("by <@876543210987654321> of late", "by <@876543210987654321> of late"),
    ],
)
def test_what_calls_the_bot_is_left_out(text: str, words: str) -> None:
    """The bot's mention and a leading `/papers` go, and the lines become one."""
    assert command_in(text, BOT) == words
