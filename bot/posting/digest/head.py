"""What stands over a post, and the way to what it leaves out. Pure."""

from bot.posting.digest.filters import Reason, Verdict
from bot.replies.blocks import Button, Text, Title
from bot.replies.papers import edition_title
from bot.replies.wording import count
from store.library.editions import iso_week
from store.records import Edition, Subscription

_LONGEST_TITLE = 115  # with the days after it still a header on every platform


def head(
    edition: Edition, order: Subscription, verdicts: tuple[Verdict, ...]
) -> tuple[Title, Text]:
    """Return the title of a post, and a line on what of which edition it holds."""
    facts = [f"from {edition.source}", selection(order, verdicts)]
    if edition.minutes and all(verdict.reason is None for verdict in verdicts):
        facts.append(f"{edition.minutes} minutes")
    return Title(edition_title(edition, _LONGEST_TITLE)), Text(" · ".join(facts))


def selection(order: Subscription, verdicts: tuple[Verdict, ...]) -> str:
    """Say how many papers are posted, and where not all of them are, what chose them."""
    dropped = {verdict.reason for verdict in verdicts} - {None}
    papers = count(len(verdicts), "paper")
    if not dropped:
        return papers
    posted = sum(verdict.reason is None for verdict in verdicts)
    return f"{posted} of {papers}: {'; '.join(_choices(order, beyond=Reason.BEYOND in dropped))}"


def filters(order: Subscription) -> list[str]:
    """Word the topics that an order wants, and those that it does not."""
    wanted = f"topics {', '.join(order.topics)}" if order.topics else ""
    unwanted = f"without {', '.join(order.not_topics)}" if order.not_topics else ""
    return [words for words in (wanted, unwanted) if words]


def whole_edition(edition: Edition) -> Button:
    """Return the button to all of an edition."""
    week = iso_week(edition.first_day, edition.last_day)
    return Button("Whole edition", f"week {week} from:{edition.source}")


def _choices(order: Subscription, *, beyond: bool) -> list[str]:
    return [*filters(order), *([f"the first {order.size}"] if beyond else [])]
