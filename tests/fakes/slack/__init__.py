"""A fake of Slack's servers and users, as strict as Slack's documentation."""

from tests.fakes.faults import Drop, RateLimited, ServerError, Slow
from tests.fakes.slack.records import Message, Team, View
from tests.fakes.slack.server import FakeSlack
from tests.fakes.slack.state import DEFAULT_SCOPES
from tests.fakes.slack.transport.deliveries import Ack
from tests.fakes.slack.transport.oauth import Page
from tests.fakes.slack.web_api.calls import Refuse
from tests.fakes.slack.web_api.limits import Limits

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
