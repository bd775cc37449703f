"""The fields of a modal: their components, their values, the submitted values."""

from collections.abc import Sequence
from typing import Any

import pytest

from adapters.discord.interactions.modals import modal_for, submitted_call
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.scalars import LAYOUT
from bot.commands.params.times import TIME_OF_DAY, WEEKDAY
from bot.commands.params.topics_and_sources import TOPIC, TOPICS
from bot.commands.types import Call, Command, Context, Group, Param, ParamType
from bot.errors import Option
from bot.replies.blocks import Reply
from tests.fakes.discord.rules.messages import judge_modal
from tests.fakes.discord.users.modal_values import modal_data

TEXT_INPUT, STRING_SELECT, CHANNEL_SELECT = 4, 3, 8
RADIO_GROUP, CHECKBOX_GROUP = 21, 22
DAYS = [Option("monday"), Option("tuesday")]
MANY = [Option(f"topic-{number}", f"{number} papers") for number in range(30)]


async def _nothing(_context: Context, **_given: Any) -> Reply:
    return Reply(())


def call(of: ParamType, entered: str = "", *, required: bool = False) -> Call:
    """Return a call of a command with one argument of a type."""
    param = Param("given", "What is given", of, "given", required=required)
    command = Command("find", Group.LOOKUP, "Find it", _nothing, (param,))
    return Call(command, {"given": entered} if entered else {})


async def opened(
    of: ParamType, entered: str = "", offers: Sequence[Option] = (), *, required: bool = False
) -> dict[str, Any]:
    """Return the form of such a call, which Discord takes."""
    modal = modal_for(call(of, entered, required=required), "find", {"given": offers}).to_dict()
    judge_modal(modal)
    return modal


def field(modal: dict[str, Any]) -> dict[str, Any]:
    """Return the one field of a form."""
    found: dict[str, Any] = modal["components"][0]["component"]
    return found


def chosen(modal: dict[str, Any]) -> list[str]:
    """Return what is chosen in the one field of a form before anybody chose."""
    return [each["value"] for each in field(modal)["options"] if each.get("default")]


@pytest.mark.parametrize(
    ("of", "kind"),
    [
        (WEEKDAY, STRING_SELECT),
        (LAYOUT, RADIO_GROUP),
        (TOPIC, STRING_SELECT),
        (TOPICS, CHECKBOX_GROUP),
        (CHANNEL, CHANNEL_SELECT),
        (TIME_OF_DAY, TEXT_INPUT),
    ],
)
async def test_an_argument_is_asked_for_by_its_type(of: ParamType, kind: int) -> None:
    """A parameter's type decides among menus, groups of buttons or boxes, and text."""
    assert field(await opened(of, offers=DAYS))["type"] == kind


async def test_a_list_of_nothing_is_typed() -> None:
    """A parameter without choices is a text input."""
    assert field(await opened(TOPIC))["type"] == TEXT_INPUT


async def test_several_are_one_text() -> None:
    """Several chosen values are one argument, separated by commas."""
    modal = await opened(TOPICS, "topic-3, topic-1,topic-3", MANY)
    assert chosen(modal) == ["topic-1", "topic-3"]
    more = modal_data(modal, {"given": ["topic-1", "topic-2"]})
    assert submitted_call(call(TOPICS, "topic-3"), more).arguments == {"given": "topic-1,topic-2"}
    assert submitted_call(call(TOPICS, "topic-3"), modal_data(modal, {"given": []})).arguments == {}


async def test_a_few_are_boxes_and_buttons() -> None:
    """A group has all its values in their order, and is read as a menu is."""
    boxes = await opened(TOPICS, "topic-2,unheard", MANY[:4])
    assert chosen(boxes) == ["topic-2", "unheard"]
    ticked = modal_data(boxes, {"given": ["topic-0", "topic-2"]})
    assert submitted_call(call(TOPICS), ticked).arguments == {"given": "topic-0,topic-2"}
    buttons = await opened(LAYOUT, "full", [Option("compact", "one message"), Option("full")])
    assert chosen(buttons) == ["full"]
    assert [each["label"] for each in field(buttons)["options"]] == ["Compact", "Full"]
    assert submitted_call(call(LAYOUT), modal_data(buttons, {})).arguments == {"given": "full"}
    pressed = modal_data(buttons, {"given": "Compact"})
    assert submitted_call(call(LAYOUT), pressed).arguments == {"given": "compact"}
    unpressed = modal_data(await opened(LAYOUT, "", DAYS), {})
    assert submitted_call(call(LAYOUT, "full"), unpressed).arguments == {}


async def test_what_is_chosen_is_always_offered() -> None:
    """The current values are among the options of a full select."""
    modal = await opened(TOPICS, "topic-29,unheard", MANY)
    assert chosen(modal) == ["topic-29", "unheard"]
    assert len(field(modal)["options"]) == 25
    assert submitted_call(call(TOPICS), modal_data(modal, {})).arguments == {
        "given": "topic-29,unheard"
    }


@pytest.mark.parametrize(
    "entered", [",".join(each.value for each in MANY), "x" * 101, "short," + "x" * 300]
)
async def test_what_a_list_can_t_hold_is_typed(entered: str) -> None:
    """Values that are too many or too long for a select are in a text input."""
    modal = await opened(TOPICS, entered, MANY)
    assert field(modal)["value"] == entered
    assert submitted_call(call(TOPICS), modal_data(modal, {})).arguments == {"given": entered}


async def test_a_channel_is_chosen_by_its_id() -> None:
    """The one that is entered is chosen before anybody chose; what is no id is typed."""
    for entered in ("123456789012345678", "<#123456789012345678>"):
        [default] = field(await opened(CHANNEL, entered))["default_values"]
        assert (int(default["id"]), default["type"]) == (123456789012345678, "channel")
    submitted = {"components": [{"component": {"custom_id": "given", "values": ["42"]}}]}
    assert submitted_call(call(CHANNEL), submitted).arguments == {"given": "42"}
    for name in ("#papers", "C0123ABCD"):
        assert field(await opened(CHANNEL, name))["value"] == name


@pytest.mark.parametrize(("of", "offers"), [(WEEKDAY, DAYS), (TOPICS, MANY), (CHANNEL, [])])
async def test_what_is_required_is_chosen(of: ParamType, offers: Sequence[Option]) -> None:
    """A form is not submitted without a required argument, and without another it is."""
    needed = field(await opened(of, offers=offers, required=True))
    assert (needed["required"], needed["min_values"]) == (True, 1)
    other = field(await opened(of, offers=offers))
    assert (other["required"], other["min_values"]) == (False, 0)
