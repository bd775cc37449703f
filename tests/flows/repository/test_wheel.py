"""The wheel: built, installed alone, and asked from another folder."""

import re
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tests.flows.program import Program

ROOT = Path(__file__).parents[3]
_PIN = re.compile(r"^([\w.-]+)==(\S+)( ;)?", re.MULTILINE)


def _pip(*arguments: str | Path) -> None:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    subprocess.run([*pip, *arguments], check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel with the locked build backend, of nothing that an earlier build left."""
    folder, source = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("source")
    for name in ("adapters", "bot", "store"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source)
    _pip(*build)
    [built] = folder.glob("broadsheet-*.whl")
    return built


def _link_locked(packages: Path) -> None:
    """Have an environment use what is locked, and no more, from where `make setup` installed it."""
    for name, version, marker in _PIN.findall((ROOT / "requirements.lock").read_text()):
        try:
            locked = distribution(name)
        except PackageNotFoundError:
            assert marker, name  # it is for other machines
            continue
        assert locked.version == version
        for top in {file.parts[0] for file in locked.files or ()} - {"..", "__pycache__"}:
            link = packages / top
            if not link.exists():
                link.symlink_to(Path(str(locked.locate_file(top))))


def test_the_wheel_holds_what_it_needs_and_no_more(wheel: Path) -> None:
    """Three packages with migrations, samples and licence; no tests, no module of its name."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"adapters", "bot", "store"}
    for needed in (
        "adapters/web/pages/style.css",
        "adapters/web/pages/templates/base.html",
        "bot/domain/topics.toml",
        "bot/ingest/samples/weekly-2025-06-23.txt",
        "store/migrations/versions/0024_base.py",
        "store/search/english_words.LICENSE",
        "store/search/english_words.txt",
    ):
        assert needed in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_an_installed_wheel_answers_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    """In a fresh environment with the locked dependencies, beside a folder named `bot`."""
    home = tmp_path / "environment"
    venv.create(home)
    [packages] = home.glob("lib/*/site-packages")
    _link_locked(packages)
    install = ("--python", home / "bin" / "python", "install", "--no-compile")
    _pip(*install, "--no-index", "--no-deps", "--ignore-installed", wheel)
    folder = tmp_path / "elsewhere"
    (folder / "bot").mkdir(parents=True)
    (folder / "bot" / "__init__.py").write_text("raise ImportError('the wrong one')\n")
    broadsheet = Program(folder, "sqlite:///b.db", executable=home / "bin" / "broadsheet")
    assert "Attention Is All You Need" in broadsheet("chat", stdin="latest").out
    assert broadsheet("site", "pages").code == 0
    assert "Attention Is All You Need" in (folder / "pages/papers/1706.03762.html").read_text()
    shown = broadsheet("ask", "show 1706.03762")
    assert (shown.code, shown.err) == (0, "")
    assert "#1 in sample-weekly" in shown.out
    # Without the extra `plots` a picture is told in numbers.
    trends = broadsheet("ask", "trends agents")
    assert (trends.code, trends.err) == (0, "")
    assert "matplotlib is not installed" in trends.out
    assert "pip install 'broadsheet[plots]'" in trends.out
    assert re.search(r"^agents +\d+%", trends.out, re.MULTILINE)
