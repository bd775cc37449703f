"""A Slack to test against: its servers and its users, as strict as its documentation."""

from tests.fakes.slack.delivering import Ack
from tests.fakes.slack.faults import Drop, RateLimited, Refuse, ServerError, Slow
from tests.fakes.slack.installing import Page
from tests.fakes.slack.limits import Limits
from tests.fakes.slack.records import Message, Team, View
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.world import DEFAULT_SCOPES

__all__ = [
    "DEFAULT_SCOPES",
    "Ack",
    "Drop",
    "FakeSlack",
    "Limits",
    "Message",
    "Page",
    "RateLimited",
    "Refuse",
    "ServerError",
    "Slow",
    "Team",
    "View",
]
