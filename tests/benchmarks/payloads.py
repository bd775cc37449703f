"""Ten thousand bodies of one post, each for another channel: rendered once, the rest put in.

The floor is one render and, by hand, the channel and the key put into its bytes.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import time
from functools import partial
from itertools import count
from pathlib import Path

from adapters.discord.drafts import Drafts
from adapters.slack.bodies import Bodies
from adapters.slack.render import render_message
from bot.posting.digest import lay_out_post
from bot.replies.blocks import Reply
from store.library.editions import newest_edition
from store.records import Channel, Edition, Subscription, Workspace
from tests.benchmarks import product
from tests.benchmarks.measure import Figure, Stopwatch, by_turns

# A post of ten papers as either platform takes it, laid out for Slack.
_ORDER = Subscription(
    channel=Channel(Workspace("slack", "T1"), "C1"),
    weekday=0,
    local_time=time(9),
    zone="UTC",
    next_due_at=None,
    sources=("all",),
)

# A channel and a key, as they stand in a body.
Named = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kind:
    """How a platform's bodies are made: `own` returns what writes them, each once laid out."""

    name: str
    own: Callable[[], Callable[[Reply, str, str], bytes]]


def _slack() -> Callable[[Reply, str, str], bytes]:
    bodies = Bodies()
    return lambda reply, channel, key: bodies.post(channel, key, reply)


def _discord() -> Callable[[Reply, str, str], bytes]:
    drafts = Drafts()
    return lambda reply, _channel, key: drafts.of(reply, key).to_create(key)


# Discord's channel stands in the address of the request.
KINDS = (Kind("Slack", _slack), Kind("Discord", _discord))


def payloads(store: Path, runs: int, number: int) -> Iterator[Figure]:
    """Write so many bodies of the newest edition for each platform."""
    edition, named = newest(store), names(number)
    for kind in KINDS:
        # Nobody has rendered the same before.
        replies = (reply_of(edition, f"Run {run}") for run in count(1))
        series = by_turns(
            partial(_timed, partial(by_hand, kind), replies, named),
            partial(_timed, partial(by_product, kind), replies, named),
            runs,
        )
        yield Figure(f"{number:,} payloads, {kind.name}", "ms", *series, aim=2)


def by_hand(kind: Kind, reply: Reply, named: Sequence[Named]) -> Iterator[bytes]:
    """Write a body once, and put the others' names into it."""
    channel, key = "CHANNELCHANNEL", "KEYKEYKEYKEYKEYK"
    whole = kind.own()(reply, channel, key)
    head, found, rest = whole.partition(channel.encode())
    if not found:
        head, rest = b"", whole
    around = rest.split(key.encode())
    for channel, key in named:
        spliced = key.encode().join(around)
        yield head + channel.encode() + spliced if found else spliced


def by_product(kind: Kind, reply: Reply, named: Sequence[Named]) -> Iterator[bytes]:
    """Have the product write all bodies."""
    written = kind.own()
    for channel, key in named:
        yield written(reply, channel, key)


def names(number: int) -> list[Named]:
    """Return so many channels and keys, no two alike, as long as real ones."""
    return [(f"C{each:010}", f"key-{each:012}") for each in range(number)]


def reply_of(edition: Edition, title: str) -> Reply:
    """Return the post of an edition under a title of its own."""
    made = lay_out_post(
        replace(edition, title=title), _ORDER, lambda reply: render_message(reply).parts == 1
    )
    assert made
    return made.messages[0].reply


def _timed(
    write: Callable[[Reply, Sequence[Named]], Iterator[bytes]],
    replies: Iterator[Reply],
    named: Sequence[Named],
) -> float:
    reply = next(replies)
    with Stopwatch() as watch:
        for _ in write(reply, named):
            pass
    return watch.milliseconds


def newest(store: Path) -> Edition:
    """Return the newest edition of a store."""
    with product.opened(store) as database:
        edition = asyncio.run(database.read(newest_edition))
    assert edition
    return edition
