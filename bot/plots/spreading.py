"""Labels beside each other's wanted places, apart from one another. Pure."""

from collections.abc import Sequence


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places between two bounds, at least `gap` apart and as near as can be to the wanted.

    They keep the order of the wanted ones, equals that in which they are given. How near they are
    is the sum of squares. Where there is too little room they stand as far apart as that allows.
    """
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    room = high - gap * (len(wanted) - 1)
    rising = _rising([wanted[index] - gap * place for place, index in enumerate(order)])
    places = [0.0] * len(wanted)
    for place, (index, value) in enumerate(zip(order, rising, strict=True)):
        places[index] = min(max(value, low), room) + gap * place
    return places


def _rising(values: Sequence[float]) -> list[float]:
    """Return the never falling values that are nearest to some: pool adjacent violators.

    https://en.wikipedia.org/wiki/Isotonic_regression
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        total, size = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / size:
            before, more = pools.pop()
            total, size = total + before, size + more
        pools.append((total, size))
    return [total / size for total, size in pools for _ in range(size)]
