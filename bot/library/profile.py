"""Profiles of readers, and the papers that are best for each, with the reason.

A profile is made of what the reader did with papers (`Signal`). Papers are compared by stems and
topics, weighted by rarity, as `related` does (`store/library/similarity.py`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from heapq import nlargest
from itertools import chain, islice
from operator import mul

from bot.domain.topics import all_topics
from bot.replies.naming import shown_title
from bot.replies.wording import paper_name
from store.database import Session
from store.library import related
from store.library.similarity import Description, Vector, Weights, cosine
from store.posting import personal_deliveries
from store.posting.editions_to_post import EVERY_SOURCE
from store.readers.history import Signal, SignalKind, history, unseen
from store.records import Entry, Mention, Person, Subscription

# Who saves a paper or writes on it will come back to it, a vote is also for others, opening is how
# one finds out whether a paper is of interest. A dismissal is of one paper, not of all like it, so
# that it weighs half of a save.
_WEIGHTS = {
    SignalKind.NOTED: 1.2,
    SignalKind.SAVED: 1.0,
    SignalKind.VOTED: 0.7,
    SignalKind.DISMISSED: -0.5,
    SignalKind.OPENED: 0.3,
}
# Interests follow projects, which last some months: after a quarter a signal counts half, so that
# five papers saved this month outweigh fifteen of a year ago.
_HALF_LIFE = timedelta(weeks=12)
# Older ones hardly count, and the cost grows with the number.
_MOST_SIGNALS = 150
# Of the archive's papers that a reader with twenty saves gets first, 95 in 100 are so much like
# one of these; less alike, one could not say why.
_LEAST = 0.16
# A topic is the reader's with so many papers, and so much of all that the signals weigh.
_FEWEST_OF_TOPIC, _LEAST_OF_TOPIC = 2, 0.1
# The last of so many papers is from outside the profile.
_OUTSIDE_EVERY = 5
# The papers of the best scores are compared with each signal; the profile says little of others.
_COMPARED = 60
# A new paper is compared with so many dismissed ones, the newest.
_MOST_DISMISSED = 20

_DONE = {
    SignalKind.NOTED: "noted",
    SignalKind.SAVED: "saved",
    SignalKind.VOTED: "voted for",
    SignalKind.OPENED: "opened",
}


@dataclass(frozen=True, slots=True)
class Taste:
    """A signal as it counts now: its weight, negative for a dismissal, and its paper's features."""

    signal: Signal
    weight: float
    vector: Vector


@dataclass(frozen=True, slots=True)
class Profile:
    """The papers that a reader likes and those dismissed, what weighs most first.

    `interest` is the weighted sum of their features, `topics` are the reader's own, each with the
    reason that it gives, and `weights` tell how rare features are.
    """

    liked: tuple[Taste, ...]
    dismissed: tuple[Taste, ...]
    interest: Vector
    topics: Mapping[str, str]
    weights: Weights


@dataclass(frozen=True, slots=True)
class Pick:
    """A paper picked for a reader, and the reason in words: `because you saved MEM1`.

    One from `outside` the profile is there for a change.
    """

    mention: Mention
    reason: str
    outside: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A paper to pick from, and its place in the plain order.

    `likeness` is its cosine with each of the liked papers, empty if it was not compared, and
    `aversion` what the dismissed ones take from its score. Without a `reason` the profile says
    nothing for it; a `repelling` one is only like what was dismissed.
    """

    place: int
    mention: Mention
    likeness: Sequence[float] = ()
    aversion: float = 0
    reason: str | None = None
    repelling: bool = False


def profile(signals: Iterable[Signal], now: datetime, weights: Weights) -> Profile:
    """Return the profile of a reader with these signals.

    Of several signals of a paper the strongest counts: a dismissal more than opening it, and less
    than saving it or voting for it. `weights` are those of the store (`store.library.related`).
    """
    strongest: dict[int, Signal] = {}
    for signal in sorted(signals, key=_strength):
        strongest.setdefault(signal.mention.paper_id, signal)
    weighed = ((_weight(signal, now), signal) for signal in strongest.values())
    heaviest = sorted(weighed, key=lambda pair: (-abs(pair[0]), _strength(pair[1])))
    tastes = [
        Taste(signal, weight, weights.vector(_description(signal.mention)))
        for weight, signal in heaviest[:_MOST_SIGNALS]
    ]
    interest: dict[str, float] = defaultdict(float)
    for taste in tastes:
        for feature, value in taste.vector.items():
            interest[feature] += taste.weight * value
    liked = tuple(taste for taste in tastes if taste.weight > 0)
    dismissed = tuple(taste for taste in tastes if taste.weight < 0)[:_MOST_DISMISSED]
    return Profile(liked, dismissed, interest, _own_topics(liked), weights)


def pick(profile: Profile, candidates: Iterable[Mention], size: int) -> tuple[Pick, ...]:
    """Return so many papers at most, the best for the reader first, each with its reason.

    `candidates` are in the plain order of editions, the best first; so are the picks that the
    profile says nothing for. Each fifth is from outside the profile, and of three or four the last.
    A paper is there once, and none that the reader liked or dismissed.
    """
    known = _weighed(profile, candidates)
    if not profile.liked:
        return tuple(Pick(each.mention, _news(each)) for each in _plain(known)[:size])
    slots = outside_slots(min(size, len(known)))
    others = _plain(each for each in known if not each.reason)
    if len(others) < len(slots):  # then those that it says least for are outside
        others += [*_reasoned(profile, known)][::-1]
    outside = sorted(others[: len(slots)], key=_place)
    rest = [each for each in known if each not in outside]
    inside = chain(_reasoned(profile, rest), _plain(each for each in rest if not each.reason))
    found = [Pick(each.mention, each.reason or _news(each)) for each in islice(inside, size)]
    for slot, each in zip(slots, outside, strict=True):
        found.insert(slot, Pick(each.mention, _news(each), outside=True))
    return tuple(found[:size])


def outside_slots(size: int) -> tuple[int, ...]:
    """Return the places, from 0, of the papers from outside in a list of so many."""
    ends = range(1, round(size / _OUTSIDE_EVERY) + 1)
    return tuple(min(_OUTSIDE_EVERY * end, size) - 1 for end in ends)


def _weighed(profile: Profile, candidates: Iterable[Mention]) -> list[_Candidate]:
    """Return each candidate once, with what the profile says of it, in the order given."""
    tastes = (*profile.liked, *profile.dismissed)
    papers = {taste.signal.mention.paper_id for taste in tastes}
    known: list[tuple[Mention, Vector]] = []
    for each in candidates:
        if each.paper_id not in papers:
            papers.add(each.paper_id)
            known.append((each, profile.weights.vector(_description(each))))
    scores = [cosine(profile.interest, vector) for _, vector in known]
    best = nlargest(_COMPARED, range(len(known)), key=scores.__getitem__)
    compared = {place for place in best if scores[place] > 0}
    like, unlike = _by_feature(profile.liked), _by_feature(profile.dismissed)
    found = []
    for place, (mention, vector) in enumerate(known):
        likeness = _cosines(like, len(profile.liked), vector) if place in compared else ()
        aversion = _cosines(unlike, len(profile.dismissed), vector)
        reason = _reason(profile, mention, likeness)
        pull = sum(map(mul, (taste.weight for taste in profile.dismissed), aversion))
        repelling = reason is None and max(aversion, default=0) >= _LEAST
        found.append(_Candidate(place, mention, likeness, pull, reason, repelling))
    return found


def _reasoned(profile: Profile, candidates: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """Yield the candidates that the profile has a reason for, the best first.

    Each interest gets its share: what a paper is like counts less for the next ones, as in
    proportional approval voting. By the sum alone, readers who have a quarter of their saves on a
    second topic got no paper on it in 28 of 100 lists of the archive, so in 7.
    """
    left = [each for each in candidates if each.reason]
    weights = [taste.weight for taste in profile.liked]
    got = [0.0] * len(weights)
    while left:
        due = [weight / (1 + had) for weight, had in zip(weights, got, strict=True)]
        gains = [sum(map(mul, due, each.likeness)) + each.aversion for each in left]
        best = left.pop(gains.index(max(gains)))
        yield best
        nearest = max(best.likeness)
        got = [had + alike / nearest for had, alike in zip(got, best.likeness, strict=True)]


def _plain(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """Return candidates in the plain order, those like what was dismissed last."""
    return sorted(candidates, key=lambda each: (each.repelling, each.place))


def _place(candidate: _Candidate) -> int:
    return candidate.place


def _reason(profile: Profile, mention: Mention, likeness: Sequence[float]) -> str | None:
    """Name the paper that speaks most for another, or a topic of the reader's that both have."""
    near = [
        (taste.weight * alike, -place)
        for place, (taste, alike) in enumerate(zip(profile.liked, likeness, strict=False))
        if alike >= _LEAST
    ]
    if near:
        signal = profile.liked[-max(near)[1]].signal
        return f"because you {_DONE[signal.kind]} {paper_name(shown_title(signal.mention.entry))}"
    # Of a paper that was not compared there is more to say against it than for it.
    topics = mention.entry.topics if likeness else ()
    return next((why for topic, why in profile.topics.items() if topic in topics), None)


def _own_topics(liked: Sequence[Taste]) -> dict[str, str]:
    """Return the topics of the papers that a reader likes, the most weighty first, in words."""
    weights: dict[str, float] = defaultdict(float)
    kinds: dict[str, list[SignalKind]] = defaultdict(list)
    for taste in liked:
        for topic in taste.signal.mention.entry.topics:
            weights[topic] += taste.weight
            kinds[topic].append(taste.signal.kind)
    least = _LEAST_OF_TOPIC * sum(taste.weight for taste in liked)
    titles = {topic.slug: topic.title for topic in all_topics()}
    return {
        topic: f"because you {_done(kinds[topic])} {len(kinds[topic])} papers on "
        f"{titles.get(topic, topic)}"
        for topic in sorted(weights, key=lambda each: (-weights[each], each))
        if weights[topic] >= least and len(kinds[topic]) >= _FEWEST_OF_TOPIC
    }


def _done(kinds: Iterable[SignalKind]) -> str:
    """Say what the reader did with papers: `saved`, `saved, voted for or opened`."""
    found = set(kinds)
    *others, last = (done for kind, done in _DONE.items() if kind in found)
    return f"{', '.join(others)} or {last}" if others else last


def _news(candidate: _Candidate) -> str:
    return f"new in {candidate.mention.edition.source}"


def _weight(signal: Signal, now: datetime) -> float:
    """Return what a signal weighs now; one from the future weighs as one of now."""
    age = max(now - signal.at, timedelta())
    return float(_WEIGHTS[signal.kind] * 0.5 ** (age / _HALF_LIFE))


def _strength(signal: Signal) -> tuple[float, float, int]:
    """Return a sort key of signals: the strongest kind first, of one kind the newest."""
    return -abs(_WEIGHTS[signal.kind]), -signal.at.timestamp(), signal.mention.paper_id


def _description(mention: Mention) -> Description:
    entry = mention.entry
    return Description(entry.title, entry.summary, entry.highlights, entry.heading, entry.topics)


_Index = Mapping[str, list[tuple[int, float]]]


def _by_feature(tastes: Iterable[Taste]) -> _Index:
    """Return the tastes, by number, that have each feature, with its value."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, taste in enumerate(tastes):
        for feature, value in taste.vector.items():
            found[feature].append((number, value))
    return dict(found)


def _cosines(index: _Index, number: int, vector: Vector) -> list[float]:
    """Return the cosine of a vector with each of so many tastes."""
    found = [0.0] * number
    for feature, value in vector.items():
        for taste, other in index.get(feature, ()):
            found[taste] += value * other
    return found


def personal_picks(
    session: Session,
    subscription: Subscription,
    now: datetime,
    *,
    delivery: int | None = None,
    planned: Collection[str] = (),
) -> tuple[Pick, ...]:
    """Return what the digest of a personal subscription shows now.

    Args:
        session: a session.
        subscription: a personal subscription; its filters and size hold.
        now: the time, by the clock of editions.
        delivery: the delivery that it is for; what others of the subscription may have shown is
            left out.
        planned: the refs that the delivery was planned with before, if it was: then only these.
    """
    owner = Person(subscription.channel.workspace, subscription.owner)
    sources = None if EVERY_SOURCE in subscription.sources else subscription.sources
    perhaps_shown = personal_deliveries.refs_perhaps_shown(session, subscription.id, delivery)
    candidates = [
        mention
        for mention in unseen(session, owner, sources, now.date())
        if _is_wanted(mention.entry, subscription)
        and mention.entry.ref not in perhaps_shown
        and (not planned or mention.entry.ref in planned)
    ]
    taste = profile(history(session, owner), now, related.weights(session))
    return pick(taste, candidates, subscription.size)


def _is_wanted(entry: Entry, subscription: Subscription) -> bool:
    topics = set(entry.topics)
    if topics & set(subscription.not_topics):
        return False
    return not subscription.topics or bool(topics & set(subscription.topics))
