"""`broadsheet ask`: of the person who is pretended nothing stays, and dashes are read as meant."""

import pytest
from sqlmodel import SQLModel

from adapters.cli.ask import ask, pretended
from bot.commands.handlers import COMMANDS
from bot.commands.onboarding import Onboarding
from bot.replies.plain_text import plain_text
from store.database import Database, Session
from store.database.trial import TrialDatabase
from store.maintenance import rows
from tests.bot.conftest import WEEK, FixedClock, bot_of
from tests.bot.ingest.imports import take_in

_CONFIRMED = ("forget confirm:yes", "save 1-3", "vote 2", "note 1 good", "dismiss 2", "brief 10")


def _content(session: Session) -> dict[str, tuple[int, str]]:
    """Return the number and the digest of the rows of each table, as `db copy` compares them."""
    found = {}
    for each in (*map(rows.plain, SQLModel.metadata.sorted_tables), rows.INDEX):
        tally = rows.Tally()
        for batch in rows.read(session.connection(), each):
            tally.add(batch)
        found[each.name] = (tally.count, tally.digest)
    return found


async def test_no_command_leaves_anything(database: Database, database_url: str) -> None:
    """Whatever is asked for, each table holds afterwards what it held before."""
    await database.write(take_in, WEEK)
    before = await database.read(_content)
    lines = [example for command in COMMANDS for example in command.examples]
    async with TrialDatabase(database_url) as trial:
        app = bot_of(trial, onboarding=Onboarding(trial, FixedClock()))
        for line in (*lines, *_CONFIRMED):
            await app.run_text(line, pretended("slack"))
        await app.wait()
        assert await trial.read(_content) != before
    assert await database.read(_content) == before


async def test_a_preview_shows_the_post(database: Database, database_url: str) -> None:
    """The channel takes a subscription, whose post is shown."""
    await database.write(take_in, WEEK)
    async with TrialDatabase(database_url) as trial:
        app = bot_of(trial)
        await app.run_text("subscribe monday 09:00", pretended("slack"))
        told = plain_text(await app.run_text("preview", pretended("slack")))
    assert WEEK.entries[0].title in told


WORDS = ("search", "moe")


@pytest.mark.parametrize(
    "option", ["--json", "—json", "–json", "――json", "－－json", "−−json", "‑‑json"]
)
def test_a_dash_of_any_width_begins_an_option(option: str) -> None:
    """Editors and telephones make one long dash of two hyphens."""
    params = ask.make_context("ask", [*WORDS, option]).params
    assert (params["text"], params["as_json"]) == (WORDS, True)


@pytest.mark.parametrize("word", ["—vision", "–jsonl", "—", "2024–2025", "“--json”"])
def test_other_words_with_dashes_are_words(word: str) -> None:
    """A dash before what is no option, or within words, is the command's to read."""
    params = ask.make_context("ask", [*WORDS, word]).params
    assert (params["text"], params["as_json"]) == ((*WORDS, word), False)
