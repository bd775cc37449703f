"""The fields of a modal as Discord takes them, and the values that it sends."""

from collections.abc import Sequence
from typing import Any

import pytest

from adapters.common.forms import form_of
from adapters.discord.interactions.modals import FORM_LIMITS, modal_of, read_modal
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.scalars import LAYOUT, NOTE
from bot.commands.params.times import TIME_OF_DAY, WEEKDAY
from bot.commands.params.topics_and_sources import TOPIC, TOPICS
from bot.commands.params.workspace_settings import SETTLED_ROLE
from bot.commands.types import Call, Command, Context, Group, Param, ParamType
from bot.errors import Option
from bot.replies.blocks import Reply
from tests.fakes.discord.rules.messages import judge_modal
from tests.fakes.discord.users.modal_values import modal_data

TEXT_INPUT, STRING_SELECT, ROLE_SELECT, CHANNEL_SELECT = 4, 3, 6, 8
RADIO_GROUP, CHECKBOX_GROUP = 21, 22
DAYS = [Option("monday"), Option("tuesday")]
MANY = [Option(f"topic-{number}", f"{number} papers") for number in range(30)]


async def _nothing(_context: Context, **_given: Any) -> Reply:
    return Reply(())


def opened(
    of: ParamType, entered: str = "", offers: Sequence[Option] = (), *, required: bool = False
) -> dict[str, Any]:
    """Return the form of a command with one argument of a type, which Discord takes."""
    param = Param("given", "What is given", of, "given", required=required)
    command = Command("find", Group.LOOKUP, "Find it", _nothing, (param,))
    call = Call(command, {"given": entered} if entered else {})
    modal = modal_of(form_of(call, FORM_LIMITS, {"given": offers}), "find").to_dict()
    judge_modal(modal)
    return modal


def field(modal: dict[str, Any]) -> dict[str, Any]:
    """Return the one field of a form."""
    found: dict[str, Any] = modal["components"][0]["component"]
    return found


def chosen(modal: dict[str, Any]) -> list[str]:
    """Return what is chosen in the one field of a form before anybody chose."""
    return [each["value"] for each in field(modal)["options"] if each.get("default")]


def read(modal: dict[str, Any], entered: Any = None) -> str:
    """Return how the one field of a form is read, once something was entered if it was."""
    return read_modal(modal_data(modal, {} if entered is None else {"given": entered}))["given"]


@pytest.mark.parametrize(
    ("of", "kind"),
    [
        (WEEKDAY, STRING_SELECT),
        (LAYOUT, RADIO_GROUP),
        (TOPIC, STRING_SELECT),
        (TOPICS, CHECKBOX_GROUP),
        (CHANNEL, CHANNEL_SELECT),
        (SETTLED_ROLE, ROLE_SELECT),
        (TIME_OF_DAY, TEXT_INPUT),
        (NOTE, TEXT_INPUT),
    ],
)
def test_each_field_is_a_component(of: ParamType, kind: int) -> None:
    """Menus, groups of buttons or boxes, selects of channels and roles, and texts."""
    assert field(opened(of, offers=DAYS))["type"] == kind


def test_several_are_one_text() -> None:
    """Several chosen values are one argument, separated by commas."""
    modal = opened(TOPICS, "topic-3, topic-1,topic-3", MANY)
    assert chosen(modal) == ["topic-1", "topic-3"]
    assert read(modal, ["topic-1", "topic-2"]) == "topic-1,topic-2"
    assert read(modal, []) == ""


def test_a_few_are_boxes_and_buttons() -> None:
    """A group has all its values in their order, and is read as a menu is."""
    boxes = opened(TOPICS, "topic-2,unheard", MANY[:4])
    assert chosen(boxes) == ["topic-2", "unheard"]
    assert read(boxes, ["topic-0", "topic-2"]) == "topic-0,topic-2"
    buttons = opened(LAYOUT, "full", [Option("compact", "one message"), Option("full")])
    assert chosen(buttons) == ["full"]
    assert [each["label"] for each in field(buttons)["options"]] == ["Compact", "Full"]
    assert [read(buttons), read(buttons, "Compact")] == ["full", "compact"]
    assert read(opened(LAYOUT, "", DAYS)) == ""


def test_a_channel_and_a_role_are_chosen_by_their_ids() -> None:
    """The one that is entered is chosen before anybody chose."""
    for of, kind in ((CHANNEL, "channel"), (SETTLED_ROLE, "role")):
        modal = opened(of, "123456789012345678")
        [default] = field(modal)["default_values"]
        assert (str(default["id"]), default["type"]) == ("123456789012345678", kind)
        assert read(modal, ["42"]) == "42"


@pytest.mark.parametrize(("of", "offers"), [(WEEKDAY, DAYS), (TOPICS, MANY), (CHANNEL, [])])
def test_what_is_required_is_chosen(of: ParamType, offers: Sequence[Option]) -> None:
    """A form is not submitted without a required argument, and without another it is."""
    needed = field(opened(of, offers=offers, required=True))
    assert (needed["required"], needed["min_values"]) == (True, 1)
    other = field(opened(of, offers=offers))
    assert (other["required"], other["min_values"]) == (False, 0)


@pytest.mark.parametrize(("of", "entered"), [(NOTE, "x" * 800), (TIME_OF_DAY, "x" * 60)])
def test_a_text_has_room_for_what_stands_in_it(of: ParamType, entered: str) -> None:
    """What is typed keeps its blanks, and a long text stands in several lines."""
    typed = opened(of, entered)
    assert (field(typed)["value"], read(typed, " so ")) == (entered, " so ")
    assert field(typed)["style"] == (2 if of.long else 1)
