"""How much of a text Slack takes. Pure."""

from json import dumps

from adapters.common.layout.pieces import Measure
from adapters.common.layout.texts import is_address
from adapters.slack.render.buttons import LONGEST_LABEL, LONGEST_OPTION, is_pickable
from adapters.slack.render.limits import (
    HEAVIEST_KEPT,
    HEAVIEST_RUN,
    HEAVIEST_URL,
    LONGEST_COMMAND_JSON,
    LONGEST_HEADER,
)
from adapters.slack.render.texts import weight

_MOST_JSON = 13  # of a sign: two surrogates, and the sign's share of the quotes
_HEAVIEST_SIGN = 6  # the same, weighed
_SPAN_WEIGHT = 35  # what an element takes around its words, weighed as `texts.weight` does


def is_pressable(command: str) -> bool:
    """Tell whether a command fits behind a button, beside other things in a message."""
    most = _MOST_JSON * len(command)
    return most <= LONGEST_COMMAND_JSON or len(dumps(command)) <= LONGEST_COMMAND_JSON


def is_linkable(url: str) -> bool:
    """Tell whether a link may lead to an address; others are shown as text."""
    return is_address(url) and weight(url) <= HEAVIEST_URL


MEASURE = Measure(
    weight=weight,
    heaviest_sign=_HEAVIEST_SIGN,
    span_weight=_SPAN_WEIGHT,
    heaviest_run=HEAVIEST_RUN,
    heaviest_kept=HEAVIEST_KEPT,
    longest_header=LONGEST_HEADER,
    longest_label=LONGEST_LABEL,
    longest_option=LONGEST_OPTION,
    is_pressable=is_pressable,
    is_pickable=is_pickable,
    is_linkable=is_linkable,
    links_words=True,
)
