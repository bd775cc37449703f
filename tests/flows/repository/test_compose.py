"""What `compose.yaml` promises: one bot by default, or two replicas on Postgres, never both."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from adapters.platform import find_platforms
from bot.settings import Settings

ROOT = Path(__file__).parents[3]
_TEXT = (ROOT / "compose.yaml").read_text()
_SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(_TEXT)["services"]
_BOTS = ("broadsheet", "replica")


def _started(*, named: str | None = None, profiles: frozenset[str] = frozenset()) -> set[str]:
    """Return what `docker compose up` starts: all that is on, or one with what it depends on."""
    if named is None:
        return {
            name
            for name, service in _SERVICES.items()
            if not service.get("profiles") or profiles & set(service["profiles"])
        }
    return {named}.union(
        *(_started(named=other) for other in _SERVICES[named].get("depends_on", {}))
    )


def test_by_default_there_is_one_bot_on_a_file() -> None:
    """Nothing else is started, and its store is in the volume."""
    assert _started() == {"broadsheet"}
    bot = _SERVICES["broadsheet"]
    assert bot["environment"]["BROADSHEET_DATABASE_URL"] == "sqlite:////data/broadsheet.db"
    assert bot["volumes"] == ["data:/data"]


def test_two_replicas_wait_for_postgres() -> None:
    """They start when it can be asked, which it is over TCP, and it keeps its data in a volume."""
    assert _started(named="replica") == {"replica", "postgres"}
    replica, postgres = _SERVICES["replica"], _SERVICES["postgres"]
    assert replica["deploy"] == {"replicas": 2}
    assert replica["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert "--host=127.0.0.1" in postgres["healthcheck"]["test"]
    assert [volume.partition(":")[0] for volume in postgres["volumes"]] == ["postgres"]
    assert replica["profiles"] == postgres["profiles"] == ["scale"]


def test_both_ways_at_once_are_refused() -> None:
    """With the whole profile on two services would have one container's name, and nothing starts.

    A service that is scaled can't have a name, so it is Postgres that has it.
    """
    both = _started(profiles=frozenset({"scale"}))
    names = [_SERVICES[name].get("container_name") for name in sorted(both)]
    assert names[0] == names[1] is not None
    assert names[2] is None
    apart = [_SERVICES[name].get("container_name") for name in _started(named="replica")]
    assert len(set(apart)) == len(apart)


@pytest.mark.parametrize("name", _BOTS)
def test_a_bot_has_few_rights_and_time_to_end(name: str) -> None:
    """Its root is read-only, it has no capability, and is killed only after 15 seconds are over."""
    bot = _SERVICES[name]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert int(bot["stop_grace_period"].removesuffix("s")) > 15
    assert bot["restart"] == "unless-stopped"
    assert bot["env_file"] == [{"path": ".env", "required": False}]
    assert "healthcheck" not in bot  # the image's


@pytest.mark.parametrize("name", _BOTS)
def test_what_is_published_is_the_port_it_listens_on_and_on_loopback(name: str) -> None:
    """Health and metrics ask for no password, so nobody else reaches them by default."""
    [port] = _SERVICES[name]["ports"]
    listens = str(_SERVICES[name]["environment"]["BROADSHEET_WEB_PORT"])
    assert re.fullmatch(rf"127\.0\.0\.1:\d+(-\d+)?:{listens}", port)


def test_it_sets_what_there_is() -> None:
    """Each setting is one that the program reads, under its right name."""
    known = {f"BROADSHEET_{name.upper()}" for name in Settings.model_fields}
    known |= {name for platform in find_platforms().values() for name in platform.setting_names}
    given = {name for bot in _BOTS for name in _SERVICES[bot]["environment"]}
    assert given - {"PGPASSWORD"} <= known


def test_a_password_is_asked_for_only_where_there_is_postgres() -> None:
    """Compose fills in the whole file, so that a variable it requires is required by everyone."""
    assert not re.search(r"\$\{\w+:?\?", "".join(re.split(r"#.*", _TEXT)))
    postgres = _SERVICES["postgres"]["environment"]
    assert postgres["POSTGRES_PASSWORD"] == _SERVICES["replica"]["environment"]["PGPASSWORD"]


def test_no_image_names_a_registry() -> None:
    """Where images come from is the engine's business."""
    images = [service["image"] for service in _SERVICES.values()]
    assert not any("/" in image or "." in image for image in images)
