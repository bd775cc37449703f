"""What a run came to, for whoever reads it."""

from collections import Counter
from collections.abc import Iterator

from store.records import DeliveryState
from tests.chaos.checks.counts import PLATFORMS, counted_up
from tests.chaos.checks.verdict import faults
from tests.chaos.readers.verdict import reader_faults
from tests.chaos.run import Told
from tests.chaos.setup import Plan

_NOT_SENT = (DeliveryState.UNKNOWN, DeliveryState.DEAD, DeliveryState.SKIPPED)


def found_wrong(told: Told) -> list[str]:
    """Return all that is wrong, a sentence each."""
    late = [] if told.in_time else ["the bot did not come to an end"]
    wrong = [*faults(told.record), *reader_faults(told.readers)]
    return [*late, *told.complaints, *wrong, *_untold(told)]


def table(name: str, plan: Plan, told: Told) -> str:
    """Return what happened in a run, a line a figure."""
    rows = [line for platform in PLATFORMS for line in _platform(told, platform)]
    return "\n".join(
        [
            f"{name}, seed {plan.seed}, {told.seconds:.0f} s, {_number(plan.replicas)}",
            *rows,
            *_readers(told),
            f"  done to them: {counted_up(told.process)}",
            *(f"  {what}: {figure}" for what, figure in told.figures.items()),
            f"  owners told: {len(told.notices)}",
        ]
    )


def _number(replicas: int) -> str:
    return f"{replicas} workers" if replicas > 1 else "one worker"


def _platform(told: Told, platform: str) -> Iterator[str]:
    """Give what became of a platform's deliveries, and why some were not sent."""
    platforms = {each.id: each.place.channel.workspace.platform for each in told.record.orders}
    theirs = [d for d in told.record.deliveries if platforms[d.subscription_id or 0] == platform]
    messages = sum(each.platform == platform for each in told.record.stands)
    states = Counter(each.state.value for each in theirs)
    yield f"  {platform}: {len(theirs)} deliveries, {messages} messages; {counted_up(states)}"
    why = Counter(f"{d.state.value}: {d.error}" for d in theirs if d.state in _NOT_SENT)
    yield from (f"    {number} {each}" for each, number in sorted(why.items()))
    yield f"    went wrong: {counted_up(told.faults[platform])}"


def _readers(told: Told) -> Iterator[str]:
    """Give what became of alerts and digests, and why some were not sent."""
    record = told.readers
    kinds = Counter(f"{each.kind} {each.state}" for each in record.deliveries)
    papers = sum(len(each) for each in record.imports)
    yield f"  {len(record.readers)} readers: {counted_up(kinds)}"
    yield f"    {len(record.imports)} imports of {papers} new papers, {len(record.stands)} messages"
    why = Counter(f"{d.kind} {d.error}" for d in record.deliveries if d.state in _NOT_SENT)
    yield from (f"    {number} {each}" for each, number in sorted(why.items()))


def _untold(told: Told) -> Iterator[str]:
    """Give the orders that ended whose owner was never told; twice is better than never."""
    for order in told.ended:
        if not any(f"subscription {order} again" in each for each in told.notices):
            yield f"the owner of order {order} was not told"
