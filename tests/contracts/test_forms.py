"""What a form does, on every chat platform: it opens filled, and is submitted or corrected."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from adapters.platform import find_platforms
from bot.actor import Role
from store.database import Database
from tests.contracts.driver import Chat
from tests.contracts.facts import seen
from tests.contracts.test_adapters import DRIVERS, Opens


@pytest.fixture(params=find_platforms())
def opens(request: pytest.FixtureRequest) -> Opens:
    """Return the function that opens the driver of each chat platform."""
    return DRIVERS[request.param]


@asynccontextmanager
async def chatting(opens: Opens, database: Database) -> AsyncIterator[Chat]:
    """Connect a bot to a chat, in which somebody may settle things."""
    async with opens(database) as driver:
        assert isinstance(driver, Chat)
        yield driver


async def settled(chat: Chat, name: str) -> str:
    """Return what is told of a setting."""
    return (await chat.ask(f"settings {name}", Role.MANAGER)).words


async def test_a_new_subscription_may_be_sent_as_it_opens(stocked: Database, opens: Opens) -> None:
    """The form has what bare `subscribe` would do, and each field changes it."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("subscriptions", Role.MANAGER)
        stands = await chat.opens("Choose when and what…")
        known = {"day": "monday", "time": "09:00", "source": "dair", "layout": "compact"}
        assert {name: stands[name] for name in known} == known
        told = await chat.submits(day="friday", time="17:30", source="dair,paperdive")
        assert seen("every Friday at 17:30") in told
        assert seen("dair, paperdive") in told


async def test_a_change_keeps_what_the_form_does_not_ask_for(
    stocked: Database, opens: Opens
) -> None:
    """The form opens as the subscription is, and is about that one."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("subscribe tuesday size:3 topic:agents patience:2d", Role.MANAGER)
        stands = await chat.opens("Change")
        assert (stands["day"], stands["source"]) == ("tuesday", "dair")
        assert seen("Subscription 1: ") in await chat.submits(day="sunday", layout="full")
        told = (await chat.ask("subscriptions", Role.MANAGER)).words
        assert seen("every Sunday") in told
        assert seen("at most 3 papers") in told
        assert "agents" in told
        assert seen("Subscription 2") not in told


async def test_a_digest_is_asked_for_by_what_it_goes_by(stocked: Database, opens: Opens) -> None:
    """In direct messages no form asks for a layout, or how long to wait for an edition."""
    async with chatting(opens, stocked) as chat:
        await chat.typed_alone("subscriptions", Role.READER)
        stands = await chat.opens("Choose when and what…")
        assert {"day", "time", "source", "topic"} <= stands.keys()
        assert stands.keys().isdisjoint(("layout", "patience", "channel"))
        told = await chat.submits(day="friday", time="17:30", topic="agents")
        assert seen("a digest of what you have not seen every Friday at 17:30") in told
        await chat.typed_alone("subscriptions", Role.READER)
        assert (await chat.opens("Change"))["topic"] == "agents"
        assert seen("Subscription 1: ") in await chat.submits(day="sunday")
        await chat.typed_alone("subscriptions", Role.READER)
        told = seen("".join((await chat.part()).texts))
        assert seen("every Sunday at 17:30") in told
        assert seen("topic agents") in told


async def test_what_can_not_be_read_is_corrected(stocked: Database, opens: Opens) -> None:
    """Nothing is done, the reason is told, and the form still has all that was entered."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("settings", Role.MANAGER)
        await chat.opens("Change settings")
        told = await chat.submits(zone="Nowhere", layout="full")
        assert seen("I can't read 'Nowhere' as a zone.") in told
        await chat.corrects()
        assert seen("2 settings were changed.") in await chat.submits(
            zone="Asia/Tokyo", layout="full"
        )
        assert "Asia/Tokyo" in await settled(chat, "zone")


async def test_settings_are_changed_together(stocked: Database, opens: Opens) -> None:
    """The form has what holds, tells each change, and takes all back."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("settings zone Asia/Tokyo", Role.MANAGER)
        await chat.ask("settings", Role.MANAGER)
        stands = await chat.opens("Change settings")
        assert (stands["zone"], stands["layout"]) == ("Asia/Tokyo", "default")
        told = await chat.submits(zone="Europe/Berlin", layout="full")
        assert seen("2 settings were changed.") in told
        assert seen("Asia/Tokyo → Europe/Berlin") in told
        await chat.press("Undo")
        assert "Asia/Tokyo" in await settled(chat, "zone")


async def test_a_form_overwrites_nothing_unseen(stocked: Database, opens: Opens) -> None:
    """What somebody settled while the form was open is told, and stays until it is settled anew."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("settings", Role.MANAGER)
        await chat.opens("Change settings")
        await chat.ask("settings zone Asia/Tokyo", Role.MANAGER)
        told = await chat.submits(zone="Europe/Berlin", layout="full")
        assert seen("somebody else set it to Asia/Tokyo meanwhile") in told
        assert "full" in await settled(chat, "layout")
        assert "Asia/Tokyo" in await settled(chat, "zone")


async def test_a_note_is_written_and_taken_off(stocked: Database, opens: Opens) -> None:
    """The form has the note that is there; emptied, it removes it."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("note dair:2026-01-05#1", Role.READER)
        assert await chat.opens("Write a note") == {"text": ""}
        assert seen("read by Monday") in await chat.submits(text="  read by Monday ")
        await chat.ask("note dair:2026-01-05#1", Role.READER)
        assert await chat.opens("Write a note") == {"text": "read by Monday"}
        assert seen("No note on") in await chat.submits(text="")


async def test_an_alert_is_for_whoever_asks(stocked: Database, opens: Opens) -> None:
    """The form of `alert` names no channel, so a reader may submit it."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("alerts", Role.READER)
        stands = await chat.opens("New alert…")
        assert {name: text for name, text in stands.items() if text} == {}
        assert seen("for managers") not in await chat.submits(words="mamba")


async def test_words_are_read_as_they_were_meant(stocked: Database, opens: Opens) -> None:
    """A telephone's quotes, dashes, capitals, pictures and blanks say nothing."""
    async with chatting(opens, stocked) as chat:
        for entered, told in (
            ({"words": "\u201cworld model\u201d \u2013survey"}, 'matches "world model" -survey.'),
            ({"words": " Mamba\u00a0", "author": "Bengio "}, "matches Mamba author:Bengio."),
            ({"words": "\U0001f525 mamba \ufe0f"}, "matches mamba."),
            ({"words": "mamba author:lecun"}, "matches mamba author:lecun."),
            ({"words": " \u200b ", "author": "\u00a0"}, "alert needs words, a topic or an author."),
            ({"words": "\U0001f525"}, "alone says too little."),
            ({"words": "jamba", "author": "\u200b"}, "matches jamba."),
            ({"words": "ma\x00mba \ud83d"}, "You get a direct message"),
            ({"words": "\ud83d -"}, "alone says too little."),
        ):
            await chat.ask("alerts", Role.READER)
            await chat.opens("New alert…")
            assert seen(told) in await chat.submits(**entered), entered


async def test_a_value_is_read_as_it_was_meant(stocked: Database, opens: Opens) -> None:
    """What a telephone adds to a value is no part of it."""
    async with chatting(opens, stocked) as chat:
        for zone in (" berlin ", "Europe/Berlin.", "\u200b“BERLIN”", "Berlin \U0001f600"):
            await chat.ask("settings", Role.MANAGER)
            await chat.opens("Change settings")
            assert seen("zone: not set → Europe/Berlin") in await chat.submits(zone=zone), zone
            await chat.ask("settings zone default", Role.MANAGER)


async def test_a_note_is_its_reader_s_own_words(stocked: Database, opens: Opens) -> None:
    """Nothing in it is read as an argument, and its signs stay."""
    async with chatting(opens, stocked) as chat:
        for text in ("\U0001f44d", "“So–so”: paper:2 remove:yes", "x" * 800, ": 'a', \"b\" \\"):
            for _ in range(2):  # and again as it stands in the form
                await chat.ask("note dair:2026-01-05#1", Role.READER)
                await chat.opens("Write a note")
                assert seen(text) in await chat.submits(text=text)
            await chat.ask("note dair:2026-01-05#1", Role.READER)
            assert await chat.opens("Write a note") == {"text": text}


async def test_what_a_form_is_about_may_be_gone(stocked: Database, opens: Opens) -> None:
    """The form of a subscription that was cancelled meanwhile says so, and how to resume it."""
    async with chatting(opens, stocked) as chat:
        await chat.ask("subscribe tuesday", Role.MANAGER)
        await chat.opens("Change")
        await chat.ask("unsubscribe 1", Role.MANAGER)
        assert seen("Subscription 1 was cancelled.") in await chat.submits(day="friday")
        await chat.press("Resume it")
        assert "Tuesday" in (await chat.ask("subscriptions", Role.MANAGER)).words
