"""What goes wrong between the bot and the platforms, decided call by call, by chance."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from random import Random

from tests.chaos.workers.event_log import Journal
from tests.chaos.workers.worker import PACE
from tests.fakes.faults import Drop, Fault, Faults, Late, RateLimited, ServerError, Slow

# Longer than the bot waits for an answer, and shorter than it waits before it looks.
_SLOW = (PACE.send + PACE.lease) / 2
_HELD = PACE.send + 1

_SENDING = {
    "dropped before": 0.04,
    "dropped after": 0.05,
    "500 before": 0.03,
    "500 after": 0.03,
    "429": 0.05,
    "too slow": 0.02,
    "answer held": 0.03,
}
_LOOKING = {"dropped before": 0.05, "500 before": 0.05, "429": 0.08}
_EDITING = {**_LOOKING, "dropped after": 0.05, "500 after": 0.05, "answer held": 0.03}

_SLACK = {
    "chat.postMessage": _SENDING,
    "chat.update": _EDITING,
    "conversations.history": _LOOKING,
    "conversations.replies": _LOOKING,
}
_DISCORD = {
    "POST /channels/{channel_id}/messages": _SENDING,
    "POST /channels/{channel_id}/threads": _SENDING,
    "POST /channels/{channel_id}/messages/{message_id}/threads": _SENDING,
    "POST /channels/{channel_id}/messages/{message_id}/crosspost": _LOOKING,
    "PATCH /channels/{channel_id}/messages/{message_id}": _EDITING,
    "GET /channels/{channel_id}/messages": _LOOKING,
    "GET /channels/{channel_id}/messages/{message_id}": _LOOKING,
    "GET /channels/{channel_id}/threads/archived/public": _LOOKING,
    "GET /guilds/{guild_id}/threads/active": _LOOKING,
}


class Trouble:
    """Decides what goes wrong, and counts it.

    `held` is set, by the host that a caller used, while an answer to it is held back.

    Args:
        chance: what decides.
        journal: where it is written down.
    """

    def __init__(self, chance: Random, journal: Journal) -> None:
        self.counted: Counter[str] = Counter()
        self.ended = False
        self.held: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)
        self._chance = chance
        self._journal = journal

    def pick(self, name: str, host: str, kinds: Mapping[str, float]) -> str | None:
        """Return what goes wrong with a call of a name, which is mostly nothing."""
        drawn = self._chance.random()
        if self.ended:
            return None
        for kind, share in kinds.items():
            drawn -= share
            if drawn < 0:
                self._picked(name, host, kind)
                return kind
        return None

    def _picked(self, name: str, host: str, kind: str) -> None:
        self.counted[kind] += 1
        self._journal.note(f"{name} by {host}: {kind}")
        if kind == "answer held":
            self.held[host].set()


class SlackTrouble(Faults):
    """What goes wrong in Slack."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__()
        self._trouble = trouble

    def take(self, name: str, host: str = "") -> Fault | None:
        """Return what happens to this call."""
        kind = self._trouble.pick(name, host, _SLACK.get(name, {}))
        return _IN_SLACK[kind] if kind else super().take(name, host)


class DiscordTrouble(Faults):
    """What goes wrong in Discord."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__()
        self._trouble = trouble

    def take(self, name: str, host: str = "") -> Fault | None:
        """Return what happens to this request."""
        kind = self._trouble.pick(name, host, _DISCORD.get(name, {}))
        return _IN_DISCORD[kind] if kind else super().take(name, host)


_IN_SLACK: dict[str, Fault] = {
    "dropped before": Drop(stored=False),
    "dropped after": Drop(),
    "500 before": ServerError(),
    "500 after": ServerError(stored=True),
    "429": RateLimited(1),
    "too slow": Slow(_SLOW),
    "answer held": Late(_HELD),
}
_IN_DISCORD: dict[str, Fault] = {
    "dropped before": Drop(stored=False),
    "dropped after": Drop(),
    "500 before": ServerError(),
    "500 after": ServerError(stored=True),
    "429": RateLimited(0.3),
    "too slow": Slow(_SLOW),
    "answer held": Late(_HELD),
}
