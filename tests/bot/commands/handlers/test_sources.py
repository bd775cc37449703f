"""`sources` and `status` tell what is followed, what was never fetched, and what fails."""

from dataclasses import replace
from datetime import UTC, date, datetime

from bot.actor import Actor, Role
from bot.commands.handlers import COMMANDS
from bot.commands.handlers.status import failing_notices, sources_reply
from bot.replies.blocks import Actions, Level, Notice, Reply, Table
from store.database import Database
from store.library.editions import SourceState
from store.records import Source
from store.sources import (
    Address,
    FollowedSource,
    Validators,
    add_address,
    list_followed,
    note_failed,
)
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import bot_over, manager, rooms

_OFF = "not fetched"
TODAY = date(2026, 1, 12)
MONDAY, TUESDAY = (datetime(2026, 1, day, 9, tzinfo=UTC) for day in (5, 6))


def _address(
    number: int, since: datetime | None = None, fetched: datetime | None = None
) -> Address:
    error = f"Reason {number}." if since else None
    return Address(
        number, None, f"https://{number}.example", Validators(), since, fetched, since, error
    )


def _followed(slug: str, *addresses: Address, enabled: bool = True) -> FollowedSource:
    return FollowedSource(Source(slug, slug.title()), enabled=enabled, addresses=addresses)


def _table(reply: Reply) -> Table:
    [table] = [block for block in reply.blocks if isinstance(block, Table)]
    return table


def test_what_is_followed_stands_beside_what_is_stored() -> None:
    """Also before anything of it was fetched; what is not fetched by itself is told as that."""
    states = [SourceState(Source("dair", "Top Papers"), 2, 20, date(2026, 1, 11))]
    off = (_followed(slug, enabled=False) for slug in ("dair", "dive"))
    known = [*off, _followed("daily")]
    assert _table(sources_reply(states, known, TODAY)) == Table(
        ("Source", "Title", "Newest", "Stored", "State"),
        (
            ("dair", "Top Papers", "Jan 11, 2026 (1 day ago)", "2 editions, 20 entries", _OFF),
            ("daily", "Daily", "", "", "nothing fetched yet"),
            ("dive", "Dive", "", "", "not fetched, an operator can enable it"),
        ),
    )


def test_a_source_that_has_no_title_is_named_once() -> None:
    """One that an operator added is titled by its slug, which stands beside the line already."""
    states = [SourceState(Source("weekly", "weekly"), 1, 3, date(2026, 1, 11))]
    plain = FollowedSource(Source("weekly", "weekly"), enabled=True, addresses=())
    assert _table(sources_reply(states, [plain], TODAY)) == Table(
        ("Source", "Title", "Newest", "Stored"),
        (("weekly", "", "Jan 11, 2026 (1 day ago)", "1 edition, 3 entries"),),
    )


def test_a_source_of_nothing_but_weeks_ahead_has_no_newest() -> None:
    """Its editions are counted, and neither a day nor a button tells of a newest one."""
    states = [SourceState(Source("weekly", "weekly"), 1, 3, None)]
    reply = sources_reply(states, [], TODAY)
    assert _table(reply) == Table(
        ("Source", "Title", "Stored"), (("weekly", "", "1 edition, 3 entries"),)
    )
    assert not [block for block in reply.blocks if isinstance(block, Actions)]


def test_what_fails_says_since_when_and_to_operators_why() -> None:
    """Once a source, by the address that fails for longest; what is disabled fails nobody."""
    known = [
        _followed("both", _address(1, TUESDAY), _address(2, MONDAY)),
        _followed("half", _address(3, TUESDAY, fetched=MONDAY), _address(4)),
        _followed("off", _address(5, MONDAY), enabled=False),
        _followed("well", _address(6)),
    ]
    told = list(failing_notices(known, TODAY, reasons=False))
    assert [(each.text, each.remedy) for each in told] == [
        ("both has failed since Jan 5, 2026 (7 days ago).", ""),
        (
            "half has failed in part since Jan 6, 2026 (6 days ago).",
            "What was fetched before stays.",
        ),
    ]
    assert list(failing_notices(known, TODAY, reasons=True)) == [
        Notice(
            Level.WARNING, "both has failed since Jan 5, 2026 (7 days ago).", "Reason 1. Reason 2."
        ),
        Notice(
            Level.WARNING,
            "half has failed in part since Jan 6, 2026 (6 days ago).",
            "Reason 3. What was fetched before stays.",
        ),
    ]


async def test_readers_learn_neither_where_a_source_is_nor_what_is_wrong_there(
    filled: Database,
) -> None:
    """In a chat each is told its name and since when it fails; a host or a token is for operators.

    That holds for each command that readers have, and for those who manage channels or all.
    """
    await filled.write(add_address, "intranet", "https://papers.internal/feed?token=hunter2", None)
    [followed] = [each for each in await filled.read(list_followed) if each.source.slug != "dair"]
    error = "papers.internal answered 401 to the token hunter2."
    await filled.write(note_failed, followed.addresses[0].id, error, MONDAY)
    app = bot_over(filled, FixedClock())
    owner = replace(manager(rooms()), owns=True)
    for asker in (owner, replace(owner, role=Role.READER, owns=False)):
        told = {
            line: str(await app.run_text(line, asker))
            for command in COMMANDS
            if command.name != "trends"  # whose pictures take seconds
            for line in (command.name, f"{command.name} intranet", *command.examples)
        }
        assert [line for line, reply in told.items() if "internal" in reply] == []
        assert [line for line, reply in told.items() if "hunter2" in reply] == []
        for line in ("sources", "status"):
            assert "intranet has failed since Jan 5, 2026" in told[line]
    operator = Actor("terminal", "terminal", "operator", Role.OPERATOR)
    for line in ("sources", "status"):
        assert error in str(await app.run_text(line, operator))
