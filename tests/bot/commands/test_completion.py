"""Autocomplete: the completions, each of which can be answered."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.types import Command
from store.database import Database
from tests.bot.commands.sample_command import ORDER
from tests.bot.conftest import READER, bot_of

Complete = Callable[[str], list[str]]


@pytest.fixture
def app(filled: Database) -> Broadsheet:
    """Return the bot over the filled store."""
    return bot_of(filled, commands=[*COMMANDS, ORDER])


@pytest.fixture
def complete(app: Broadsheet) -> Complete:
    """Return a way to read the lines that a beginning may become."""
    return lambda text: [
        text[: each.start] + each.text for each in asyncio.run(app.complete(text, READER))
    ]


@pytest.mark.parametrize(
    ("beginning", "lines"),
    [
        ("s", ["show", "search", "sources", "status", "save", "saved"]),
        ("/se", ["/search"]),
        ("lookup la", ["lookup latest"]),
        ("latest from:", ["latest from:dair", "latest from:paperdive"]),
        ("latest from:pap", ["latest from:paperdive"]),
        ("latest fr", ["latest from:dair", "latest from:paperdive"]),
        ("latest pap", ["latest paperdive"]),
        ("week ", ["week 2026-W02", "week 2026-W01", "week 2025-W52"]),
        ("week 2026", ["week 2026-W02", "week 2026-W01"]),
        ("week jan 5", ["week 2026-W02"]),
        ("week 7 jan", ["week 2026-W02"]),
        ("week 5-11 january", ["week 2026-W02"]),
        ("week la", ["week last week"]),
        ("search x since:2025-q", ["search x since:2025-Q4"]),
        ("show 2601", ["show dair:2026-01-05#3"]),
        ("week 2026-W02 from:", ["week 2026-W02 from:dair", "week 2026-W02 from:paperdive"]),
        (
            "show ",
            ["show dair:2026-01-05#1", "show dair:2026-01-05#2", "show dair:2026-01-05#3"],
        ),
        ("show 2", ["show dair:2026-01-05#2"]),
        ("show e3", ["show paperdive:E31"]),
        ("show 2601.0", ["show dair:2026-01-05#3"]),
        ("show exp rout", ["show dair:2026-01-05#3"]),
        ("show dair:2025-12-29", ["show dair:2025-12-29#1", "show dair:2025-12-29#2"]),
        ("show spars", ["show dair:2026-01-05#1", "show dair:2025-12-29#2"]),
        ("topic ag", ["topic agents"]),
        ("topic moe", ["topic mixture-of-experts"]),  # by another name of it
        ("topic quantum", []),
        ("search sparse att", ["search sparse attention", "search sparse attends"]),
        ("search re", ["search rewards"]),
        ("search attention topic:age", ["search attention topic:agents"]),
        ("search attention since:", [
            "search attention since:2026", "search attention since:2025",
            "search attention since:2026-01", "search attention since:2025-12",
        ]),
        ("search attention from:dair from:", []),
        ("help la", ["help latest"]),
        ("zebra", []),
        ("zebra ", []),
        ("sources ", []),
    ],
)  # fmt: skip
def test_a_beginning_is_offered_its_ends(
    complete: Complete, beginning: str, lines: list[str]
) -> None:
    """Commands by name, values by what their type knows, a paper at its newest mention."""
    assert complete(beginning) == lines


@pytest.mark.parametrize(
    ("beginning", "lines"),
    [
        ("order wed", ["order wednesday"]),
        ("order 09:0", ["order 09:00"]),
        ("order mon 9:3", ["order mon 09:30"]),
        ("order 9 p", ["order 21:00", "order 9 Africa/Porto-Novo"]),
        ("order new y", ["order America/New_York"]),
        ("order tue new y", ["order tue America/New_York"]),
        ("order Europe/Berlin sun", ["order Europe/Berlin sunday"]),
        ("order mon tues", []),
        ("order day:mon tues", []),
        ("order day:mon 17:1", ["order day:mon 17:15"]),
        ("order day:we", ["order day:wednesday"]),
        ("order mon topic:ag", ["order mon topic:agents"]),
        ("order mon 9 UTC si", [f"order mon 9 UTC size:{number}" for number in range(1, 6)]),
    ],
)
def test_what_is_begun_is_offered_as_what_it_may_be(
    complete: Complete, beginning: str, lines: list[str]
) -> None:
    """If words are matched by look, each parameter that is still free is completed."""
    assert complete(beginning)[: max(len(lines), 1)] == lines


@pytest.mark.parametrize(
    ("beginning", "line"),
    [
        ("ｌａｔｅ", "latest"),
        ("\u200blate", "\u200blatest"),
        ("search moe from: da", "search moe from: dair"),
        ("search moe from：da", "search moe from：dair"),
        ("search “multi head” —experts from:da", "search “multi head” —experts from:dair"),
        ("top\u3000agen", "top\u3000agents"),
        ("show “sparse atten", "show dair:2026-01-05#1"),
    ],
)
def test_a_beginning_is_read_as_it_was_meant(complete: Complete, beginning: str, line: str) -> None:
    """Signs of any keyboard are completed in their place, and stay before it."""
    assert complete(beginning)[0] == line


def test_before_anything_is_begun_all_that_is_free_is_offered(complete: Complete) -> None:
    """Days, then times, then zones; none that is there already."""
    first = complete("order ")
    assert first[:2] == ["order monday", "order tuesday"]
    assert first[7:9] == ["order 09:00", "order 08:00"]
    assert first[15] == "order UTC"
    assert complete("order mon 9 ")[0] == "order mon 9 UTC"


async def test_an_option_is_completed_by_itself(app: Broadsheet) -> None:
    """Typed options, as a platform has them, are offered the same values."""
    show = next(command for command in COMMANDS if command.name == "show")
    [option] = await app.options(show.params[0], "expert rout", READER)
    assert option.value == "dair:2026-01-05#3"
    assert option.label == "Routing Experts · #3 in dair, Jan 5–11, 2026"


async def test_only_what_the_actor_may_do_is_offered(filled: Database) -> None:
    """A command of the operator's is offered to no reader."""
    secret = Command("secret", COMMANDS[0].group, "", COMMANDS[0].handler, role=Role.OPERATOR)
    app = bot_of(filled, commands=[secret])
    operator = Actor("test", "test", "operator", Role.OPERATOR)
    assert await app.complete("se", READER) == []
    assert [each.text for each in await app.complete("se", operator)] == ["secret"]


_WORDS = st.sampled_from([
    *(command.name for command in COMMANDS), "lookup", "/", "from:", "topic:", "since:", "until:",
    "from:da", 'since:"last', "2026", "jan", "E3", "dair:", "26", "#", "spa", "rout", "rag",
    "order", "mon", "every", "9", "am", "at", "17:3", "new", "york", "size:", "not", "agents,",
])  # fmt: skip
_LINES = st.one_of(
    st.text(),
    st.lists(_WORDS, max_size=4).map(" ".join),
    st.lists(_WORDS, max_size=4).map(lambda words: " ".join(words) + " "),
)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(beginning=_LINES)
@example(beginning="latest 0 t")
@example(beginning="latest 0 topic:ag")
def test_nothing_is_offered_that_is_refused(app: Broadsheet, beginning: str) -> None:
    """Every line that is offered is answered; only a command without its argument asks for it."""

    async def refusals() -> list[str]:
        offered = await app.complete(beginning, READER)
        lines = [beginning[: each.start] + each.text for each in offered]
        replies = [await app.run_text(line, READER) for line in lines]
        return [
            line
            for line, reply in zip(lines, replies, strict=True)
            if reply.failed and _last_word(line) not in _LACKING
        ]

    # What is wrong with the beginning itself is no fault of how it goes on.
    if not asyncio.run(_is_wrong(app, beginning)):
        assert asyncio.run(refusals()) == []


def _last_word(line: str) -> str:
    """Return it as a command's name is read: no slash and no control character is a part of it."""
    return "".join(filter(str.isprintable, line.rsplit(maxsplit=1)[-1])).lstrip("/")


# A search takes words or filters, and neither alone is required.
_LACKING = {"search", "alert", "unalert"} | {
    command.name for command in COMMANDS if any(p.required for p in command.params)
}


async def _is_wrong(app: Broadsheet, beginning: str) -> bool:
    """Tell whether the words before the last are refused whatever follows."""
    head, _, _ = beginning.rstrip().rpartition(" ")
    return bool(head) and (await app.run_text(head, READER)).failed
