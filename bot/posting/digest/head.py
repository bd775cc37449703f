"""The head of a post, and the button to what the post leaves out. Pure."""

from bot.posting.digest.filters import Reason, Verdict
from bot.replies.blocks import Button, Text, Title
from bot.replies.papers import edition_title
from bot.replies.wording import count
from store.library.editions import iso_week
from store.records import Edition, Subscription

_LONGEST_TITLE = 115  # with the days after it still a header on every platform


def head(
    edition: Edition, subscription: Subscription, verdicts: tuple[Verdict, ...]
) -> tuple[Title, Text]:
    """Return the title of a post, and a line on the edition and the selection."""
    facts = [f"from {edition.source}", selection(subscription, verdicts)]
    if edition.minutes and all(verdict.reason is None for verdict in verdicts):
        facts.append(f"{edition.minutes} minutes")
    return Title(edition_title(edition, _LONGEST_TITLE)), Text(" · ".join(facts))


def selection(subscription: Subscription, verdicts: tuple[Verdict, ...]) -> str:
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
