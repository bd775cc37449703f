"""The limits of a message in Slack, and how much of them is used."""

from adapters.common.layout.limits import Cost, Costs, Limits, Look, Shape, TextCosts
from adapters.slack.render.buttons import LONGEST_LABEL, LONGEST_OPTION, MOST_OPTIONS
from adapters.slack.render.files import LONGEST_CHART, LONGEST_CHART_WORDS
from bot.commands.parser import LONGEST_COMMAND_STRING

# https://docs.slack.dev/reference/block-kit/blocks
MOST_BLOCKS = 50
# https://docs.slack.dev/reference/block-kit/blocks/header-block
LONGEST_HEADER = 150

# All blocks of a message as JSON. Slack documents no limit and refuses some 13,200 characters:
# https://github.com/slackapi/bolt-js/issues/2509
_LONGEST_JSON = 12_000
# The `text` beside the blocks; beyond it Slack may cut:
# https://docs.slack.dev/reference/methods/chat.postMessage
_LONGEST_TEXT = 4_000

# What Slack asks to be escaped, as `&amp;`, `&lt;`, `&gt;`:
# https://docs.slack.dev/messaging/formatting-message-text
_MRKDWN = TextCosts(signs=(("&", 4), ("<", 3), (">", 3)))
_JSON = TextCosts(beyond=6, signs=(('"', 1), ("\\", 1), ("\n", 1)))

# What stands in JSON around the words of each, at most, with quotes, the blank and the comma.
_BLOCK = Cost(elements=1, payload=100, text=1)
_LINE = Cost(payload=35, text=1)
_STYLED = Cost(payload=60)

_COSTS = Costs(
    words={
        **dict.fromkeys(Shape, _BLOCK),
        Shape.BULLET: Cost(elements=1, payload=150, text=3),
        Shape.QUOTE: Cost(elements=1, payload=100, text=3),
    },
    joined={**dict.fromkeys(Shape, _LINE), Shape.BULLET: Cost(payload=50, text=3)},
    words_with_button=Cost(payload=125),
    words_with_menu=Cost(payload=150),
    span={
        Look.PLAIN: Cost(payload=32),
        Look.BOLD: _STYLED,
        Look.FAINT: _STYLED,
        Look.SIGN: Cost(payload=70),
    },
    link=Cost(payload=44, text=3),
    instant=Cost(payload=32),
    row=Cost(elements=1, payload=40, rows=1),
    button=Cost(payload=125),
    spoken=Cost(payload=32),
    menu=Cost(elements=1, payload=192, rows=1),
    option=Cost(payload=80),
    file=Cost(elements=1, payload=LONGEST_CHART, text=LONGEST_CHART_WORDS),
    table=Cost(elements=1, payload=120),
    cell=Cost(payload=75),
)

LIMITS = Limits(
    message=Cost(MOST_BLOCKS, _LONGEST_JSON, _LONGEST_TEXT, rows=MOST_BLOCKS),
    costs=_COSTS,
    text=_MRKDWN,
    verbatim=_MRKDWN,
    payload=_JSON,
    url=_MRKDWN,
    # Any run fits into a message whatever stands around it there, and no element holds the 3,000
    # characters of a text object.
    longest_run=2_000,
    longest_verbatim=2_700,
    longest_marks=35,
    longest_character=6,
    longest_url=500,
    longest_header=LONGEST_HEADER,
    longest_label=LONGEST_LABEL,
    longest_option=LONGEST_OPTION,
    longest_command=LONGEST_COMMAND_STRING,
    longest_command_payload=1_300,
    # A value of 150 characters holds the part too:
    # https://docs.slack.dev/reference/block-kit/composition-objects/option-object
    longest_picked_command=148,
    # https://docs.slack.dev/reference/block-kit/blocks/actions-block
    most_in_row=25,
    most_options=MOST_OPTIONS,
    # https://docs.slack.dev/reference/block-kit/blocks/table-block (the headings are a row too)
    most_columns=20,
    most_rows=99,
    links_addresses=True,
    puts_menus_beside=True,
    shares_menu_rows=True,
    names_buttons=True,
)
