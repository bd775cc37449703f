"""What `make` installs, and when: running needs a part of it, tests and tools the rest.

Python and pip are stood in for by scripts that note what they are asked for.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_PIP_LOCK = "requirements-pip.lock"
_LOCKS = (_PIP_LOCK, "requirements.lock", "requirements-plots.lock", "requirements-dev.lock")
_PYTHON = f"""#!/bin/sh
case "$1" in
  -c)
    older="import sys; sys.version_info = ${{VERSION:-sys.version_info}}"
    exec {sys.executable} -c "$older; $2" ;;
esac
echo venv >>calls
rm -rf .venv
mkdir -p .venv/bin .venv/lib/python3/site-packages
for each in ./tools/*; do cp "$each" .venv/bin/; done
"""
_PIP = """#!/bin/sh
for last in "$@"; do :; done
echo "$last" >>calls
[ "$last" != . ] || exit 0
sleep 0.05
[ "$BREAKS" != before ] || exit 1
touch ".venv/lib/python3/site-packages/of-$last"
[ "$BREAKS" != midway ] || exit 1
"""
_TOOL = "#!/bin/sh\ntrue\n"
_RUNNING, _REST = ["venv", _PIP_LOCK, "requirements.lock", "."], ["requirements-dev.lock"]


class _Checkout:
    """A checkout in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("Makefile", "pyproject.toml", *_LOCKS):
            shutil.copy(ROOT / name, folder)
        tools = ("broadsheet", "pytest", "ruff", "mypy", "lint-imports", "zizmor", "python")
        (folder / "tools").mkdir()
        for name, script in {**dict.fromkeys(tools, _TOOL), "pip": _PIP}.items():
            self._script(f"tools/{name}", script)
        self._script("python", _PYTHON)
        for path in folder.iterdir():
            os.utime(path, (0, 0))

    def make(self, *arguments: str, fails: bool = False, **variables: str) -> list[str]:
        """Make targets; return what was asked of Python and pip, in order."""
        calls = self.folder / "calls"
        calls.write_text("")
        ran = self._run(*arguments, **variables)
        assert (ran.returncode != 0) is fails, ran.stderr
        return calls.read_text().split()

    def sentence(self, *arguments: str, **variables: str) -> str:
        """Make targets in vain; return what is said of it, without what make itself says."""
        ran = self._run(*arguments, **variables)
        lines = ran.stderr.splitlines()
        return "\n".join(line for line in lines if not line.startswith("make"))

    def change(self, name: str) -> None:
        """Change a file, so that it is newer than all that was made."""
        made = max(each.stat().st_mtime_ns for each in (self.folder / ".venv").glob(".setup*"))
        while (self.folder / name).stat().st_mtime_ns <= made:
            (self.folder / name).touch()

    def _run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], **variables}
        return subprocess.run(
            ["make", "PYTHON=./python", *arguments],  # noqa: S607 - whichever make there is
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def _script(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path: Path) -> _Checkout:
    """Return a fresh checkout."""
    return _Checkout(tmp_path)


def test_running_installs_what_it_needs_alone(checkout: _Checkout) -> None:
    """`make run` installs a quick pip, the smallest lock and the program, once."""
    assert checkout.make("run") == _RUNNING
    assert checkout.make("run") == []
    assert checkout.make("setup") == []


def test_tests_add_the_rest_to_the_same_folder(checkout: _Checkout) -> None:
    """After `make run` they add what is missing, and running afterwards installs nothing."""
    checkout.make("run")
    assert checkout.make("test") == _REST
    assert checkout.make("run", "lint", "test", "setup-dev") == []


def test_tests_alone_install_both(checkout: _Checkout) -> None:
    """They need no `make run` before, and two targets side by side set up once."""
    assert checkout.make("--jobs", "2", "lint", "test") == [*_RUNNING, *_REST]


@pytest.mark.parametrize("lock", ["requirements.lock", _PIP_LOCK, "pyproject.toml"])
def test_what_running_needs_has_changed(checkout: _Checkout, lock: str) -> None:
    """The folder is made afresh, and tests add their part again."""
    checkout.make("test")
    checkout.change(lock)
    assert checkout.make("run") == _RUNNING
    assert checkout.make("test") == _REST


def test_what_tests_need_has_changed(checkout: _Checkout) -> None:
    """Running goes on as it was; tests start afresh, so that nothing is left of what is gone."""
    checkout.make("test")
    checkout.change("requirements-dev.lock")
    assert checkout.make("run") == []
    assert checkout.make("test") == [*_RUNNING, *_REST]
    assert checkout.make("run", "test") == []


@pytest.mark.parametrize("breaks", ["before", "midway"])
def test_a_set_up_that_broke_off_starts_afresh(checkout: _Checkout, breaks: str) -> None:
    """Nothing is left of the first try."""
    assert checkout.make("run", fails=True, BREAKS=breaks) == _RUNNING[:2]
    assert checkout.make("run") == _RUNNING


def test_tests_whose_set_up_broke_off_start_afresh(checkout: _Checkout) -> None:
    """A package may be there by half; running needs none of them and goes on."""
    checkout.make("run")
    assert checkout.make("test", fails=True, BREAKS="midway") == _REST
    assert checkout.make("run") == []
    assert checkout.make("test") == [*_RUNNING, *_REST]


def test_tests_whose_set_up_could_not_begin_try_again(checkout: _Checkout) -> None:
    """Without a network nothing is lost, however often it is tried."""
    checkout.make("run")
    for _ in range(2):
        assert checkout.make("test", fails=True, BREAKS="before") == _REST
    assert checkout.make("run") == []
    assert checkout.make("test") == _REST


def test_an_older_python_is_refused_in_one_sentence(checkout: _Checkout) -> None:
    """What an earlier set-up with a newer Python made stays."""
    checkout.make("test")
    for name in _LOCKS:
        checkout.change(name)
    said = "Python 3.11 or later is needed: make setup PYTHON=python3.11"
    assert checkout.sentence("run", VERSION="(3, 10, 14)") == said
    assert checkout.sentence("test", VERSION="(3, 10, 14)") == said
    assert (checkout.folder / ".venv" / ".setup").exists()


def test_pictures_are_an_addition(checkout: _Checkout) -> None:
    """`make plots` adds what draws, and leaves the rest alone."""
    assert checkout.make("plots") == [*_RUNNING, "requirements-plots.lock"]
    assert checkout.make("run") == []


def test_each_target_has_the_tools_that_it_calls() -> None:
    """Whatever calls more than the program itself is set up for development."""
    rules = re.findall(r"(?m)^([\w-]+): (setup\S*)\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text())
    assert len(rules) >= 10
    for target, needs, recipe in rules:
        called = {*re.findall(r"\$\(BIN\)/([\w-]+)", recipe)}
        assert needs == ("setup" if called <= {"broadsheet", "pip"} else "setup-dev"), target
