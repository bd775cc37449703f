"""What the repository promises about itself: versions, pins, and where packages come from."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_PIN = re.compile(r"^[a-z0-9][a-z0-9.-]*==\S+", re.MULTILINE)


def test_container_and_ci_use_the_same_python() -> None:
    """The minor version that CI runs is the container's, no older than the oldest supported."""
    version = (ROOT / ".python-version").read_text().strip()
    assert f"FROM python:{version}-slim" in (ROOT / "Dockerfile").read_text()
    assert ".python-version" in (ROOT / ".ci" / "run").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_dependency_is_pinned_with_hashes_and_no_index(name: str) -> None:
    """Each pin has hashes, the build backend is among them, and no address stands in the file."""
    lock = (ROOT / name).read_text()
    pins = _PIN.findall(lock)
    assert any(pin.startswith("setuptools==") for pin in pins)
    blocks = re.split(_PIN, lock)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in lock
    assert "index" not in lock


def test_both_locks_agree() -> None:
    """What is installed for tests is what is installed for use, and more."""
    use, tests = (
        set(_PIN.findall((ROOT / name).read_text()))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert use <= tests
