"""Rules for every platform."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings

from adapters.platform import Declaration, find_platforms
from bot.operations.doctor_checks import Finding, Verdict
from bot.replies.blocks import Reply
from tests.any_replies import REPLIES

ROOT = Path(__file__).parents[2]
PLATFORMS = find_platforms()


@pytest.fixture(params=PLATFORMS)
def platform(request: pytest.FixtureRequest) -> Declaration:
    """Return each platform that there is."""
    return PLATFORMS[request.param]


def test_a_platform_is_found_by_its_folder(platform: Declaration) -> None:
    """A platform has the name of its folder, its tests and its guide in `docs/`."""
    assert (ROOT / "adapters" / platform.name / "declaration.py").is_file()
    assert (ROOT / "tests" / "adapters" / platform.name).is_dir()
    assert (ROOT / "docs" / f"{platform.name}.md").is_file()


def test_a_platform_is_not_wanted_by_itself(platform: Declaration) -> None:
    """An unconfigured platform is off, with a hint how to configure it."""
    assert not platform.is_configured({})
    assert platform.setup_hint.endswith(".")
    assert platform.setting_names[0].partition("_")[0].lower() == platform.name


def test_half_of_a_configuration_is_examined_in_words(platform: Declaration) -> None:
    """With one setting alone the doctor has a finding that is a problem, and no exception."""
    variables = {platform.setting_names[0]: "x"}
    assert platform.is_configured(variables)

    async def examined() -> list[Finding]:
        return await platform.diagnose(variables, [], [])

    assert Verdict.PROBLEM in {finding.verdict for finding in asyncio.run(examined())}


@pytest.mark.parametrize("name", PLATFORMS)
@settings(max_examples=25)
@given(reply=REPLIES)
def test_any_reply_has_a_preview(name: str, reply: Reply) -> None:
    """Every reply has a JSON preview for `ask --as`."""
    preview = PLATFORMS[name].preview(reply)
    assert json.loads(json.dumps(preview)) == preview


def test_declarations_are_light() -> None:
    """Finding the platforms imports none of their libraries."""
    code = (
        "import sys; from adapters.platform import find_platforms; find_platforms();"
        "print(sorted({'slack_bolt', 'slack_sdk', 'discord', 'aiohttp'} & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout == "[]\n"
