"""Buttons: those in messages that were posted by older versions are read for ever."""

from typing import Any

import pytest

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.common.layout.pieces import MenuPick
from adapters.slack.render.buttons import button, menu, read_action

# As version 0.1.0 wrote them before its packages were rearranged.
_POSTED: list[tuple[dict[str, Any], ButtonAction]] = [
    (
        {"action_id": "run-1", "value": "1 show dair:2026-01-05#3"},
        ButtonAction(Effect.RUN, "show dair:2026-01-05#3"),
    ),
    (
        {"action_id": "turn-2", "value": "2 week 2026-W02"},
        ButtonAction(Effect.TURN, "week 2026-W02", 2),
    ),
    ({"action_id": "share-3", "value": "1 latest"}, ButtonAction(Effect.SHARE, "latest")),
    ({"action_id": "form-4", "value": "1 subscribe"}, ButtonAction(Effect.FORM, "subscribe")),
    (
        {"action_id": "run-5", "selected_option": {"value": "1 vote dair:2026-01-05#3"}},
        ButtonAction(Effect.RUN, "vote dair:2026-01-05#3"),
    ),
]


@pytest.mark.parametrize(("posted", "action"), _POSTED)
def test_a_button_of_an_older_version_is_read(posted: dict[str, Any], action: ButtonAction) -> None:
    """Effect, part and command string of a posted button or menu keep their places."""
    assert read_action(posted) == action


def test_a_button_is_written_as_it_was() -> None:
    """A posted button and one that is posted now differ in nothing that is read."""
    made = button("Details", ButtonAction(Effect.RUN, "show 3"), 1)
    assert (made["action_id"], made["value"]) == ("run-1", "1 show 3")
    [option] = menu("Save", [MenuPick("Save", "One", "save 1")], 2)["options"]
    assert option["value"] == "1 save 1"


@pytest.mark.parametrize(
    "element",
    [{}, {"action_id": "open-search"}, {"action_id": "run-1", "value": "latest"}],
)
def test_an_element_of_another_kind_has_no_action(element: dict[str, Any]) -> None:
    """Elements in another format are no buttons of ours."""
    assert read_action(element) is None
