"""Real documents that lie beside the checkout: third-party text, read and never copied."""

import os
from pathlib import Path

import pytest

_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def shared_file(name: str) -> Path:
    """Return the path of a real document, or skip with the reason where it is absent.

    Under `CI=true` an absent document is a failure: nothing may go untested unnoticed.
    """
    path = _FOLDER / name
    if not path.exists():
        reason = f"the real document {name} lies beside the checkout only where it was handed out"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
