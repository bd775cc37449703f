"""`broadsheet run` and `broadsheet health`: the web server of the installed program."""

import json
import signal
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.flows.program import Program

_SECONDS = 30


@contextmanager
def _running(broadsheet: Program, log: Path, **settings: str) -> Iterator[None]:
    """Run the bot until its log says that it serves; in the end it must end as it should."""
    with broadsheet.fork("run", "--no-samples", log=log, **settings) as process:
        try:
            _event(log, "serving")
            yield
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=15) == 0


def _events(log: Path) -> Iterator[dict[str, Any]]:
    yield from (json.loads(line) for line in log.read_text().splitlines())


def _event(log: Path, name: str) -> dict[str, Any]:
    """Return the one event of a name, waiting for it."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        # A line that is being written may be there in part.
        if f'"event": "{name}"' in log.read_text() and log.read_text().endswith("\n"):
            [event] = [event for event in _events(log) if event["event"] == name]
            return event
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def test_a_bot_without_a_platform_serves_the_web(broadsheet: Program, tmp_path: Path) -> None:
    """It logs where, and life, health and metrics are answered there."""
    log = tmp_path / "run.log"
    with _running(broadsheet, log):
        url = _event(log, "web_listening")["url"]
        with urllib.request.urlopen(f"{url}/healthz") as answer:  # noqa: S310 - our own address
            assert json.load(answer)["database"] == {"state": "ok", "sentence": ""}
        with urllib.request.urlopen(f"{url}/metrics") as answer:  # noqa: S310 - the same
            # The answer shown at the start was measured already.
            counted = 'broadsheet_commands_total{command="latest"'
            assert counted in answer.read().decode()
        well = broadsheet("health", BROADSHEET_WEB_PORT=url.rpartition(":")[2])
        assert (well.code, well.out, well.err) == (0, "ok\n", "")
    ill = broadsheet("health", BROADSHEET_WEB_PORT=url.rpartition(":")[2])
    assert (ill.code, ill.out) == (1, "")
    assert ill.err.startswith("Error: The bot does not say that it lives: on port ")


def test_health_needs_a_port_that_is_known(storeless: Program) -> None:
    """A port that was picked is known to nobody else, which is said; no store is made."""
    ran = storeless("health", BROADSHEET_WEB_PORT="0")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: BROADSHEET_WEB_PORT is 0, ")
    storeless("health", BROADSHEET_WEB_PORT="9")
    assert list(storeless.folder.iterdir()) == []


def test_settings_that_make_no_connection_end_it(broadsheet: Program) -> None:
    """Where the one platform that is configured can't be, that is said in words and ends it."""
    ran = broadsheet("run", "--no-samples", SLACK_BOT_TOKEN="xoxb-1")  # noqa: S106 - no secret
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[0] == (
        "Error: Slack has no way in: neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set."
    )
    assert "Traceback" not in ran.err
