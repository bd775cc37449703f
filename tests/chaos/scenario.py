"""What is ordered where, and the editions that come out: the same for the same numbers."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count, cycle

from bot.domain.drafts import EditionDraft
from store.database import Session
from store.posting.subscriptions import add_subscription
from store.records import Channel, Layout, Subscription, Workspace
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import FakeDiscord, Permission, Server
from tests.fakes.slack import FakeSlack

SOURCES = ("dair", "paperdive")
PAPERS = 8
# The rank of the paper that all sources have in a week.
SHARED = 4
# In titles: one of the first and one of the others, none of which is anywhere else.
NOUNS = (
    "quorvex", "tamblin", "ostrel", "brindok", "zalfer", "miquon",
    "perlath", "duvnor", "klemsid", "jorvalt", "wexolin", "fandrip",
)  # fmt: skip
KINDS = ("glimmo", "stravik", "hundel")
# Papers of a post in a thread, each of which is a message.
_REPLIES = 5
_MOST_WEEKS = 20
# In full, eight of these are more than one message.
_LONG = "It says at length what was found, and of what use that may be to anybody. " * 14
# What the first paper's summary begins with once its edition was corrected; it is worth a line.
RIGHT = "Silk wings put right gain 12% in storms"
_FOLLOWED = (("dair",), ("all",), ("paperdive",), ("dair", "paperdive"))
_ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
_KINDS = ("text", "forum", "announcement", "text")


@dataclass(frozen=True, slots=True)
class Place:
    """A channel that gets posts.

    `blind` where its history can't be read, so that nobody can know what arrived; `doomed` where
    it is closed in the middle of it. `orders` is how many it may have: a run is short, and of more
    than 25 posts within minutes nobody can tell in a forum what arrived.
    """

    channel: Channel
    orders: int = 2
    blind: bool = False
    doomed: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """A subscription as the store has it, and its place."""

    id: int
    place: Place
    layout: Layout
    sources: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many papers a post of it has."""
        return _size(self.layout)

    def follows(self, source: str) -> bool:
        """Tell whether it is owed what a source brings."""
        return source in self.sources or self.sources == ("all",)


@dataclass(frozen=True, slots=True)
class Extent:
    """How many weeks a run has, and how many deliveries of a platform each of them brings."""

    weeks: int
    a_week: int


def extent(deliveries: int) -> Extent:
    """Return how so many deliveries are spread: weeks of thirty, of more where those are many."""
    weeks = max(2, min(deliveries // 30, _MOST_WEEKS))
    return Extent(weeks, math.ceil(deliveries / weeks))


def slack_places(slack: FakeSlack) -> Iterator[Place]:
    """Give channels of Slack without end: the first is closed later, the second can't be read."""
    team = slack.teams["T1"]
    # A private channel's history has a scope of its own.
    team.scopes -= {"groups:history"}
    for number in count(1):
        name, blind = f"C{100 + number}", number == 2
        slack.add_channel(team, name, members={"U1", team.bot_user}, private=blind)
        yield Place(_at("slack", team.id, name), blind=blind, doomed=number == 1)


def discord_places(server: Server) -> Iterator[Place]:
    """Give channels of Discord without end, of all kinds, as `slack_places`."""
    for number, kind in zip(count(1), cycle(_KINDS), strict=False):
        blind = number == 3
        lack = Permission.READ_MESSAGE_HISTORY if blind else 0
        room = server.add_channel(f"papers-{number}", kind=kind, bot_lacks=lack)
        at = _at("discord", str(server.id), str(room.id))
        yield Place(at, 1 if kind == "forum" else 2, blind=blind, doomed=number == 1)


def close(place: Place, slack: FakeSlack, discord: FakeDiscord) -> None:
    """Close a channel to the bot: Slack's goes to the archive, Discord's is deleted."""
    channel = place.channel.external_id
    if place.channel.workspace.platform == "slack":
        slack.teams["T1"].channels[channel].archived = True
        return
    room: Room = discord.channels[int(channel)]
    assert isinstance(room.guild, Server)
    room.guild.remove_channel(room)


def order_all(
    session: Session, places: Iterator[Place], owner: str, a_week: int, since: datetime
) -> list[Order]:
    """Order what brings so many deliveries a week."""
    orders: list[Order] = []
    spots = (place for place in places for _ in range(place.orders))
    layouts = cycle((Layout.THREAD, Layout.COMPACT, Layout.FULL))
    shapes = zip(spots, layouts, cycle(_FOLLOWED), cycle(_ZONES), cycle(range(5)), strict=False)
    for place, layout, sources, zone, weekday in shapes:
        order = Subscription(
            channel=place.channel,
            weekday=weekday,
            local_time=time(9, 30),
            zone=zone,
            next_due_at=since,
            sources=sources,
            size=_size(layout),
            layout=layout,
            owner=owner,
        )
        orders.append(Order(add_subscription(session, order), place, layout, sources))
        lasting = [each for each in orders if not each.place.doomed]
        if sum(each.follows(source) for each in lasting for source in SOURCES) >= a_week:
            return orders
    raise AssertionError("there are channels without end")


def brought(source: str, week: int, papers: int = PAPERS) -> list[tuple[str, EditionDraft]]:
    """Return an edition as it is brought, or only its first papers."""
    return [(source, _edition(source, week, "", papers))]


def corrected(source: str, week: int) -> list[tuple[str, EditionDraft]]:
    """Return an edition again, as it should have been."""
    return [(source, _edition(source, week, f"{RIGHT}. "))]


def take_in_all(session: Session, drafts: Sequence[tuple[str, EditionDraft]], at: datetime) -> None:
    """Import editions, all at once."""
    for source, draft in drafts:
        take_in(session, draft, source, at)


def first_day(week: int) -> date:
    """Return the first day of a week's editions."""
    return MONDAY + timedelta(weeks=week)


def after_posting(week: int) -> datetime:
    """Return when all orders are due that a week's editions are for: at the next one's end."""
    end = datetime.combine(first_day(week + 2), time(), tzinfo=UTC)
    return end - timedelta(hours=20)


def token(source: str, week: date, rank: int) -> str:
    """Return the words of a paper's title that no other has."""
    whose = "both" if rank == SHARED else source
    return f"{whose} {week:%m-%d} number {rank}."


def words(source: str, week: int, rank: int) -> tuple[str, str]:
    """Return the two words of a paper's title by which alerts find it."""
    number = rank if rank == SHARED else rank + PAPERS * SOURCES.index(source)
    return NOUNS[(5 * week + 7 * number) % len(NOUNS)], KINDS[(week + number) % len(KINDS)]


def _edition(source: str, week: int, first: str, number: int = PAPERS) -> EditionDraft:
    day = first_day(week)
    summaries = [f"{first}{_LONG}", *[_LONG] * (number - 1)]
    papers = (
        entry(rank, _title(source, week, rank), summary.strip())
        for rank, summary in enumerate(summaries, 1)
    )
    return edition(*papers, first_day=day, title="Top Papers")


def _title(source: str, week: int, rank: int) -> str:
    noun, kind = words(source, week, rank)
    return f"Of {token(source, first_day(week), rank)} {noun.title()} {kind}"


def _size(layout: Layout) -> int:
    return _REPLIES if layout is Layout.THREAD else PAPERS


def _at(platform: str, workspace: str, channel: str) -> Channel:
    return Channel(Workspace(platform, workspace), channel)
