"""What the repository promises about itself: versions, pins, and where packages come from."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from adapters.cli.subcommands import SUBCOMMANDS
from bot.settings import Settings

ROOT = Path(__file__).parents[3]
_PIN = re.compile(r"^[a-z0-9][a-z0-9.-]*==\S+", re.MULTILINE)


def test_container_and_ci_use_the_same_python() -> None:
    """The minor version that CI runs is the container's, no older than the oldest supported."""
    version = (ROOT / ".python-version").read_text().strip()
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert {base.partition("@")[0] for base in bases} == {f"python:{version}-slim"}
    assert ".python-version" in (ROOT / ".ci" / "run").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=3.11"


def test_every_supported_python_is_tested() -> None:
    """The workflow calls what CI runs on each minor version from the oldest supported on."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    job = workflow["jobs"]["ci"]
    versions = job["strategy"]["matrix"]["python"]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert job["steps"][-1]["run"] == ".ci/run ${{ matrix.python }}"


def test_hooks_before_a_commit_are_what_ci_checks() -> None:
    """Each tool that `make lint` runs is a hook, from the same locked environment."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    lint = re.search(r"(?m)^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text())
    assert lint
    checked = re.findall(r"\$\(BIN\)/([\w-]+(?: (?:check|format))?)", lint[1])
    entries = {hook["entry"].removeprefix(".venv/bin/").removesuffix(" --fix") for hook in hooks}
    assert entries == {*checked}


def test_images_are_pinned_by_one_digest() -> None:
    """Whatever the registry gives under a tag, what is built and run is what was looked at."""
    files = (ROOT / "Dockerfile", ROOT / ".devcontainer" / "Dockerfile")
    bases = [base for file in files for base in re.findall(r"(?m)^FROM (\S+)", file.read_text())]
    images = re.findall(r"^ +image: (\S+)", (ROOT / "compose.yaml").read_text(), re.MULTILINE)
    foreign = [*bases, *(image for image in images if image != "broadsheet")]
    assert (len(bases), len(set(bases)), len(foreign)) == (3, 1, 4)
    assert all(re.fullmatch(r"\w+:[\w.-]+@sha256:[0-9a-f]{64}", image) for image in foreign)


def test_what_is_secret_or_stored_stays_out_of_an_image() -> None:
    """Settings, stores with what lies beside them, and backups are not sent to the builder."""
    ignored = {*(ROOT / ".dockerignore").read_text().split()}
    assert {".git", ".venv", ".env", ".env.*", "**/*.db*", ".backup-*", "backups"} <= ignored


def test_the_container_runs_what_is_locked_as_a_user_of_its_own() -> None:
    """The last stage copies what the first installed, and is left to a user without rights."""
    _, build, run = (ROOT / "Dockerfile").read_text().split("\nFROM ")
    assert "--require-hashes -r requirements-plots.lock" in build
    assert "pip install" not in run
    assert "COPY --from=build" in run
    assert re.search(r"^USER broadsheet$", run, re.MULTILINE)
    assert re.findall(r"^VOLUME (.+)$", run, re.MULTILINE) == ["/data"]
    assert "<<" not in build + run  # not every builder knows here-documents


def test_the_container_can_be_reached_and_says_how_it_is() -> None:
    """It listens on all of its addresses, on the port that it exposes, and is asked for life."""
    _, _, run = (ROOT / "Dockerfile").read_text().split("\nFROM ")
    port = Settings.model_fields["web_port"].default
    assert re.findall(r"^EXPOSE (.+)$", run, re.MULTILINE) == [str(port)]
    assert "BROADSHEET_WEB_HOST=0.0.0.0" in run
    [check] = re.findall(r"^HEALTHCHECK (.+)$", run, re.MULTILINE)
    assert all(f"--{name}=" in check for name in ("interval", "timeout", "start-period"))
    assert check.endswith('CMD ["broadsheet", "health"]')
    assert "health" in SUBCOMMANDS


def test_the_container_gets_all_that_a_wheel_needs() -> None:
    """Each package and file that the build reads is copied into the first stage."""
    build = (ROOT / "Dockerfile").read_text().split("\nFROM ")[1]
    copied = set(" ".join(re.findall(r"^COPY (.+) \S+$", build, re.MULTILINE)).split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["setuptools"]["packages"]["find"]["include"]
    needed = {name.rstrip("*") for name in packages} | {"pyproject.toml", "README.md", "LICENSE"}
    assert needed <= copied
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert not needed & set(ignored)


_LOCKS = ("requirements.lock", "requirements-plots.lock", "requirements-dev.lock")
_OTHER_LOCKS = ("requirements-docs.lock", "requirements-locks.lock", "requirements-pip.lock")


@pytest.mark.parametrize("name", [*_LOCKS, *_OTHER_LOCKS])
def test_every_dependency_is_pinned_with_hashes_and_no_index(name: str) -> None:
    """Each pin has hashes, and no address stands in the file."""
    lock = (ROOT / name).read_text()
    blocks = re.split(_PIN, lock)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in lock
    assert "index" not in lock


def test_the_locks_agree() -> None:
    """What is installed to draw is what is installed for use, and more; so it is for tests."""
    use, plots, tests = (set(_PIN.findall((ROOT / name).read_text())) for name in _LOCKS)
    assert use < plots < tests
    assert any(pin.startswith("setuptools==") for pin in use)  # the build backend
    assert {pin.split("==")[0] for pin in plots - use} >= {"matplotlib", "numpy"}


def test_the_tour_names_modules_that_exist() -> None:
    """Each path of a package or module that docs/design.md and the decisions name is there."""
    pages = [ROOT / "docs" / "design.md", *(ROOT / "docs" / "decisions").glob("*.md")]
    named = {
        name
        for page in pages
        for name in re.findall(r"`((?:adapters|bot|store|tests)/[\w/.]+)`", page.read_text())
    }
    assert named
    assert {
        each for each in named if not (ROOT / each).exists() and not (ROOT / f"{each}.py").exists()
    } == set()


def test_the_glossary_is_short() -> None:
    """At most twenty-five terms of our own, each told once."""
    text = (ROOT / "docs" / "design.md").read_text()
    table = text.partition("## Words")[2].partition("## ")[0]
    terms = re.findall(r"(?m)^\| ([A-Z][\w, ]+) \|", table)
    assert len(terms) == len(set(terms)) <= 25
