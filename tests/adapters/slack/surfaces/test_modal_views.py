"""Any answer fits into a modal and into App Home."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from adapters.common.forms import form_of
from adapters.slack.render import render_view
from adapters.slack.render.limits import LIMITS
from adapters.slack.surfaces.home import home_view
from adapters.slack.surfaces.modal_views import (
    FORM_LIMITS,
    Metadata,
    View,
    answer_modal,
    form_modal,
    loading_modal,
    read_metadata,
    submitted_modal,
    update_response,
)
from bot.commands.handlers.search import SEARCH
from bot.commands.parser import LONGEST_COMMAND_STRING
from bot.commands.types import Call
from bot.errors import Option
from bot.replies.blocks import PaperLine, PaperList, Reply, Text
from store.text import storable
from tests.adapters.slack.payload_rules import judge_view
from tests.any_replies import REPLIES
from tests.fakes.slack.records import buttons

LONG = Reply(
    (
        Text("Words. " * 3000),
        PaperList(tuple(PaperLine(str(n), "A title", "A line", f"s:{n}") for n in range(200))),
    ),
    command="search words",
)


@given(reply=REPLIES | st.just(LONG), part=st.integers(0, 4))
def test_slack_accepts_any_answer_in_a_modal(reply: Reply, part: int) -> None:
    """Any reply is within Slack's limits in a modal, with and without a form, and in App Home."""
    judge_view(searched(reply, part))
    judge_view(submitted_modal({**searched(reply, part), "state": {}}, reply))
    judge_view(answer_modal(reply, Metadata("search words"), "search words", part))
    rendered = render_view(reply, part, most_blocks=30)
    judge_view(home_view([{"type": "divider"}], [rendered, rendered, rendered]))


def searched(reply: Reply, part: int = 1) -> View:
    """Return the modal of a search with a part of its answer."""
    entered = {"query": "words", "topic": "agents"}
    form = form_of(Call(SEARCH, entered), FORM_LIMITS, {"topic": [Option("agents", "41 papers")]})
    return form_modal(form, Metadata("search words"), reply, part)


def test_a_long_answer_goes_on_in_its_modal() -> None:
    """The rest of a long answer is behind the button to the next part."""
    first = searched(LONG)
    more = [each for _, each in buttons(first["blocks"]) if each["text"]["text"] == "More"]
    assert [each["value"] for each in more] == ["2 search words"]


def test_a_modal_keeps_its_back_button() -> None:
    """The back button names its target; a modal without one has no back button."""
    reply = Reply((Text("Words."),))
    modals = {
        back: answer_modal(reply, Metadata(back), back)
        for back in ("search moe", "papers 2501.12948", "preview 7", "")
    }
    rows = {back: [words(each) for each in shown(modal)] for back, modal in modals.items()}
    assert rows == {
        "search moe": ["Back to the search"],
        "papers 2501.12948": ["Back to the papers"],
        "preview 7": ["Back"],
        "": [],
    }
    assert {back: read_metadata(modal).back for back, modal in modals.items()} == {
        back: back for back in modals
    }


@given(
    line=st.text(max_size=LONGEST_COMMAND_STRING).map(storable).filter(LIMITS.is_pressable),
    channel=st.none() | st.just("C123"),
    hidden=st.dictionaries(st.sampled_from(["change", "again"]), st.just("12")),
)
def test_the_metadata_of_a_modal_is_read_back(
    line: str, channel: str | None, hidden: dict[str, str]
) -> None:
    """The longest command string, the channel and the hidden arguments are read back whole."""
    kept = Metadata(line, channel, hidden)
    modal = answer_modal(Reply((Text("Words."),)), kept)
    judge_view(modal)
    assert read_metadata(modal) == kept


def test_the_loading_modal_is_accepted() -> None:
    """The loading modal is one that Slack accepts."""
    judge_view(loading_modal())
    assert update_response(loading_modal())["response_action"] == "update"


def shown(modal: View) -> list[dict[str, Any]]:
    """Return the buttons of a modal."""
    return [button for _, button in buttons(modal["blocks"])]


def words(button: dict[str, Any]) -> str:
    """Return the words on a button."""
    return str(button["text"]["text"])
