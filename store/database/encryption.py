"""Encryption of secrets at rest, and signed texts: made with the first key, opened by any."""

import base64
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from store.errors import SecretUnreadable

# https://github.com/fernet/spec/blob/master/Spec.md: 32 octets, base64 for URLs
_FERNET_KEY = re.compile(r"[A-Za-z0-9_-]{43}=")

# The same text makes the same key on every machine. A known salt does no harm where the text is
# long and random; the work of scrypt (RFC 7914) is for texts that are not.
_SALT = b"broadsheet secret key"
_COST = {"n": 2**14, "r": 8, "p": 1}


class SecretBox:
    """Encrypts and opens short texts.

    The newest of the keys comes first; each is a Fernet key, or any text, of which one is derived.
    """

    def __init__(self, keys: Sequence[str]) -> None:
        fernets = [Fernet(_fernet_key(key)) for key in keys]
        self._newest, self._all = fernets[0], MultiFernet(fernets)

    def encrypt(self, secret: str) -> str:
        """Encrypt a secret with the newest key."""
        return self._newest.encrypt(secret.encode()).decode()

    def decrypt(self, token: str, owner: str) -> str:
        """Return the secret of a token; `owner` is for the error.

        Raises:
            SecretUnreadable: where none of the keys opens it.
        """
        try:
            return self._all.decrypt(token.encode()).decode()
        except InvalidToken:
            raise SecretUnreadable(owner) from None

    def opens(self, token: str) -> bool:
        """Tell whether one of the keys opens an encrypted secret."""
        return self.verify(token) is not None

    def sign(self, text: str, now: datetime) -> str:
        """Return a token of a text and an instant (aware), made with the newest key."""
        return self._newest.encrypt_at_time(text.encode(), int(now.timestamp())).decode()

    def verify(self, token: str) -> tuple[str, datetime] | None:
        """Return the text and the instant of a token of `sign`, `None` where no key made it."""
        try:
            text = self._all.decrypt(token.encode()).decode()
            return text, datetime.fromtimestamp(self._all.extract_timestamp(token), UTC)
        except InvalidToken:
            return None

    def renewed(self, token: str, owner: str) -> str | None:
        """Return the token encrypted with the newest key, `None` where it is already.

        Raises:
            SecretUnreadable: where none of the keys opens it.
        """
        try:
            self._newest.decrypt(token.encode())
        except InvalidToken:
            return self.encrypt(self.decrypt(token, owner))
        return None


def _fernet_key(text: str) -> bytes:
    if _FERNET_KEY.fullmatch(text):
        return text.encode()
    derived = Scrypt(salt=_SALT, length=32, **_COST).derive(text.encode())
    return base64.urlsafe_b64encode(derived)
