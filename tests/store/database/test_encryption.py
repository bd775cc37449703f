"""Secrets at rest: keys of any form, their rotation, and a key that is missing."""

from datetime import UTC, datetime

import pytest
from cryptography.fernet import Fernet

from store.database.encryption import SecretBox
from store.errors import SecretUnreadable

NOW = datetime(2026, 1, 12, 8, tzinfo=UTC)
TOKEN = "xoxb-1-of-a-test"  # noqa: S105 - opens nothing


@pytest.mark.parametrize(
    "key",
    [
        Fernet.generate_key().decode(),
        "V2l0aCtzaWducy9mb3JvcGVuc3NsbGlrZWJhc2U2NA==",
        "é",
        "x" * 999,
    ],
    ids=["fernet", "base64", "short", "long"],
)
def test_a_key_of_any_form_opens_what_it_encrypted(key: str) -> None:
    """Whatever text the key is, another process with the same key reads the secret."""
    encrypted = SecretBox([key]).encrypt(TOKEN)
    assert TOKEN not in encrypted
    assert SecretBox([key]).decrypt(encrypted, "Acme") == TOKEN


def test_a_fernet_key_is_taken_as_it_is() -> None:
    """A key made for Fernet needs no derivation, so its other users can read what it wrote."""
    key = Fernet.generate_key()
    encrypted = SecretBox([key.decode()]).encrypt(TOKEN)
    assert Fernet(key).decrypt(encrypted).decode() == TOKEN


def test_a_secret_is_encrypted_by_the_first_key_and_opened_by_any() -> None:
    """While two keys are given the old one still reads and only the new one writes."""
    old, both, new = SecretBox(["old"]), SecretBox(["new", "old"]), SecretBox(["new"])
    assert both.decrypt(old.encrypt(TOKEN), "Acme") == TOKEN
    assert new.decrypt(both.encrypt(TOKEN), "Acme") == TOKEN


def test_only_what_an_older_key_made_is_renewed() -> None:
    """What the first key made stays; what another made is encrypted by the first."""
    old, both, new = SecretBox(["old"]), SecretBox(["new", "old"]), SecretBox(["new"])
    renewed = both.renewed(old.encrypt(TOKEN), "Acme")
    assert renewed is not None
    assert new.decrypt(renewed, "Acme") == TOKEN
    assert both.renewed(renewed, "Acme") is None


@pytest.mark.parametrize("damaged", ["", "no token", "gAAAAA==", "é"])
def test_what_no_key_opens_is_refused_in_words(damaged: str) -> None:
    """A lost key or a damaged token ends in whose it is and what to do, and shows no secret."""
    for token in (SecretBox(["lost"]).encrypt(TOKEN), damaged):
        with pytest.raises(SecretUnreadable) as refused:
            SecretBox(["new"]).decrypt(token, "Acme (T1)")
        assert str(refused.value) == (
            "No key in BROADSHEET_SECRET_KEY opens the token of Acme (T1). "
            "Put the old key behind the new one and a comma, or install there again."
        )


def test_a_stamp_is_known_by_the_keys_that_made_it() -> None:
    """What comes back unchanged tells its text and second, also while its key is the older one."""
    stamped = SecretBox(["old"]).sign("install", NOW)
    assert SecretBox(["new", "old"]).verify(stamped) == ("install", NOW)
    for keys, token in (["new"], stamped), (["old"], stamped[:-8] + "AAAAAAA="), (["old"], "é"):
        assert SecretBox(keys).verify(token) is None
