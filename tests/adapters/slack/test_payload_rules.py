"""The judge refuses each payload that Slack would refuse."""

from typing import Any

import pytest

from tests.adapters.slack.payload_rules import RefusedError, judge_message, judge_view


def _plain(words: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": words}


def _mrkdwn(words: str) -> dict[str, Any]:
    return {"type": "mrkdwn", "text": words}


def _button(number: int = 1, **others: Any) -> dict[str, Any]:
    button = {"type": "button", "text": _plain("Next"), "action_id": f"run-{number}"}
    return {**button, "value": "1 latest", **others}


def _rich(*elements: dict[str, Any]) -> dict[str, Any]:
    section = {"type": "rich_text_section", "elements": list(elements)}
    return {"type": "rich_text", "elements": [section]}


def _cell(words: str) -> dict[str, Any]:
    return {"type": "raw_text", "text": words}


_TABLE: dict[str, Any] = {"type": "table", "rows": [[_cell("Source"), _cell("Title")]]}

_LINE: dict[str, Any] = {"name": "agents", "data": [{"label": "Jan 5", "value": 12.5}]}
_AXES: dict[str, Any] = {"categories": ["Jan 5"], "y_label": "Percent"}


def _chart(title: str = "Shares", **others: Any) -> dict[str, Any]:
    lines = {"type": "line", "series": [_LINE], "axis_config": _AXES, **others}
    return {"type": "data_visualization", "title": title, "chart": lines}


_HEADER = {"type": "header", "text": _plain("Papers")}
_LONG = {"type": "section", "text": _mrkdwn("x" * 2_900)}
_GOOD = [
    _HEADER,
    {"type": "section", "text": _mrkdwn("Since <!date^1767600000^{date}^Jan 5>, *new* &amp; old")},
    {"type": "context", "elements": [_plain("faint")]},
    {"type": "divider"},
    _rich(
        {"type": "text", "text": "<!channel>", "style": {"bold": True}},
        {"type": "link", "url": "https://example.org/", "text": "here"},
        {"type": "emoji", "name": "warning"},
        {"type": "user", "user_id": "U1"},
    ),
    {"type": "actions", "elements": [_button()]},
]

_BAD = {
    "no block": [],
    "51 blocks": [_HEADER] * 51,
    "13,000 characters": [_LONG] * 5,
    "an unknown block": [{"type": "heading", "text": _plain("x")}],
    "markdown": [{"type": "markdown", "text": "x"}],
    "a header of 151": [{"type": "header", "text": _plain("x" * 151)}],
    "a blank header": [{"type": "header", "text": _plain(" ")}],
    "a header in mrkdwn": [{"type": "header", "text": _mrkdwn("x")}],
    "a section of 3,001": [{"type": "section", "text": _mrkdwn("x" * 3_001)}],
    "an empty section": [{"type": "section"}],
    "a field of 2,001": [{"type": "section", "fields": [_plain("x" * 2_001)]}],
    "eleven in a context": [{"type": "context", "elements": [_plain("x")] * 11}],
    "an empty context": [{"type": "context", "elements": []}],
    "an empty row": [{"type": "actions", "elements": []}],
    "26 in a row": [{"type": "actions", "elements": [_button(n) for n in range(26)]}],
    "an action id twice": [{"type": "actions", "elements": [_button(), _button()]}],
    "an action id in two rows": [{"type": "actions", "elements": [_button()]}] * 2,
    "a block id twice": [{"type": "divider", "block_id": "a"}] * 2,
    "a blank label": [{"type": "actions", "elements": [_button(text=_plain(" "))]}],
    "a label of 76": [{"type": "actions", "elements": [_button(text=_plain("x" * 76))]}],
    "a value of 2,001": [{"type": "actions", "elements": [_button(value="x" * 2_001)]}],
    "everybody": [{"type": "section", "text": _mrkdwn("hear <!here>")}],
    "somebody": [{"type": "context", "elements": [_mrkdwn("<@U1>")]}],
    "a channel": [{"type": "section", "fields": [_mrkdwn("<#C1>")]}],
    "a group": [{"type": "section", "text": _mrkdwn("<!subteam^S1>")}],
    "a bare ampersand": [{"type": "section", "text": _mrkdwn("this & that")}],
    "empty rich text": [{"type": "rich_text", "elements": []}],
    "an empty section of rich text": [_rich()],
    "rich text without words": [_rich({"type": "text", "text": ""})],
    "blank rich text": [_rich({"type": "text", "text": " "}, {"type": "text", "text": "\n"})],
    "a mention in rich text": [_rich({"type": "broadcast", "range": "here"})],
    "mrkdwn in rich text": [_rich(_mrkdwn("x"))],
    "a style by a word": [_rich({"type": "text", "text": "x", "style": {"bold": "yes"}})],
    "a strange style": [_rich({"type": "text", "text": "x", "style": {"big": True}})],
    "a link to nowhere": [_rich({"type": "link", "url": "javascript:x", "text": "x"})],
    "words outside a section": [{"type": "rich_text", "elements": [{"type": "text", "text": "x"}]}],
    "two tables": [_TABLE, _TABLE],
    "a table with an empty cell": [{**_TABLE, "rows": [[{"type": "raw_text", "text": ""}]]}],
    "uneven rows": [{**_TABLE, "rows": [_TABLE["rows"][0], []]}],
    "too many rows": [{**_TABLE, "rows": [*_TABLE["rows"]] * 101}],
    "too many words in a table": [{**_TABLE, "rows": [[_cell("x" * 2_001)] * 5]}],
    "three charts": [_chart()] * 3,
    "a title of 51 over a chart": [_chart("x" * 51)],
    "a chart without lines": [_chart(series=[])],
    "seven lines": [_chart(series=[{**_LINE, "name": str(n)} for n in range(7)])],
    "two lines of one name": [_chart(series=[_LINE, _LINE])],
    "a line's name of 21": [_chart(series=[{**_LINE, "name": "x" * 21}])],
    "a line with a gap": [_chart(axis_config={"categories": ["Jan 5", "Jan 12"]})],
    "a point without number": [
        _chart(series=[{**_LINE, "data": [{**_LINE["data"][0], "value": None}]}])
    ],
    "half a sign": [_rich({"type": "text", "text": "\ud83d"})],
    "a control character": [_rich({"type": "text", "text": "\x1b[31m"})],
}


def test_accepted_payloads_pass() -> None:
    """A message of good blocks is let pass, and one of text alone."""
    judge_message({"text": "Papers &lt;!channel&gt;", "blocks": [*_GOOD, _TABLE, _chart()]})
    judge_message({"text": "Papers"})


@pytest.mark.parametrize("name", _BAD)
def test_bad_blocks_are_refused(name: str) -> None:
    """No block beyond a limit, empty or effective where it should not be is let pass."""
    with pytest.raises(RefusedError):
        judge_message({"text": "x", "blocks": _BAD[name]})


@pytest.mark.parametrize("text", [None, "", " \n", "x" * 4_001, "<!channel>", "<@U1>", "a & b"])
def test_bad_texts_are_refused(text: str | None) -> None:
    """A message needs a text of at most 4,000 characters without mentions."""
    with pytest.raises(RefusedError):
        judge_message({"text": text, "blocks": _GOOD})


def test_views_are_judged() -> None:
    """A view may have 100 blocks, a modal a title of 24 characters, and no more."""
    divider = {"type": "divider"}
    judge_view({"type": "home", "blocks": [divider] * 100})
    judge_view({"type": "modal", "title": _plain("x" * 24), "blocks": _GOOD})
    for view in (
        {"type": "home", "blocks": [divider] * 101},
        {"type": "modal", "title": _plain("x" * 25), "blocks": _GOOD},
        {"type": "modal", "blocks": _GOOD},
        {"type": "home", "blocks": []},
        {"type": "home", "blocks": [_TABLE]},
        {"type": "home", "blocks": [_chart()]},
        {"type": "home", "blocks": _BAD["a control character"]},
    ):
        with pytest.raises(RefusedError):
            judge_view(view)
