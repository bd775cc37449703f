"""Any answer fits into a window, and into App Home, beside what else stands there."""

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.slack.home import home_view
from adapters.slack.modals import answer_window, instead, search_window, waiting_window
from adapters.slack.render import render_view
from bot.errors import Option
from bot.replies import PaperLine, PaperList, Reply, Text
from tests.adapters.slack.judge import judge_view
from tests.fakes.slack.records import buttons
from tests.replies import REPLIES

LONG = Reply(
    (
        Text("Words. " * 3000),
        PaperList(tuple(PaperLine(str(n), "A title", "A line", f"s:{n}") for n in range(200))),
    ),
    line="search words",
)


@settings(max_examples=30, deadline=None)
@given(reply=REPLIES | st.just(LONG), part=st.integers(0, 4))
def test_slack_takes_any_answer_in_a_window(reply: Reply, part: int) -> None:
    """A window of any reply keeps Slack's limits, below a form and alone, and so does Home."""
    entered = {"query": Option("words"), "topic": Option("agents", "41 papers")}
    judge_view(search_window(entered, reply, "search words", part))
    judge_view(answer_window(reply, "search words", part=part))
    rendered = render_view(reply, part, most_blocks=30)
    judge_view(home_view([{"type": "divider"}], [rendered, rendered, rendered]))


def test_a_long_answer_goes_on_in_its_window() -> None:
    """What one window can't hold stands behind the button to the next part."""
    first = search_window({"query": Option("words")}, LONG, "search words")
    more = [each for _, each in buttons(first["blocks"]) if each["text"]["text"] == "More"]
    assert [each["value"] for each in more] == ["2 search words"]


def test_a_window_remembers_the_way_back() -> None:
    """The search and a list of papers stand in what leads on from them; an answer hands on both."""
    reply = Reply((Text("Words."),))
    windows = (
        search_window({}, reply, "search moe"),
        answer_window(reply, "search moe"),
        answer_window(reply, "search", here="papers 2501.12948"),
        answer_window(reply, "papers 2501.12948"),
    )
    backs = [[each["text"]["text"] for _, each in buttons(each["blocks"])] for each in windows]
    assert list(zip(backs, [each["private_metadata"] for each in windows], strict=True)) == [
        ([], "search moe"),
        (["Back to the search"], "search moe"),
        (["Back to the search"], "papers 2501.12948"),
        (["Back to the papers"], "papers 2501.12948"),
    ]


def test_a_window_may_wait_for_its_answer() -> None:
    """A window without anything to show yet is one that Slack takes."""
    judge_view(waiting_window())
    assert instead(waiting_window())["response_action"] == "update"
