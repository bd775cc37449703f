"""Whether the bot can post to the channels that get posts: a part of `broadsheet doctor`.

It asks Slack about each and changes nothing there.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from bot.errors import Gone, NotAllowed, SendError, TokenRevoked
from bot.operations.health import Finding, Verdict
from store.records import Channel

Look = Callable[[str], Awaitable[Mapping[str, Any]]]

# Slack may be asked about some 50 a minute: https://docs.slack.dev/apis/web-api/rate-limits
MOST_EXAMINED = 50
_AT_ONCE = 5
_INVITE = "Type there: /invite @Broadsheet."
_ADMIN = "An admin of the workspace may let Broadsheet post there."
# https://docs.slack.dev/reference/objects/conversation-object
_CLOSED = {
    "is_frozen": "is frozen",
    "is_read_only": "is read-only",
    "is_thread_only": "takes nothing but replies in threads",
}


async def examine_channels(channels: Sequence[Channel], look: Look) -> list[Finding]:
    """Say which channels can't be posted to, and how many can.

    Direct messages are left out: Slack tells an app nothing of who closed one.

    Args:
        channels: those that get posts.
        look: returns what Slack tells of a channel, and raises `SendError` where it doesn't.
    """
    ids = [each.external_id for each in channels if not each.external_id.startswith("D")]
    turn = asyncio.Semaphore(_AT_ONCE)

    async def told(channel: str) -> Mapping[str, Any] | SendError:
        async with turn:
            try:
                return await look(channel)
            except SendError as error:
                return error

    examined = ids[:MOST_EXAMINED]
    answers = await asyncio.gather(*(told(channel) for channel in examined))
    findings = list(_findings(zip(examined, answers, strict=True)))
    if len(ids) > len(examined):
        sentence = f"Of {_count(len(ids))} no more than {MOST_EXAMINED} were examined."
        findings.append(Finding("slack", Verdict.NOTE, sentence))
    return findings


def _findings(told: Iterable[tuple[str, Mapping[str, Any] | SendError]]) -> Iterator[Finding]:
    well, unexamined = 0, Counter[str]()
    for channel, answer in told:
        if isinstance(answer, SendError) and not _is_closed(answer):
            unexamined[answer.sentence] += 1
        elif problem := _problem(channel, answer):
            yield Finding("slack", Verdict.PROBLEM, *problem)
        elif doubt := _doubt(channel, answer):
            yield Finding("slack", Verdict.NOTE, doubt, _ADMIN)
        else:
            well += 1
    if well:
        yield Finding("slack", Verdict.WELL, f"{_count(well)} can be posted to.")
    for why, number in unexamined.items():
        yield Finding("slack", Verdict.NOTE, f"{_count(number)} could not be examined: {why}")


def _is_closed(error: SendError) -> bool:
    """Tell whether an error says something of the channel, and not of who asks."""
    about_asker = isinstance(error, TokenRevoked) or error.code == "missing_scope"
    return isinstance(error, NotAllowed | Gone) and not about_asker


def _problem(channel: str, answer: Mapping[str, Any] | SendError) -> tuple[str, str] | None:
    """Return what keeps the bot from posting to a channel, and what helps."""
    if isinstance(answer, SendError):
        return f"{channel} can't be posted to: {answer.sentence}", answer.remedy or _INVITE
    name = f"#{answer.get('name') or channel}"
    if answer.get("is_archived"):
        return f"{name} is archived.", "Take it out of the archive, or unsubscribe it."
    if not answer.get("is_member"):
        return f"Broadsheet is not in {name}.", _INVITE
    return None


def _doubt(channel: str, answer: Mapping[str, Any] | SendError) -> str | None:
    """Return what may keep the bot from posting; Slack does not tell whom it lets all the same."""
    facts = {} if isinstance(answer, SendError) else answer
    closed = (words for fact, words in _CLOSED.items() if facts.get(fact))
    name = f"#{facts.get('name') or channel}"
    return next((f"{name} {words}: a post may be refused." for words in closed), None)


def _count(channels: int) -> str:
    return "1 channel" if channels == 1 else f"{channels} channels"
