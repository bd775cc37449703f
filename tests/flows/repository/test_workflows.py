"""What runs at GitHub: actions by hash, and no token that can write near code of others."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
_FOLDER = ROOT / ".github" / "workflows"
_SITE = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "site.md").read_text(), re.DOTALL)
_TEXTS = {**{path.name: path.read_text() for path in _FOLDER.iterdir()}, "site.md": _SITE[0]}
_LOCKS = sorted(path.name for path in ROOT.glob("requirements*.lock"))
_PINNED = re.compile(r"[\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+(:.*)?")
_HARMLESS = re.compile(r"(?:git|gh|exit|\.ci/take-locks)\b")


@pytest.fixture(params=sorted(_TEXTS))
def name(request: pytest.FixtureRequest) -> str:
    """Return the name of a workflow."""
    return str(request.param)


def _jobs(name: str) -> dict[str, dict[str, Any]]:
    """Return the jobs of a workflow, with the permissions of the whole where they have none."""
    workflow = yaml.safe_load(_TEXTS[name])
    return {
        job: {"permissions": workflow["permissions"], **facts}
        for job, facts in workflow["jobs"].items()
    }


def _lines(job: dict[str, Any]) -> list[str]:
    runs = (step.get("run", "") for step in job["steps"])
    return [part.strip() for run in runs for part in re.split(r"\n|&&|\|\|", run) if part.strip()]


def test_actions_are_named_by_hash(name: str) -> None:
    """Whatever a tag is moved to, what runs is what was looked at; the version stands beside."""
    used = re.findall(r"uses: (.+)", _TEXTS[name])
    assert used
    assert [each for each in used if not _PINNED.fullmatch(each)] == []


def test_one_action_has_one_hash() -> None:
    """No two workflows use different versions of an action."""
    used = re.findall(r"uses: (\S+)@(\w+)", "".join(_TEXTS.values()))
    assert len(dict(used)) == len({*used})


def test_what_may_write_runs_nothing_of_others(name: str) -> None:
    """A job with such a token has git, gh and the check of the locks, and installs nothing."""
    for job, facts in _jobs(name).items():
        if "write" in facts["permissions"].values():
            assert [line for line in _lines(facts) if not _HARMLESS.match(line)] == [], job
            assert "setup-python" not in str(facts), job


def test_no_checkout_leaves_its_token(name: str) -> None:
    """The token of a checkout is in no file that later steps could read."""
    steps = [step for job in _jobs(name).values() for step in job["steps"]]
    checkouts = [step for step in steps if "actions/checkout@" in step.get("uses", "")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_a_token_is_given_to_the_last_step_alone() -> None:
    """Of the workflow that renews locks only what pushes has it."""
    for job, facts in _jobs("update-locks.yml").items():
        with_token = [step for step in facts["steps"] if "github.token" in str(step)]
        assert with_token == (facts["steps"][-1:] if job == "propose" else [])
        assert "env" not in facts


def test_zizmor_finds_nothing(name: str, tmp_path: Path) -> None:
    """Neither in what runs here nor in what the docs have others run."""
    path = tmp_path / ".github" / "workflows" / "checked.yml"
    path.parent.mkdir(parents=True)
    path.write_text(_TEXTS[name])
    zizmor = Path(sys.executable).parent / "zizmor"
    ran = subprocess.run(
        [zizmor, "--offline", "--quiet", path], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout


class _Taken:
    """A checkout and a folder with renewed locks, which it takes."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.renewed = folder / "checkout", folder / "renewed"
        (self.checkout / ".ci").mkdir(parents=True)
        shutil.copy(ROOT / ".ci" / "take-locks", self.checkout / ".ci")
        self.renewed.mkdir()
        for lock in _LOCKS:
            (self.checkout / lock).write_text("")
            shutil.copy(ROOT / lock, self.renewed)

    def take(self) -> str:
        """Take them; return what is said in refusal, empty where they are taken whole."""
        ran = subprocess.run(
            [self.checkout / ".ci" / "take-locks", "../renewed"],
            cwd=self.checkout,
            capture_output=True,
            text=True,
            check=False,
        )
        taken = [lock for lock in _LOCKS if (self.checkout / lock).read_text()]
        names = sorted(path.name for path in self.checkout.iterdir())
        assert names == [".ci", *_LOCKS]
        assert taken == ([] if ran.returncode else _LOCKS)
        return ran.stderr


@pytest.fixture
def taken(tmp_path: Path) -> _Taken:
    """Return a checkout with locks that are to be renewed by those of the repository."""
    return _Taken(tmp_path)


def test_renewed_locks_are_taken(taken: _Taken) -> None:
    """Those that this repository has are locks."""
    assert taken.take() == ""


@pytest.mark.parametrize(
    "line",
    [
        "--extra-index-url https://packages.example/simple",
        "-e ./adapters",
        "evil @ https://packages.example/evil.whl",
        "evil==1.0",
        "evil==1.0 --config-settings=x=y \\",
        "evil==1.0 ; python_version > '3' --global-option=x \\",
        "-r other.txt",
        "",
    ],
)
def test_a_lock_with_another_line_is_refused(taken: _Taken, line: str) -> None:
    """An option, an address or a pin without a hash is in no lock; none of the files is taken."""
    with (taken.renewed / _LOCKS[-1]).open("a") as lock:
        lock.write(f"{line}\n")
    assert f"{_LOCKS[-1]} has lines that are no lock's" in taken.take()


@pytest.mark.parametrize("other", ["Makefile", ".bashrc", "requirements-more.lock"])
def test_another_file_is_refused(taken: _Taken, other: str) -> None:
    """Whatever else lies among the locks, nothing is taken."""
    (taken.renewed / other).write_text("# x\n")
    assert "other files than the locks" in taken.take()


def test_a_lock_that_is_missing_or_a_link_is_refused(taken: _Taken, tmp_path: Path) -> None:
    """They are taken together, as files."""
    moved = (taken.renewed / _LOCKS[0]).rename(tmp_path / "moved")
    assert "other files than the locks" in taken.take()
    (taken.renewed / _LOCKS[0]).symlink_to(moved)
    assert f"{_LOCKS[0]} is no file" in taken.take()
