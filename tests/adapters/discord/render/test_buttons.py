"""Custom ids: those in messages that were posted by older versions are read for ever."""

import pytest

from adapters.common.layout.elements import Effect
from adapters.discord.render.buttons import ComponentAction, custom_id, read_id

# As version 0.1.0 wrote them before its packages were rearranged.
_POSTED = [
    ("r1.1..show dair:2026-01-05#3", ComponentAction(Effect.RUN, "show dair:2026-01-05#3")),
    ("t2.2..week 2026-W02", ComponentAction(Effect.TURN, "week 2026-W02", 2)),
    ("s3.1..latest", ComponentAction(Effect.SHARE, "latest")),
    ("f4.1.k3y.subscribe", ComponentAction(Effect.FORM, "subscribe", key="k3y")),
    ("p5.1.k3y.", ComponentAction(Effect.RUN, "", key="k3y")),
    (
        "r6.1..#vxDXWBZ4Rq2n0GZJ1kV9Hw",
        ComponentAction(Effect.RUN, "#vxDXWBZ4Rq2n0GZJ1kV9Hw"),
    ),
]


@pytest.mark.parametrize(("posted", "action"), _POSTED)
def test_an_id_of_an_older_version_is_read(posted: str, action: ComponentAction) -> None:
    """Effect, part, key and command string of a posted button keep their places in the id."""
    assert read_id(posted) == action


def test_an_id_is_written_as_it_was() -> None:
    """A correction finds the buttons of a post by ids that are written the same way."""
    action = ComponentAction(Effect.RUN, "show dair:2026-01-05#3", key="k3y")
    assert custom_id(action, 1) == "r1.1.k3y.show dair:2026-01-05#3"


@pytest.mark.parametrize("text", ["", "x1.1..latest", "r.1..latest", "open-search"])
def test_an_id_of_another_app_has_no_action(text: str) -> None:
    """Ids in another format are no buttons of ours."""
    assert read_id(text) is None
