"""Keys, by which a message is told from all others."""

import random
import secrets
from base64 import urlsafe_b64encode

_BYTES = 12


class Keys:
    """Makes keys: 16 letters, digits, hyphens and underscores each, which guard nothing.

    They come from a generator that the machine seeds. To ask the machine for each lets other
    threads in, and the event loop, which plans many deliveries at once, would wait for them.
    """

    def __init__(self) -> None:
        self._random = random.Random(secrets.token_bytes(32))  # noqa: S311 - a key is no secret

    def new(self) -> str:
        """Return another key."""
        return urlsafe_b64encode(self._random.randbytes(_BYTES)).decode()
