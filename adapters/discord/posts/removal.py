"""The refusal of posts to servers that the bot was removed from."""

from datetime import timedelta

from store.posting import change_subscription
from store.records import Refusal

# How long the data of a server is kept after the bot left it.
KEPT = timedelta(days=30)
REMOVED = Refusal(
    "Broadsheet was removed from the server.",
    f"Once somebody adds it again, within {KEPT.days} days, its posts go on by themselves.",
    change_subscription.REMOVED,
)
