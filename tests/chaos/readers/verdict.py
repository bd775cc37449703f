"""What is wrong with what stands in direct messages, given what was brought. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from store.records import Channel, Delivery, DeliveryKind, DeliveryState
from tests.chaos.checks.posted_messages import Stands
from tests.chaos.readers.people import Digest, Reader

# A source and the words that only one title of it has, with the words by which alerts find it.
Papers = Mapping[tuple[str, str], Sequence[str]]
# The id of a digest's subscription, and when it is due.
DueDigest = tuple[int, datetime]

_TOKEN = re.compile(r"\b\w+ \d\d-\d\d number \d+\.")
_FOUND = re.compile(r"#\d+ in (\w+),.* matches (.+)")
_DIGEST = re.compile(r"Your papers, (\w+ \w+ \d+)")
# A digest lists papers of so many weeks.
_REACH = timedelta(weeks=8)


@dataclass(frozen=True)
class ReadersRecord:
    """All that a verdict is given on.

    `imports` are the papers that each import brought and none before; `due` the digests that have
    to be there. Others that were due in `weeks` may be, for a clock that was behind. `deliveries`
    are the alerts and digests of the ledger, `stands` what the platforms have in direct messages.
    """

    readers: Sequence[Reader]
    imports: Sequence[Papers]
    due: Collection[DueDigest]
    weeks: range
    deliveries: Sequence[Delivery]
    stands: Sequence[Stands]


def reader_faults(record: ReadersRecord) -> list[str]:
    """Return what is wrong, a sentence each; nothing where every promise was kept."""
    return [*_ledger_faults(record), *_key_faults(record), *_reader_faults(record)]


def found_in(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what a message tells of: each paper's source and token, and the alerts it matches."""
    papers = []
    plain = text.replace("\\", "")
    places = [each.span() for each in _TOKEN.finditer(plain)]
    for (start, middle), (end, _) in pairwise([*places, (len(plain), 0)]):
        if found := _FOUND.search(plain, middle, end):
            source, queries = found.groups()
            papers.append((source, plain[start:middle], tuple(queries.split(", "))))
        else:
            papers.append(("", plain[start:middle], ()))
    return papers


def _ledger_faults(record: ReadersRecord) -> Iterator[str]:
    """Hold the ledger against the digests that are due, and each delivery against its end."""
    digests = {each.digest.order: each.digest for each in record.readers if each.digest}
    known = Counter(_due(each) for each in record.deliveries if each.kind is DeliveryKind.DIGEST)
    for order, due_at in sorted(set(record.due) - set(known)):
        yield f"the digest of order {order} due at {due_at} was never delivered"
    for (order, due_at), number in sorted(known.items()):
        if number > 1:
            yield f"the digest of order {order} due at {due_at} is {number} deliveries"
        if due_at not in _due_times(digests.get(order), record.weeks):
            yield f"the digest of order {order} due at {due_at} was not due"
    doomed = {each.channel for each in record.readers if each.doomed}
    last_due = max((each.due_at for each in record.deliveries), default=None)
    for each in record.deliveries:
        if each.state is DeliveryState.SENT or (each.channel in doomed and _is_settled(each)):
            continue
        if last_due and _is_outdated(each, last_due):
            continue
        yield f"{_named(each)} is {each.state}: {each.error}"


def _key_faults(record: ReadersRecord) -> Iterator[str]:
    """Hold the messages against the ledger: each part of what was sent once, in its channel."""
    by_key: dict[str | None, list[Stands]] = defaultdict(list)
    for each in record.stands:
        by_key[each.key].append(each)
    for delivery in record.deliveries:
        if delivery.state is DeliveryState.SENT and len(delivery.parts) != 1:
            yield f"{_named(delivery)} is sent in {len(delivery.parts)} messages"
        for part in delivery.parts:
            found = by_key.pop(part.key, [])
            if len(found) > 1:
                yield f"{_named(delivery)} stands {len(found)} times"
            if not found and delivery.state is DeliveryState.SENT:
                yield f"{_named(delivery)} is sent and does not stand there"
            if any(_place(each) != _channel(delivery.channel) for each in found):
                yield f"{_named(delivery)} stands in another channel"
    for each in (each for rest in by_key.values() for each in rest):
        yield f"{' '.join(_place(each))} has a message of no delivery: {each.text[:60]!r}"


def _reader_faults(record: ReadersRecord) -> Iterator[str]:
    """Read every message by itself, so that nothing hangs on keys and ledger alone."""
    by_place: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in sorted(record.stands, key=lambda each: each.at):
        by_place[_place(each)].append(each.text)
    import_of = {paper: number for number, papers in enumerate(record.imports) for paper in papers}
    for reader in record.readers:
        texts = by_place.pop(_channel(reader.channel), [])
        digests = [text for text in texts if _DIGEST.search(text)]
        told = [found_in(text) for text in texts if not _DIGEST.search(text)]
        wrongs = (
            *_told_wrongs(reader, told, owed(reader, record.imports)),
            *_message_wrongs(told, import_of),
            *_digest_wrongs(digests),
        )
        for wrong in wrongs:
            yield f"{reader.person.external_id} {wrong}"
    for place, texts in by_place.items():
        yield f"{' '.join(place)} is no reader's and has {len(texts)} messages"


def owed(reader: Reader, imports: Iterable[Papers]) -> set[tuple[str, str]]:
    """Return what a reader has to be told: queries, each with the token of a paper."""
    return {
        (query.text, token)
        for papers in imports
        for (source, token), words in papers.items()
        for query in reader.queries
        if query.matches(source, words)
    }


def _told_wrongs(
    reader: Reader,
    told: Sequence[Sequence[tuple[str, str, tuple[str, ...]]]],
    due: Collection[tuple[str, str]],
) -> Iterator[str]:
    counted = Counter(
        (query, token) for message in told for _, token, queries in message for query in queries
    )
    for (query, token), number in sorted(counted.items()):
        if (query, token) not in due:
            yield f"is told of {token!r}, which {query!r} does not find"
        if number > 1:
            yield f"is told of {token!r} by {query!r} {number} times"
    if not reader.doomed:
        for query, token in sorted(set(due) - counted.keys()):
            yield f"is not told of {token!r} by {query!r}"


def _message_wrongs(
    told: Sequence[Sequence[tuple[str, str, tuple[str, ...]]]],
    import_of: Mapping[tuple[str, str], int],
) -> Iterator[str]:
    """Give what breaks the rule of one message an import."""
    of_messages = [
        {import_of.get((source, token)) for source, token, _ in message} for message in told
    ]
    if any(len(each) != 1 or None in each for each in of_messages):
        yield "has a message that tells not of one import"
    often = Counter(each for message in of_messages for each in message)
    for number, messages in often.items():
        if messages > 1:
            yield f"has {messages} messages of import {number}"


def _digest_wrongs(digests: Sequence[str]) -> Iterator[str]:
    days = Counter(found[1] for text in digests if (found := _DIGEST.search(text)))
    yield from (f"has {number} digests of {day}" for day, number in days.items() if number > 1)
    papers = Counter(token for text in digests for _, token, _ in found_in(text))
    for token, number in sorted(papers.items()):
        if number > 1:
            yield f"has {token!r} in digests {number} times"
    if any(not found_in(text) for text in digests):
        yield "has a digest without papers"


def _is_settled(delivery: Delivery) -> bool:
    return delivery.state in {DeliveryState.DEAD, DeliveryState.SKIPPED}


def _is_outdated(delivery: Delivery, last_due: datetime) -> bool:
    """Tell a digest that was skipped when its papers were too old for any digest.

    Weeks go by in seconds here, so that one may be held up for as many.
    """
    is_skipped = delivery.state is DeliveryState.SKIPPED and delivery.kind is DeliveryKind.DIGEST
    return is_skipped and last_due - delivery.due_at >= _REACH


def _due(delivery: Delivery) -> DueDigest:
    return delivery.subscription_id or 0, delivery.due_at


def _due_times(digest: Digest | None, weeks: range) -> set[datetime]:
    return {digest.due_at(week) for week in weeks} if digest else set()


def _named(delivery: Delivery) -> str:
    return f"delivery {delivery.id} ({delivery.kind} to {delivery.channel.external_id})"


def _place(stands: Stands) -> tuple[str, str]:
    return stands.platform, stands.channel


def _channel(channel: Channel) -> tuple[str, str]:
    return channel.workspace.platform, channel.external_id
