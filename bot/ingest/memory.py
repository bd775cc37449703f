"""The memory that reading a document may take, by a limit of the operating system.

What is counted is address space (RLIMIT_AS, https://man7.org/linux/man-pages/man2/getrlimit.2.html),
of which an importing process has some 320 MiB before it reads: threads, libraries, a database's
client. So the limit is what the process has, and room beside it. macOS does not hold a process to
it: there it is left alone, as where an operator has set a lower one.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.errors import DocumentError

# The worst document of 10 MB that is read at all takes half of it.
MOST_MEMORY = 1024 * 1024 * 1024
_SIZE = Path("/proc/self/statm")


def limit_memory(room: int = MOST_MEMORY) -> None:
    """Let this process take so many bytes more than it has, for as long as it lives."""
    if (size := _address_space()) is None:
        return
    lower, upper = resource.getrlimit(resource.RLIMIT_AS)
    wanted = size + room
    if lower == resource.RLIM_INFINITY or wanted < lower:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (wanted, upper))


@contextmanager
def limited_memory(path: str, room: int = MOST_MEMORY) -> Iterator[None]:
    """Let what is done with a document, at once and in this thread, take so many bytes.

    Raises:
        DocumentError: where it takes more.
    """
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit_memory(room)
    try:
        yield
    except MemoryError:
        pass  # which holds on to what was read
    else:
        return
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    raise too_large(path, room) from None


def too_large(path: str, room: int = MOST_MEMORY) -> DocumentError:
    """Return the refusal of a document that takes more memory than there is for it."""
    most = f"{room // 1024 // 1024:,} MB at most"
    return DocumentError(
        f"{path} takes more memory to be read than there is for a document, {most}.",
        "Split it into several documents.",
    )


def _address_space() -> int | None:
    """Return the address space of this process in bytes, `None` where the system does not tell."""
    try:
        return int(_SIZE.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return None
