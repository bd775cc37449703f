"""The fields of forms, and the calls that submitted ones make, on every platform."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adapters.common.forms import FieldKind, FormField, FormLimits, form_of, open_form, submitted
from adapters.discord.interactions.modals import FORM_LIMITS as IN_DISCORD
from adapters.slack.surfaces.modal_views import FORM_LIMITS as IN_SLACK
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.commands.handlers.alerts import ALERT
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.commands.handlers.saved import NOTE_ON
from bot.commands.handlers.search import SEARCH
from bot.commands.handlers.settings import SETTINGS
from bot.commands.params.channels_and_roles import CHANNEL
from bot.commands.params.scalars import LAYOUT, PAGE, SIZE, WORDS
from bot.commands.params.times import PATIENCE, TIME_OF_DAY, WEEKDAY, ZONE
from bot.commands.params.topics_and_sources import SOURCES, TOPIC, TOPICS
from bot.commands.params.workspace_settings import SETTLED_ROLE, SETTLED_SWITCH, SETTLED_ZONE
from bot.commands.parser import LONGEST_COMMAND_STRING, command_string
from bot.commands.types import Call, Command, Context, Group, Param, ParamType
from bot.errors import Option
from bot.replies.blocks import Reply
from store.database import Database
from tests.bot.conftest import FixedClock
from tests.bot.member_channels import ML, Rooms, bot_over

BOTH = (IN_DISCORD, IN_SLACK)
MANAGER = Actor("slack", "T1", "U1", Role.MANAGER, channel="C1", channels=Rooms([ML]))
DAYS = (Option("monday"), Option("tuesday"))
SWITCH = (Option("on"), Option("off"))
LAYOUTS = (Option("compact", "one message"), Option("full", "all of it"))
FEW = (Option("agents", "41 papers"), Option("rag"))
MANY = tuple(Option(f"topic-{number}", f"{number} papers") for number in range(130))


@pytest.fixture
def app(database: Database) -> Broadsheet:
    """Return a bot over an empty store."""
    return bot_over(database, FixedClock())


async def _nothing(_context: Context, **_given: Any) -> Reply:
    return Reply(())


def command_with(*params: Param) -> Command:
    """Return a command with parameters."""
    return Command("find", Group.LOOKUP, "Find it", _nothing, params)


def field(
    limits: FormLimits, of: ParamType, text: str = "", options: Sequence[Option] = ()
) -> FormField:
    """Return the field that asks for a value of a type."""
    call = Call(command_with(Param("given", "What is given", of)), {"given": text} if text else {})
    [only] = form_of(call, limits, {"given": options}).fields
    return only


def fields(limits: FormLimits, call: Call) -> Mapping[str, FormField]:
    """Return the fields of a call's form, by parameter name."""
    return {each.param.name: each for each in form_of(call, limits).fields}


@pytest.mark.parametrize(
    ("of", "options", "in_slack", "in_discord"),
    [
        (WEEKDAY, DAYS, FieldKind.MENU, FieldKind.MENU),
        (LAYOUT, LAYOUTS, FieldKind.BUTTONS, FieldKind.BUTTONS),
        (SETTLED_SWITCH, SWITCH, FieldKind.BUTTONS, FieldKind.BUTTONS),
        (TOPIC, FEW, FieldKind.SEARCH, FieldKind.MENU),
        (TOPICS, FEW, FieldKind.SEARCH, FieldKind.BUTTONS),
        (SOURCES, MANY, FieldKind.SEARCH, FieldKind.MENU),
        (ZONE, (), FieldKind.SEARCH, FieldKind.TEXT),
        (SETTLED_ZONE, (), FieldKind.SEARCH, FieldKind.TEXT),
        (TIME_OF_DAY, (), FieldKind.TIME, FieldKind.TEXT),
        (SIZE, (), FieldKind.NUMBER, FieldKind.TEXT),
        (CHANNEL, (), FieldKind.CHANNEL, FieldKind.CHANNEL),
        (SETTLED_ROLE, (), FieldKind.TEXT, FieldKind.ROLE),
        (PATIENCE, (), FieldKind.TEXT, FieldKind.TEXT),
        (WORDS, (), FieldKind.TEXT, FieldKind.TEXT),
        # Without values there is nothing to choose.
        (WEEKDAY, (), FieldKind.TEXT, FieldKind.TEXT),
        (LAYOUT, (), FieldKind.TEXT, FieldKind.TEXT),
    ],
)
def test_the_type_of_a_parameter_chooses_its_field(
    of: ParamType, options: Sequence[Option], in_slack: FieldKind, in_discord: FieldKind
) -> None:
    """The best field that a platform has asks for it; what can't be chosen there is typed."""
    found = [field(limits, of, options=options).kind for limits in BOTH]
    assert found == [in_discord, in_slack]


@pytest.mark.parametrize("limits", BOTH)
@pytest.mark.parametrize(
    ("of", "text", "options"),
    [
        (SIZE, "many", ()),
        (SIZE, "0", ()),
        (SIZE, "26", ()),
        (TIME_OF_DAY, "soon", ()),
        (CHANNEL, "#papers", ()),
        (CHANNEL, "D0123ABCD", ()),
        (SETTLED_ROLE, "Editors", ()),
        (TOPIC, "x" * 151, FEW),
        (TOPICS, ",".join(each.value for each in MANY), MANY),
        (TOPICS, f"rag,{'x' * 300}", FEW),
    ],
)
def test_what_a_field_can_not_hold_is_typed(
    limits: FormLimits, of: ParamType, text: str, options: Sequence[Option]
) -> None:
    """Nothing that stands in a form is lost, however long it is."""
    typed = field(limits, of, text, options)
    assert (typed.kind, typed.text, typed.longest >= len(text)) == (FieldKind.TEXT, text, True)


@pytest.mark.parametrize(
    ("limits", "of", "text", "held"),
    [
        (IN_SLACK, SIZE, "12", "12"),
        (IN_SLACK, TIME_OF_DAY, "9am", "09:00"),
        (IN_SLACK, CHANNEL, "<#G0123ABCD>", "G0123ABCD"),
        (IN_DISCORD, CHANNEL, "<#123456789012345678>", "123456789012345678"),
        (IN_DISCORD, CHANNEL, "C0123ABCD", "C0123ABCD"),
        (IN_DISCORD, SETTLED_ROLE, "42", "42"),
        (IN_DISCORD, SETTLED_ROLE, "default", ""),
        (IN_SLACK, TOPICS, "topic-3, topic-1,topic-3", "topic-3,topic-1"),
    ],
)
def test_a_field_holds_a_value_as_the_platform_has_it(
    limits: FormLimits, of: ParamType, text: str, held: str
) -> None:
    """Times are in digits, channels and roles their ids."""
    assert field(limits, of, text).text == held


@pytest.mark.parametrize("text", ["topic-129,unheard", "unheard,topic-129"])
def test_what_is_chosen_is_offered(text: str) -> None:
    """Where values are too many, those that stand in the form come first, unknown ones too."""
    menu = field(IN_DISCORD, TOPICS, text, MANY)
    assert {each.value for each in menu.options[:2]} == {"topic-129", "unheard"}
    assert (len(menu.options), menu.text) == (IN_DISCORD.most_options, text)
    assert Option("topic-129", "129 papers") in menu.chosen
    few = field(IN_DISCORD, TOPICS, "unheard", FEW)
    assert [each.value for each in few.options] == ["agents", "rag", "unheard"]


@pytest.mark.parametrize("limits", BOTH)
def test_words_are_shown_in_capitals_and_names_as_they_are(limits: FormLimits) -> None:
    """An option of a few words is a word of a sentence; a slug stands as it is typed."""
    layouts, topics = field(limits, LAYOUT, "full", LAYOUTS), field(limits, TOPIC, "rag", FEW)
    assert [layouts.shown(each) for each in layouts.options] == ["Compact", "Full"]
    assert [topics.shown(each) for each in topics.chosen] == ["rag"]


async def test_a_form_without_room_for_all_asks_for_what_its_command_names_first(
    app: Broadsheet,
) -> None:
    """The others follow in order, as many as there is room for; what has no field is kept."""
    given = {"day": "friday", "size": "3", "topic": "rag", "change": "7"}
    small, large = [await open_form(app, Call(SUBSCRIBE, given), MANAGER, each) for each in BOTH]
    assert [each.param.name for each in small.fields] == list(SUBSCRIBE.form.first)
    assert small.kept.arguments == {"size": "3", "topic": "rag", "change": "7"}
    assert [each.param for each in large.fields] == list(SUBSCRIBE.shown)
    assert large.kept.arguments == {"change": "7"}


async def test_what_a_form_is_filled_with_and_has_no_room_for_is_left_to_the_command(
    app: Broadsheet,
) -> None:
    """It is what the command does by itself; hidden values come along."""
    new = await open_form(app, Call(SUBSCRIBE, {}), MANAGER, IN_DISCORD)
    assert (new.fields[0].text, new.kept.arguments) == ("monday", {})
    settings = await open_form(app, Call(SETTINGS, {}), MANAGER, IN_SLACK)
    seen = {"seen": "zone=default,layout=default,unfurls=on"}
    assert (settings.fields[0].text, settings.kept.arguments) == ("default", seen)


@pytest.mark.parametrize("limits", BOTH)
def test_a_form_is_called_by_what_it_does(limits: FormLimits) -> None:
    """It has a title of its own, or names what it changes, or its command."""
    titles = {
        (form.title, form.submit)
        for form in (
            form_of(Call(SUBSCRIBE, {}), limits),
            form_of(Call(SUBSCRIBE, {}), limits, kept={"change": "7", "seen": "a1"}),
            form_of(Call(SEARCH, {}), limits, kept={"period": "2025"}),
            form_of(Call(ALERT, {}), limits),
            form_of(Call(NOTE_ON, {}), limits, kept={"paper": "1", "remove": "yes"}),
        )
    }
    assert titles == {
        ("Subscribe", "Subscribe"),
        ("Change 7", "Change"),
        ("Search papers", "Search"),
        ("Alert", "Alert"),
        ("Your note", "Keep"),
    }


@pytest.mark.parametrize("limits", BOTH)
def test_a_label_and_a_hint_say_what_is_asked(limits: FormLimits) -> None:
    """Both are declared; else the summary is the label, and what is typed has its type's hint."""
    declared = Param("a", "Aaa", WORDS, label="A", hint="So.", required=True)
    params = declared, Param("b", "B" * 60, PAGE, "b"), Param("c", "C", ZONE, "c")
    a, b, c = form_of(Call(command_with(*params), {}), limits).fields
    assert (a.label, a.hint, a.param.required) == ("A", "So.", True)
    assert (len(b.label), b.hint) == (min(60, limits.longest_label), PAGE.expected)
    assert (c.hint == "") == (c.kind is FieldKind.SEARCH)


def test_a_hint_is_shown_once() -> None:
    """Two arguments that are given alike have one hint between them."""
    hinted = [name for name, each in fields(IN_SLACK, Call(SEARCH, {})).items() if each.hint]
    assert hinted == ["query", "author", "since"]


@pytest.mark.parametrize("limits", BOTH)
@pytest.mark.parametrize("command", [SEARCH, ALERT, NOTE_ON])
def test_the_longest_form_is_an_allowed_command_string(
    limits: FormLimits, command: Command
) -> None:
    """All that can be typed into a form fits into one command string."""
    longest = {name: "x" * each.longest for name, each in fields(limits, Call(command, {})).items()}
    assert len(command_string(command, longest)) <= LONGEST_COMMAND_STRING


@pytest.mark.parametrize(
    ("opened", "entered", "called"),
    [
        ({}, {"day": "friday", "topic": "", "size": "3"}, {"day": "friday", "size": "3"}),
        # A change names the topics that were taken out.
        (
            {"change": "7", "topic": "rag"},
            {"day": "friday", "topic": ""},
            {"change": "7", "day": "friday", "topic": "none", "not": "none"},
        ),
        # What the form had no field for stays, and what nobody asked for is dropped.
        ({"size": "3"}, {"day": "", "change": "7", "odd": "x"}, {"size": "3"}),
        # Blanks around a value, and a value of blanks, say nothing.
        ({}, {"day": " friday ", "time": " \n", "zone": "\u00a0"}, {"day": "friday"}),
    ],
)
def test_a_submitted_form_is_a_call(
    opened: dict[str, str], entered: dict[str, str], called: dict[str, str]
) -> None:
    """Each field is an argument beside those that the form was opened with."""
    assert submitted(Call(SUBSCRIBE, opened), entered).arguments == called
