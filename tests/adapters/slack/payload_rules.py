"""A judge of what is sent to Slack, stricter than the SDK: it refuses what Slack would refuse.

The SDK's models check their own limits; what stands here is what they let pass.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from json import dumps, loads
from reprlib import repr as _shortened
from typing import Any

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.blocks import Block
from slack_sdk.models.views import View

# https://docs.slack.dev/reference/block-kit/blocks
_MOST_BLOCKS = 50
_MOST_VIEW_BLOCKS = 100
# https://github.com/slackapi/bolt-js/issues/2509
_LONGEST_JSON = 13_000
# https://docs.slack.dev/reference/methods/views.publish#errors
_LONGEST_VIEW_JSON = 250_000
# https://docs.slack.dev/reference/methods/chat.postMessage
_LONGEST_TEXT = 4_000
# https://docs.slack.dev/reference/block-kit/composition-objects/text-object
_LONGEST_TEXT_OBJECT = 3_000
# https://docs.slack.dev/reference/block-kit/blocks/section-block
_LONGEST_FIELD = 2_000
_LONGEST_ID = 255
# https://docs.slack.dev/reference/block-kit/composition-objects/option-object
_LONGEST_LABEL, _LONGEST_VALUE, _MOST_OPTIONS = 75, 150, 100
# https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element
_MOST_IN_OVERFLOW = 5
# https://docs.slack.dev/reference/block-kit/block-elements/radio-button-group-element
_MOST_RADIO_BUTTONS = 10
# https://docs.slack.dev/reference/block-kit/blocks/table-block
_MOST_ROWS, _MOST_CELLS, _LONGEST_CELLS = 100, 20, 10_000
# https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block; two in a message:
# https://github.com/vercel/chat/pull/696
_MOST_CHARTS, _MOST_SERIES, _MOST_POINTS = 2, 6, 20
_LONGEST_CHART_TITLE, _LONGEST_POINT = 50, 20
_TIME = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
_INPUTS = {
    "conversations_select", "external_select", "multi_external_select", "number_input",
    "plain_text_input", "radio_buttons", "static_select", "timepicker",
}  # fmt: skip
_ROOTS = {"rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"}
_STYLES = {"bold", "italic", "strike", "code", "underline"}
_NAMES = {"text": "text", "emoji": "name", "user": "user_id", "link": "url"}
# What in mrkdwn mentions somebody; a date does not.
_MENTION = re.compile(r"<(?!!date\^)[!@#]|<subteam", re.IGNORECASE)
# A sign that should have been escaped: https://docs.slack.dev/messaging/formatting-message-text
_BARE = re.compile(r"&(?!(amp|lt|gt);)")
_ADDRESS = re.compile(r"https?://[!-~]+")

_Object = dict[str, Any]


class RefusedError(Exception):
    """A payload that Slack would refuse, or show otherwise than meant."""


def judge_message(payload: _Object) -> None:
    """Judge a message, an acknowledgement or a posting, by its `text` and its `blocks`, if any.

    Raises:
        RefusedError: with the first thing wrong.
    """
    text = payload.get("text")
    _demand(isinstance(text, str) and bool(text.strip()), "text is blank", text)
    _demand(len(text or "") <= _LONGEST_TEXT, "text is too long", len(text or ""))
    _judge_mrkdwn(text or "")
    if payload.get("blocks") is not None:
        _judge_blocks(payload["blocks"], _MOST_BLOCKS, _LONGEST_JSON)


def judge_view(view: _Object) -> None:
    """Judge a modal or an App Home.

    Raises:
        RefusedError: with the first thing wrong.
    """
    try:
        View(**view).to_dict()
    except (SlackObjectFormationError, TypeError) as error:
        raise RefusedError(f"view: {error}") from error
    if view["type"] == "modal":
        _judge_text(view.get("title"), plain=True)
    _judge_blocks(view.get("blocks"), _MOST_VIEW_BLOCKS, _LONGEST_VIEW_JSON)


def _judge_blocks(blocks: object, most: int, longest: int) -> None:
    _demand(isinstance(blocks, list) and bool(blocks), "there are no blocks", blocks)
    assert isinstance(blocks, list)
    _demand(len(blocks) <= most, "there are too many blocks", len(blocks))
    _demand(len(dumps(blocks)) <= longest, "msg_blocks_too_long", len(dumps(blocks)))
    for block in blocks:
        if block["type"] != "data_visualization":  # which the SDK has no model of yet
            _judge_by_models(dumps(block))
        _demand(block["type"] in _JUDGES, "no such block here", block)
        _JUDGES[block["type"]](block)
    charts = [block for block in blocks if block["type"] == "data_visualization"]
    most_charts = _MOST_CHARTS if most == _MOST_BLOCKS else 0
    _demand(len(charts) <= most_charts, "two charts at most, in a message", charts)
    tables = [block for block in blocks if block["type"] == "table"]
    _demand(len(tables) <= (most == _MOST_BLOCKS), "only_one_table_allowed, in a message", tables)
    _judge_ids([each["block_id"] for each in blocks if "block_id" in each])
    _judge_ids([each["action_id"] for each in _objects(blocks) if "action_id" in each])


# Many tests send the same answers, and the models take as long as everything else.
@lru_cache(maxsize=4096)
def _judge_by_models(written: str) -> None:
    block = loads(written)
    try:
        (model,) = Block.parse_all([block])
        if model is None:
            raise RefusedError(f"no such block: {block}")
        model.to_dict()
    except (SlackObjectFormationError, TypeError, AttributeError) as error:
        raise RefusedError(f"{error}: {block}") from error


def _judge_ids(ids: list[str]) -> None:
    _demand(all(0 < len(each) <= _LONGEST_ID for each in ids), "an id is blank or too long", ids)
    _demand(len(set(ids)) == len(ids), "an id stands twice", ids)


def _judge_header(block: _Object) -> None:
    _judge_text(block.get("text"), plain=True)


def _judge_section(block: _Object) -> None:
    fields = block.get("fields", [])
    _demand("text" in block or bool(fields), "a section is empty", block)
    for field in fields:
        _judge_text(field)
        _demand(len(field["text"]) <= _LONGEST_FIELD, "a field is too long", field)
    if "text" in block:
        _judge_text(block["text"])
    if "accessory" in block:
        _judge_interactive(block["accessory"])


def _judge_context(block: _Object) -> None:
    _demand(bool(block["elements"]), "a context is empty", block)
    for element in block["elements"]:
        if element.get("type") != "image":
            _judge_text(element)


def _judge_actions(block: _Object) -> None:
    _demand(bool(block["elements"]), "a row of actions is empty", block)
    for element in block["elements"]:
        _judge_interactive(element)


def _judge_interactive(element: _Object) -> None:
    _demand("action_id" in element or element.get("type") == "image", "no action_id", element)
    if element["type"] == "button":
        _judge_text(element.get("text"), plain=True)
        value = element.get("value")
        _demand(value is None or bool(value), "a button's value is blank", element)
        _demand(element.get("accessibility_label", "…").strip(), "a blank name", element)
    if element["type"] == "static_select":
        _judge_text(element.get("placeholder"), plain=True)
        _judge_options(element, _MOST_OPTIONS)
    if element["type"] == "overflow":
        _judge_options(element, _MOST_IN_OVERFLOW)


def _judge_options(element: _Object, most: int) -> None:
    options = element.get("options") or []
    _demand(0 < len(options) <= most, "how many options", element)
    values = [each["value"] for each in options]
    _demand(len(set(values)) == len(values), "two options with one value", element)
    for option in options:
        _judge_option(option)


def _judge_rich_text(block: _Object) -> None:
    _demand(bool(block["elements"]), "rich text is empty", block)
    for root in block["elements"]:
        kind = root.get("type")
        _demand(kind in _ROOTS, "not of rich text", root)
        _demand(bool(root.get("elements")), "a part of rich text is empty", root)
        if kind == "rich_text_list":
            _demand(root.get("style") in {"bullet", "ordered"}, "a list's style", root)
            for item in root["elements"]:
                _demand(item.get("type") == "rich_text_section", "not an item of a list", item)
                _judge_inline(item)
        else:
            _judge_inline(root)


def _judge_inline(section: _Object) -> None:
    _demand(bool(section.get("elements")), "a section of rich text is empty", section)
    for element in section["elements"]:
        kind = element.get("type")
        _demand(kind in _NAMES, "not in rich text, or a mention", element)
        allowed = {"type", "style", "text", _NAMES[kind]}
        _demand(set(element) <= allowed, "a key that rich text has not", element)
        named = element.get(_NAMES[kind])
        _demand(isinstance(named, str) and bool(named), "rich text without words", element)
        _judge_style(element.get("style", {}))
        if kind == "link":
            _demand(bool(_ADDRESS.fullmatch(named)), "no address of the web", element)
            _demand(element.get("text", "…").strip() != "", "a link's words are blank", element)
        _judge_signs(element.get("text", ""))
    shown = "".join(element[_NAMES[element["type"]]] for element in section["elements"])
    _demand(bool(shown.strip()), "blank rich text", section)


def _judge_style(style: _Object) -> None:
    _demand(set(style) <= _STYLES, "a style", style)
    _demand(all(isinstance(each, bool) for each in style.values()), "a style", style)


def _judge_text(text: object, *, plain: bool = False) -> None:
    _demand(isinstance(text, dict), "no text object", text)
    assert isinstance(text, dict)
    kinds = {"plain_text"} if plain else {"plain_text", "mrkdwn"}
    _demand(text.get("type") in kinds, "not this kind of text", text)
    words = text.get("text")
    _demand(isinstance(words, str) and bool(words.strip()), "a text is blank", text)
    _demand(len(words or "") <= _LONGEST_TEXT_OBJECT, "a text is too long", len(words or ""))
    _judge_signs(words or "")
    if text["type"] == "mrkdwn":
        _judge_mrkdwn(words or "")


def _judge_mrkdwn(text: str) -> None:
    _demand(not _MENTION.search(text), "an effective mention", text)
    _demand(not _BARE.search(text), "an ampersand that is not escaped", text)
    _judge_signs(text)


def _judge_signs(text: str) -> None:
    odd = [sign for sign in text if sign != "\n" and (sign < " " or "\ud800" <= sign <= "\udfff")]
    _demand(not odd, "a control character or half a sign", text)
    _demand(len(text) <= _LONGEST_TEXT, "a text is too long", len(text))


def _judge_input(block: _Object) -> None:
    """Judge what an input shows first; https://docs.slack.dev/reference/block-kit/block-elements."""
    element = block["element"]
    _demand(element["type"] in _INPUTS, "no such input", element)
    options = element.get("options")
    most = _MOST_RADIO_BUTTONS if element["type"] == "radio_buttons" else _MOST_OPTIONS
    _demand(options is None or 0 < len(options) <= most, "how many options", element)
    chosen = [element["initial_option"]] if "initial_option" in element else []
    chosen += element.get("initial_options", [])
    _demand("initial_options" not in element or chosen, "no initial option", element)
    values = [each["value"] for each in chosen]
    _demand(len(set(values)) == len(values), "an option is chosen twice", element)
    _demand(options is None or all(each in options for each in chosen), "is no option", element)
    for option in [*(options or []), *chosen]:
        _judge_option(option)
    _demand(_TIME.fullmatch(element.get("initial_time", "00:00")), "no time", element)
    if element["type"] == "number_input":
        _demand(isinstance(element.get("is_decimal_allowed"), bool), "decimals or not", element)
        _demand(element.get("initial_value", "0").isdecimal(), "no number", element)


def _judge_option(option: _Object) -> None:
    _judge_text(option["text"], plain=True)
    label, value = option["text"]["text"], option["value"]
    fits = len(label) <= _LONGEST_LABEL and 0 < len(value) <= _LONGEST_VALUE
    _demand(fits, "an option is too long", option)
    if "description" in option:
        _judge_text(option["description"], plain=True)
        _demand(len(option["description"]["text"]) <= _LONGEST_LABEL, "an option's words", option)


def _judge_table(block: _Object) -> None:
    rows = block["rows"]
    _demand(0 < len(rows) <= _MOST_ROWS, "how many rows", len(rows))
    columns = len(rows[0])
    _demand(0 < columns <= _MOST_CELLS, "how many columns", columns)
    _demand(len(block.get("column_settings", [])) <= _MOST_CELLS, "how many settings", columns)
    _demand(all(len(row) == columns for row in rows), "rows of several lengths", rows)
    words = 0
    for cell in (cell for row in rows for cell in row):
        if cell["type"] == "raw_text":
            _demand(set(cell) == {"type", "text"} and cell["text"].strip(), "a cell", cell)
            _judge_signs(cell["text"])
            words += len(cell["text"])
        else:
            _demand(cell["type"] == "rich_text", "no such cell", cell)
            _judge_rich_text(cell)
            words += sum(len(each.get("text", "")) for each in _objects(cell))
    _demand(words <= _LONGEST_CELLS, "the cells of a table are too long", words)


def _judge_chart(block: _Object) -> None:
    """Judge a chart of lines; each has one point for each category, in their order."""
    chart, axes = block["chart"], block["chart"]["axis_config"]
    _demand(set(block) == {"type", "title", "chart"}, "a key that a chart has not", block)
    _demand(set(chart) == {"type", "series", "axis_config"}, "a key that lines have not", chart)
    _demand(chart["type"] == "line", "no such chart here", chart)
    _demand(set(axes) <= {"categories", "x_label", "y_label"}, "a key that axes have not", axes)
    labels = [axes[each] for each in ("x_label", "y_label") if each in axes]
    _judge_labels([block["title"], *labels], 3, _LONGEST_CHART_TITLE)
    names = [each["name"] for each in chart["series"]]
    for words, most in ((names, _MOST_SERIES), (axes["categories"], _MOST_POINTS)):
        _judge_labels(words, most, _LONGEST_POINT)
        _demand(len(set(words)) == len(words), "a name stands twice", words)
    for each in chart["series"]:
        points = [point["label"] for point in each["data"]]
        _demand(points == axes["categories"], "no point for each category", points)
        values = [point["value"] for point in each["data"]]
        _demand(all(isinstance(value, int | float) for value in values), "no number", values)


def _judge_labels(words: list[str], most: int, longest: int) -> None:
    _demand(0 < len(words) <= most, "how many labels", words)
    _demand(all(each.strip() and len(each) <= longest for each in words), "a label", words)
    for each in words:
        _judge_signs(each)


def _judge_nothing(_block: _Object) -> None:
    """Let pass what the models judge whole."""


_JUDGES: dict[str, Callable[[_Object], None]] = {
    "header": _judge_header,
    "section": _judge_section,
    "context": _judge_context,
    "actions": _judge_actions,
    "rich_text": _judge_rich_text,
    "input": _judge_input,
    "table": _judge_table,
    "data_visualization": _judge_chart,
    "divider": _judge_nothing,
    "image": _judge_nothing,
}


def _objects(value: object) -> Iterator[_Object]:
    """Yield every object inside a JSON value."""
    if isinstance(value, dict):
        yield value
    inner: Iterable[object] = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    for each in inner:
        yield from _objects(each)


def _demand(fine: object, sentence: str, about: object) -> None:
    if not fine:
        raise RefusedError(f"{sentence}: {_shortened(about)}")
