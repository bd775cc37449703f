"""The process that draws, begun by `Plotter`: a pickled plot on its input, a PNG on its output."""

import pickle
import sys

from bot.plots.drawing import png


def main() -> None:
    """Draw what is ordered."""
    # Both ends are this very program, and the pipes are nobody else's.
    plot = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by this program
    sys.stdout.buffer.write(png(plot))
