"""A chart stands in a message in place of its picture where Slack can draw it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.render import FileLocation, preview, render_message, render_view
from adapters.slack.render.files import chart_block, sent_files
from bot.replies.blocks import Chart, File
from tests.adapters.slack.payload_rules import judge_message
from tests.file_replies import CHART, CHARTED, PICTURE, TABLE, reply_with

_KIND = "data_visualization"
_LABELS = st.sampled_from(("agents", "rag", " ", "", "é" * 20, "x" * 21, "y" * 50, "z" * 51))


def _charts(points: int) -> st.SearchStrategy[Chart]:
    categories = st.tuples(*[_LABELS | st.integers().map(str)] * points)
    values = st.tuples(*[st.floats(0, 100)] * points)
    series = st.lists(st.tuples(_LABELS, values), max_size=8).map(tuple)
    return st.builds(Chart, _LABELS, _LABELS, categories, series)


def _kinds(file: File, location: FileLocation | None) -> list[str]:
    rendered = render_message(reply_with(file), files=location)
    return [block["type"] for block in rendered.blocks]


def test_the_last_points_are_drawn() -> None:
    """Of more points than Slack takes the last twenty stand, and of a long name its beginning."""
    block = chart_block(CHART)
    assert block
    chart = block["chart"]
    assert (block["title"], chart["type"]) == ("Papers a week", "line")
    assert [each["name"] for each in chart["series"]] == ["agents", "reinforcement-learn…"]
    assert chart["axis_config"]["categories"][0] == "Week 6"
    assert chart["axis_config"]["y_label"] == "Papers"
    assert chart["series"][0]["data"][-1] == {"label": "Week 25", "value": 24}


@pytest.mark.parametrize(("gap", "charted"), [(3, None), (7, None), (8, 8), (19, 19), (24, 20)])
def test_a_chart_begins_behind_the_last_gap(gap: int, charted: int | None) -> None:
    """A line of Slack's shows no gap; fewer than eight points behind one are no line."""
    values = tuple(None if ago == gap else 1.0 for ago in reversed(range(25)))
    block = chart_block(replace(CHART, series=(("agents", values),)))
    drawn = block["chart"]["series"][0]["data"] if block else None
    assert (len(drawn) if drawn else None) == charted


def test_the_text_names_a_chart() -> None:
    """Who can't see it reads what it is of; the rest of the answer says its numbers, once."""
    text = render_message(reply_with(CHARTED), files=FileLocation.CHART).text
    assert text.split("\n")[1] == "Chart: Papers a week, Week 6 to Week 25"


@pytest.mark.parametrize(
    "chart",
    [
        replace(CHART, series=CHART.series * 2),
        replace(CHART, series=()),
        replace(CHART, categories=(), series=(("agents", ()),)),
        replace(CHART, title="x" * 51),
        replace(CHART, categories=tuple("é" * 18 + f"{each:02}" for each in range(25))),
    ],
)
def test_a_picture_whose_numbers_do_not_fit_is_sent(chart: Chart) -> None:
    """A chart that Slack would refuse, or that fills a message, is none: the picture comes."""
    reply = reply_with(replace(PICTURE, chart=chart))
    shown = render_message(reply, files=FileLocation.CHART)
    assert "comes in a direct message" in shown.text
    assert len(sent_files(reply, FileLocation.CHART)) == 1


def test_only_the_answer_to_one_person_has_a_chart() -> None:
    """A view, a post, and an answer that its picture follows have none."""
    assert _kinds(CHARTED, FileLocation.CHART) == ["header", _KIND, "rich_text"]
    for location in (FileLocation.DIRECT, FileLocation.BELOW, FileLocation.NOWHERE, None):
        assert _KIND not in _kinds(CHARTED, location)
    view = render_view(reply_with(CHARTED), most_blocks=50, files=FileLocation.DIRECT)
    assert _KIND not in [block["type"] for block in view.blocks]


def test_other_files_are_sent() -> None:
    """Beside a chart other files go where they go without one."""
    reply = reply_with(CHARTED, TABLE)
    assert [each.name for each in sent_files(reply, FileLocation.CHART)] == ["saved.bib"]
    assert "The file saved.bib comes" in render_message(reply, files=FileLocation.CHART).text


def test_a_preview_has_the_chart() -> None:
    """`ask --as slack` shows the chart, and uploads nothing."""
    shown = preview(reply_with(CHARTED))
    assert _KIND in [block["type"] for block in shown["blocks"]]
    assert "files" not in shown


@given(st.integers(0, 23).flatmap(_charts))
def test_slack_accepts_the_message_of_any_chart(chart: Chart) -> None:
    """Whatever its names and numbers, the message is within Slack's limits."""
    rendered = render_message(reply_with(replace(PICTURE, chart=chart)), files=FileLocation.CHART)
    judge_message({"text": rendered.text, "blocks": rendered.blocks})
