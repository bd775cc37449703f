"""What there is to tell of a run besides its deliveries."""

from collections import Counter
from collections.abc import Iterator

from tests.chaos.checks.commands import Asked
from tests.chaos.checks.gateway_holder import Gateway
from tests.chaos.setup import Stage

PLATFORMS = ("slack", "discord")


def figures(stage: Stage, gateway: Gateway, asked: Asked) -> dict[str, str]:
    """Return figures by what they are of."""
    workers = stage.workers
    taken = sum(worker.events("delivery_taken_over") for worker in workers)
    return {
        "clock changes": counted_up(stage.jumps),
        "takeovers": f"{taken} of a delivery noticed, {gateway.takeovers} of the gateway, which"
        f" nobody had for {gateway.longest:.1f} s at most",
        "refused for coming too often": counted_up(stage.too_often()),
        "asked": "; ".join(_asked(asked)),
        "repeats of a change": str(asked.counted["repeats"]),
    }


def counted_up(counted: Counter[str]) -> str:
    """Return how often there was what."""
    return ", ".join(f"{number} × {name}" for name, number in sorted(counted.items())) or "nothing"


def _asked(asked: Asked) -> Iterator[str]:
    for name in PLATFORMS:
        told = {what: asked.counted[f"{name} {what}"] for what in ("asked", "heard", "due")}
        yield (
            f"{name} {told['asked']}, acknowledged {told['heard']}, by somebody well"
            f" {told['due']}, after {asked.longest.get(name, 0.0):.2f} s at most"
        )
