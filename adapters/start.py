"""The program's start, before anything else of it is loaded."""

import gc


def main() -> None:
    """Load the program and run its command line.

    What is loaded stays for good: the collector would walk it over and over, which made a
    tenth of a cold start and a fifth of an import. So it looks on neither while it is loaded
    nor afterwards.
    """
    gc.disable()
    from adapters.main import main as run

    gc.freeze()
    gc.enable()
    run()
