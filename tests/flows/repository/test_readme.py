"""What the docs show is what the program prints, and what they list is what there is."""

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest

from adapters.cli.subcommands import SUBCOMMANDS
from adapters.main import cli
from adapters.platform import find_platforms
from bot.operations.metrics import Metrics
from bot.settings import SETTING_NAMES, Settings
from store.records import DeliveryState
from tests.flows.program import Program
from tests.shared_data import shared_file
from tests.write_docs import generated, marked

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMATS, POSTS, REFERENCE, TOUR = (
    (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("formats", "posts", "reference", "tour")
)
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_FOUND = re.compile(r"^(?: *1  |> |#\d+ in )", re.MULTILINE)
_YEAR = 365 * 24 * 60 * 60


def _calls(block: str) -> list[tuple[list[str], str]]:
    """Return each call of a block with the output shown below it."""
    parts = re.split(r"^\$ broadsheet (.*)\n", block, flags=re.MULTILINE)[1:]
    return [(shlex.split(call), out) for call, out in zip(parts[::2], parts[1::2], strict=True)]


def _shows(shown: str, printed: str) -> bool:
    """Tell whether the output is as shown, an ellipsis alone on a line standing for any lines."""
    pattern = ".*".join(re.escape(part.strip("\n")) for part in shown.split("…\n"))
    return re.fullmatch(rf"\n*{pattern}\n*", printed.strip("\n"), re.DOTALL) is not None


def test_the_samples_answer_as_shown(sampled: Program) -> None:
    """On the bundled samples every call of the README prints what stands below it."""
    [block] = _BLOCK.findall(README)
    for call, shown in _calls(block):
        ran = sampled(*call)
        assert _shows(shown, ran.out + ran.err), ran


def _examples() -> tuple[list[str], list[str]]:
    """Return what the README shows in the middle of a line: what is typed in a chat, the rest."""
    shown = _INLINE.findall(_BLOCK.sub("", README))
    rest = [each for each in shown if each.startswith(("make ", "http", "."))]
    return [each.removeprefix("/papers ") for each in shown if each not in rest], rest


@pytest.mark.parametrize("years", [0, 2])
def test_each_question_of_the_readme_finds_something(sampled: Program, years: int) -> None:
    """On the samples, today and when they have grown older, all of them list, show or quote."""
    typed, _ = _examples()
    assert len(typed) == 6
    offset = str(years * _YEAR)
    for line in typed:
        # An alert is for a chat that has direct messages; it is told of what a search finds.
        asked = line.replace("alert ", "search ")
        ran = sampled("ask", asked, BROADSHEET_CLOCK_OFFSET=offset)
        assert ran.code == 0, ran
        assert _FOUND.search(ran.out) or line == "forget", ran
    assert "/papers alert mamba" in sampled("ask", "alert mamba").err


def test_what_else_the_readme_names_is_there() -> None:
    """Its targets of make, the address of the page and the place of the program."""
    _, rest = _examples()
    targets = set(re.findall(r"(?m)^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    port = Settings.model_fields["web_port"].default
    there = {*(f"make {target}" for target in targets), f"http://127.0.0.1:{port}/chat"}
    assert {*rest} <= {*there, ".venv/bin/broadsheet"}
    assert "make test" in rest
    assert "    make run\n" in README
    assert "run" in targets


@pytest.mark.parametrize("block", _BLOCK.findall(TOUR))
def test_a_journey_of_the_tour_is_answered_as_shown(sampled: Program, block: str) -> None:
    """Its lines, one after the other on the samples, are read and answered as they stand there."""
    for call, shown in _calls(block):
        ran = sampled(*call)
        assert _shows(shown, ran.out + ran.err), ran


def test_the_tour_is_five_short_journeys() -> None:
    """Each has two to four lines, is shown on both platforms, and the whole takes some minutes."""
    journeys = TOUR.split("\n## ")[1:]
    assert len(journeys) == 5
    for each in journeys:
        [block] = _BLOCK.findall(each)
        assert 2 <= len(_calls(block)) <= 4
        assert {*re.findall(r"-(slack|discord)-light-320\.png", each)} == {"slack", "discord"}
    assert len(TOUR.split()) < 1500


def test_an_import_reports_as_shown(broadsheet: Program) -> None:
    """The calls on the page of formats, on the real archive, print what stands below them."""
    shutil.copy(shared_file("archive-README.md"), broadsheet.folder)
    [block] = _BLOCK.findall(FORMATS)
    for call, shown in _calls(block):
        ran = broadsheet(*call)
        assert _shows(shown, ran.out + ran.err), ran


@pytest.mark.parametrize(
    ("path", "name", "text"),
    [(path, name, text) for path, parts in generated().items() for name, text in parts.items()],
)
def test_what_is_generated_is_up_to_date(path: str, name: str, text: str) -> None:
    """What the docs say of commands is what the declarations make (`make docs` writes it)."""
    document = (ROOT / path).read_text(encoding="utf-8")
    found = marked(document, name).search(document)
    assert found is not None
    assert found[0].strip() == text.strip()


@pytest.mark.parametrize("verb", SUBCOMMANDS)
def test_every_verb_is_listed(verb: str) -> None:
    """A verb that the program has stands in the table of verbs, under the name it goes by."""
    section = REFERENCE.split("## Verbs")[1].split("## Settings")[0]
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    assert command.name == verb
    names = (
        [f"{verb} {name}" for name in command.commands]
        if isinstance(command, click.Group)
        else [f"broadsheet {verb}"]
    )
    assert all(f"`{name}" in section or f"`broadsheet {name}" in section for name in names)


def _names(heading: str) -> set[str]:
    """Return the names in the first column of the table of posts.md under such a heading."""
    table = POSTS.split(f"| {heading} |")[1].split("\n\n")[0]
    return {name for row in table.split("\n|") for name in re.findall("`(.+?)`", row.split("|")[0])}


def test_every_event_of_posts_is_one_that_is_logged() -> None:
    """The page names each event of posting and its rate limits, and none that there isn't."""
    limiter = ROOT / "bot" / "coordination" / "rate_limiter.py"
    files = [limiter, *(ROOT / "bot" / "posting").rglob("*.py")]
    code = "\n".join(file.read_text(encoding="utf-8") for file in files)
    logged = set(re.findall(r"_log\.\w+\(\s*\"(\w+)\"", code))
    outcomes = {f"delivery_{state}" for state in ("sent", "retry", "unknown", "dead", "skipped")}
    assert 'f"delivery_{state.value}"' in code
    assert _names("event") == logged | outcomes


def test_every_state_and_metric_of_posts_is_listed() -> None:
    """The page says what each state of a delivery means, and which numbers are told of posts."""
    assert _names("state") == {state.value for state in DeliveryState}
    text, _ = Metrics().text()
    about = "deliver|corrections|ticks|subscriptions"
    told = re.findall(rf"^# HELP (broadsheet_(?:{about})\w*) ", text.decode(), re.MULTILINE)
    assert _names("metric") == set(told)


def test_every_setting_is_listed() -> None:
    """A setting that the core or a platform reads stands in the table of settings."""
    section = REFERENCE.split("## Settings")[1].split("## Watching it")[0]
    platforms = (
        name for declaration in find_platforms().values() for name in declaration.setting_names
    )
    for name in (*SETTING_NAMES, *platforms):
        assert f"`{name}`" in section
