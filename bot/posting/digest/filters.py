"""The filters of a subscription, which select papers of an edition, and a post's head. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from bot.domain.page_paths import edition_path
from bot.library.brief import reading_minutes
from bot.replies.blocks import Button, Text, Title, WebPage
from bot.replies.papers import edition_title
from bot.replies.wording import count
from store.library.editions import iso_week
from store.records import Edition, Entry, Subscription

_LONGEST_TITLE = 115  # with the days after it still a header on every platform


class Reason(StrEnum):
    """A reason not to post a paper."""

    UNWANTED = "unwanted"
    NOT_WANTED = "not-wanted"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class EntryVerdict:
    """The filters' verdict on a paper, which is posted unless there is a `reason` against it.

    `topics` are those of the subscription that decided: the unwanted ones that the paper has, or
    the wanted ones, of which it has none.
    """

    entry: Entry
    reason: Reason | None = None
    topics: tuple[str, ...] = ()


def apply_filters(edition: Edition, subscription: Subscription) -> tuple[EntryVerdict, ...]:
    """Return a verdict on each entry, in order; the first that pass fill the post's size."""
    verdicts: list[EntryVerdict] = []
    room = subscription.size
    for entry in edition.entries:
        verdict = _by_topics(entry, subscription)
        if verdict.reason is None and not room:
            verdict = EntryVerdict(entry, Reason.BEYOND)
        room -= verdict.reason is None
        verdicts.append(verdict)
    return tuple(verdicts)


def selected_entries(edition: Edition, subscription: Subscription) -> tuple[Entry, ...]:
    """Return the entries that are posted, in the edition's order."""
    verdicts = apply_filters(edition, subscription)
    return tuple(verdict.entry for verdict in verdicts if verdict.reason is None)


def head(
    edition: Edition, subscription: Subscription, verdicts: tuple[EntryVerdict, ...]
) -> tuple[Title, Text, WebPage]:
    """Return the title of a post, a line on the edition and the selection, and its web page."""
    facts = [f"from {edition.source}", _selection(subscription, verdicts)]
    posted = [verdict.entry for verdict in verdicts if verdict.reason is None]
    own = edition.minutes if len(posted) == len(verdicts) else None
    if minutes := own or reading_minutes(posted):
        facts.append(count(minutes, "minute"))
    title = Title(edition_title(edition, _LONGEST_TITLE))
    return title, Text(" · ".join(facts)), WebPage(edition_path(edition))


def _selection(subscription: Subscription, verdicts: tuple[EntryVerdict, ...]) -> str:
    """Say how many papers are posted, and if not all are, what selected them."""
    reasons = {verdict.reason for verdict in verdicts} - {None}
    papers = count(len(verdicts), "paper")
    if not reasons:
        return papers
    posted = sum(verdict.reason is None for verdict in verdicts)
    choices = describe_filters(subscription)
    if Reason.BEYOND in reasons:
        choices.append(f"the first {subscription.size}")
    return f"{posted} of {papers}: {'; '.join(choices)}"


def describe_filters(subscription: Subscription) -> list[str]:
    """Return the wanted topics of a subscription and the unwanted ones, in words."""
    wanted = f"topics {', '.join(subscription.topics)}" if subscription.topics else ""
    unwanted = f"without {', '.join(subscription.not_topics)}" if subscription.not_topics else ""
    return [words for words in (wanted, unwanted) if words]


def whole_edition_button(edition: Edition) -> Button:
    """Return the button to all of an edition."""
    week = iso_week(edition.first_day, edition.last_day)
    return Button("Whole edition", f"week {week} from:{edition.source}")


def _by_topics(entry: Entry, subscription: Subscription) -> EntryVerdict:
    unwanted = tuple(topic for topic in subscription.not_topics if topic in entry.topics)
    if unwanted:
        return EntryVerdict(entry, Reason.UNWANTED, unwanted)
    if subscription.topics and not set(subscription.topics) & set(entry.topics):
        return EntryVerdict(entry, Reason.NOT_WANTED, subscription.topics)
    return EntryVerdict(entry)
