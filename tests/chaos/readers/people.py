"""People with alerts and personal digests: the same for the same numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.library.alerts import search_query
from bot.posting.ports import DIRECT
from store import search
from store.database import Session
from store.posting.subscriptions import add_subscription
from store.readers import alerts
from store.readers.alerts import AlertLimits, AlertQuery, NewAlert
from store.records import Channel, ChannelFacts, Person, Subscription, Workspace
from store.search import Filters
from tests.chaos.scenario import KINDS, NOUNS, SOURCES, first_day
from tests.fakes.discord import FakeDiscord, Server
from tests.fakes.slack import FakeSlack

DIGEST = "digest"
_LIMITS = AlertLimits(person=5, workspace=500)
_ZONES = ("UTC", "Asia/Kolkata", "America/New_York")
_LOCAL_TIME = time(9, 30)
# One reader for so many deliveries of a platform, and how few and many there are.
_DELIVERIES_EACH, _FEWEST, _MOST = 8, 6, 36


@dataclass(frozen=True, slots=True)
class Query:
    """What an alert looks for: a word of titles, in one source alone or without another word."""

    noun: str
    source: str | None = None
    without: str | None = None

    @property
    def words(self) -> str:
        """The words of the query."""
        return f"{self.noun} -{self.without}" if self.without else self.noun

    @property
    def text(self) -> str:
        """The query as messages name it."""
        return f"{self.words} from:{self.source}" if self.source else self.words

    def matches(self, source: str, words: Sequence[str]) -> bool:
        """Tell whether it matches a paper of a source with these words in its title."""
        here = self.source in {None, source}
        return here and self.noun in words and self.without not in words


@dataclass(frozen=True, slots=True)
class Digest:
    """A weekly digest as the store has it: the id of its subscription, and when it is due."""

    order: int
    weekday: int
    zone: str

    def due_at(self, week: int) -> datetime:
        """Return when it is due in a week."""
        day = first_day(week) + timedelta(days=self.weekday)
        return datetime.combine(day, _LOCAL_TIME, ZoneInfo(self.zone))


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody with alerts in direct messages, and perhaps a digest.

    `doomed` is who takes no message any more in the middle of it.
    """

    person: Person
    channel: Channel
    queries: tuple[Query, ...]
    digest: Digest | None = None
    doomed: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """Somebody's direct messages with the bot."""

    person: Person
    channel: Channel


def how_many(deliveries: int) -> int:
    """Return how many readers a platform has where it gets so many deliveries."""
    return max(_FEWEST, min(deliveries // _DELIVERIES_EACH, _MOST))


def in_slack(slack: FakeSlack, number: int) -> list[Chat]:
    """Add people to Slack."""
    team = slack.teams["T1"]
    there = Workspace("slack", team.id)
    names = [str(200 + each) for each in range(number)]
    for name in names:
        slack.add_user(team, f"U{name}")
    return [Chat(Person(there, f"U{name}"), Channel(there, f"D{name}")) for name in names]


def in_discord(server: Server, number: int) -> list[Chat]:
    """Add people to Discord, where each is in a workspace of their own."""
    return [_in_discord(server, f"reader-{each}") for each in range(number)]


def _in_discord(server: Server, name: str) -> Chat:
    member = server.add_member(name)
    home = Workspace("discord", f"@{member.id}")
    return Chat(Person(home, str(member.id)), Channel(home, str(member.dm.id)))


def close(reader: Reader, slack: FakeSlack, discord: FakeDiscord) -> None:
    """Have somebody take no direct messages any more."""
    channel = reader.channel.external_id
    if reader.channel.workspace.platform == "slack":
        slack.teams["T1"].channels[channel].archived = True
        return
    for user in discord.channels[int(channel)].recipients:
        user.closed = True


def enrol(session: Session, chats: Sequence[Chat], since: datetime) -> list[Reader]:
    """Add alerts for all, two for most, and a digest for every third."""
    return [_enrolled(session, chat, number, since) for number, chat in enumerate(chats)]


def _enrolled(session: Session, chat: Chat, number: int, since: datetime) -> Reader:
    queries = tuple(_queries(number))
    facts = ChannelFacts(DIRECT, private=True, direct=True)
    for query in queries:
        asked = AlertQuery(query.text, query.words, Filters(source=query.source))
        keys = search.index_keys(session, search_query(asked))
        new = NewAlert(chat.person, chat.channel, facts, asked, keys, since)
        alerts.add(session, new, _LIMITS)
    digest = None if number % 3 else _digest(session, chat, number)
    return Reader(chat.person, chat.channel, queries, digest, doomed=number == 1)


def _queries(number: int) -> Iterator[Query]:
    """Give the queries of a reader: some of two find the same papers."""
    noun = NOUNS[number % len(NOUNS)]
    other = NOUNS[(number + 5) % len(NOUNS)]
    yield Query(noun)
    match number % 4:
        case 0:
            yield Query(noun, source=SOURCES[number // 4 % len(SOURCES)])
        case 1:
            yield Query(noun, without=KINDS[number // 4 % len(KINDS)])
        case 2:
            yield Query(other, SOURCES[1], KINDS[0])


def _digest(session: Session, chat: Chat, number: int) -> Digest:
    digest = Digest(0, number % 5, _ZONES[number % len(_ZONES)])
    order = Subscription(
        channel=chat.channel,
        weekday=digest.weekday,
        local_time=_LOCAL_TIME,
        zone=digest.zone,
        next_due_at=digest.due_at(1),
        sources=("all",),
        owner=chat.person.external_id,
        personal=True,
    )
    return replace(digest, order=add_subscription(session, order))


class Brought:
    """What imports brought that was not there before, in their order."""

    def __init__(self) -> None:
        self.imports: list[dict[tuple[str, str], tuple[str, str]]] = []
        self._known: set[tuple[str, str]] = set()

    def take(self, papers: Mapping[tuple[str, str], tuple[str, str]]) -> None:
        """Take in an import's papers, each a source and a token, with the words of its title."""
        self.imports.append(
            {paper: words for paper, words in papers.items() if paper not in self._known}
        )
        self._known |= papers.keys()
