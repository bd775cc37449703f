"""The program, which logs at a signal as its jobs do, from a thread, and prints an error line."""

import logging
import signal
import sys
import threading
from types import FrameType

from adapters.main import main

LINES = 3


def _log() -> None:
    for number in range(1, LINES + 1):
        logging.getLogger("noise").warning("job_failed", extra={"number": number})
    print("and a loose", "line", file=sys.stderr)  # noqa: T201 - as libraries print


def _start(_number: int, _frame: FrameType | None) -> None:
    threading.Thread(target=_log).start()


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, _start)
    main()
