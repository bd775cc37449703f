"""The sources that come with the program: followed from the start, and never removed."""

from dataclasses import replace
from datetime import time

from bot.sources.followed import follow_predefined, predefined
from store.database import Database
from store.sources import UsualTime, add_address, enable, list_followed, predefine

ARCHIVE = "https://raw.githubusercontent.com/dair-ai/AI-Papers-of-the-Week/main/README.md"
FEED = "https://nlp.elvissaravia.com/feed"


def test_the_file_has_the_sources_that_are_promised() -> None:
    """Their slugs, their public addresses, and which of them start enabled."""
    known = {each.source.slug: each for each in predefined()}
    assert {slug: each.enabled for slug, each in known.items()} == {
        "dair": True,
        "paperdive": False,
        "hf-daily": True,
    }
    assert {("archive", ARCHIVE), ("feed", FEED)} <= {*known["dair"].addresses}
    assert known["hf-daily"].addresses == (("hf-daily", "https://huggingface.co/api/daily_papers"),)
    assert all(url.startswith("https://") for each in known.values() for _, url in each.addresses)


async def test_they_are_followed_once(database: Database) -> None:
    """The second time there is nothing to do, and what an operator said stays."""
    await follow_predefined(database)
    await database.write(enable, "dair", enabled=False)
    await database.write(add_address, "dair", "https://mirror.example/feed", None)
    await follow_predefined(database)
    dair, daily, dive = await database.read(list_followed)
    assert [each.source.slug for each in (dair, daily, dive)] == ["dair", "hf-daily", "paperdive"]
    assert (dair.enabled, daily.enabled, dive.enabled) == (False, True, False)
    assert [each.url for each in dair.addresses][-1] == "https://mirror.example/feed"
    assert [each.predefined for each in dair.addresses][-2:] == [True, False]


async def test_another_version_of_the_file_is_followed(database: Database) -> None:
    """Its addresses take the place of those before; what was fetched of those that stay stays."""
    [first, *_] = predefined()
    await database.write(predefine, [first])
    await database.write(add_address, "dair", "https://mirror.example/feed", None)
    kept, moved = first.addresses[0], ("feed", "https://new.example/feed")
    newer = replace(first, usual=UsualTime(0, time(9)), addresses=(kept, moved))
    await database.write(predefine, [newer])
    [dair] = await database.read(list_followed)
    assert {each.url for each in dair.addresses} == {
        kept[1], moved[1], "https://mirror.example/feed"
    }  # fmt: skip
    assert dair.usual == UsualTime(0, time(9))


async def test_an_operators_own_source_of_that_name_becomes_it(database: Database) -> None:
    """Its address stays beside those that come with the program."""
    await database.write(add_address, "hf-daily", "https://mirror.example/papers", None)
    await follow_predefined(database)
    daily = (await database.read(list_followed))[1]
    assert [each.url for each in daily.addresses] == [
        "https://mirror.example/papers",
        "https://huggingface.co/api/daily_papers",
    ]
    assert daily.predefined
