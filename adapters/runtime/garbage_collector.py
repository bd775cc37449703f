"""Memory: what the collector need not walk over and over."""

import gc


def keep() -> None:
    """Keep all that there is for good, so that the collector never looks at it again.

    What a bot holds once it serves, such as the servers that it is in, stays. To walk that took
    30 ms of the event loop every few seconds while thousands of posts went out.
    https://docs.python.org/3/library/gc.html#gc.freeze
    """
    gc.collect()
    gc.freeze()
