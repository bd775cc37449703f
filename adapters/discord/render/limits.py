"""The limits of a message in Discord, and how much of them is used."""

from adapters.common.layout.limits import Cost, Costs, Limits, Look, Shape, TextCosts
from adapters.discord.render.buttons import LONGEST_LABEL, LONGEST_OPTION, MOST_OPTIONS
from bot.commands.parser import LONGEST_COMMAND_STRING

# https://docs.discord.com/developers/components/reference#legacy-message-component-behavior
# (components v2: 40 of them, nested ones included, and so many characters over all texts)
MOST_COMPONENTS = 40
# A paper takes four of them: a section with its text and button, and the text below. Eleven go to
# the title, the facts, two menus, the pager and its row.
PAPERS_ON_PAGE = 7
_LONGEST_TEXT = 4_000
# https://docs.discord.com/developers/components/reference#action-row
MOST_IN_ROW = 5
# Discord takes more rows of buttons; nobody reads them.
_MOST_ROWS = 5

# A backslash before each sign that means something, an unseen sign behind `@`, and `<>` around an
# address, which has a colon; see `texts.in_markdown`.
_MARKDOWN = TextCosts(signs=(*((sign, 1) for sign in "\\*_~|`<[]@"), (":", 2)))
# Signs that end a link stand there as `%28`.
_URL = TextCosts(signs=tuple((sign, 2) for sign in "()*@"))
_VERBATIM = TextCosts(signs=(("`", 1),))  # three of them would end it
_NOTHING = TextCosts(ascii=0, beyond=0)

_BREAK = 2  # characters between two texts, at most
# See `markdown.in_words`; a heading may end with an unseen sign.
_MARKS = {
    Shape.HEADER: 4,
    Shape.NAME: 5,
    Shape.FAINT: 3,
    Shape.WORDS: 0,
    Shape.BULLET: 2,
    Shape.QUOTE: 2,
    Shape.VERBATIM: 8,
}

_COSTS = Costs(
    words={shape: Cost(elements=1, text=marks + _BREAK) for shape, marks in _MARKS.items()},
    joined={shape: Cost(text=marks + _BREAK) for shape, marks in _MARKS.items()},
    words_with_menu=Cost(),  # it has none
    words_with_button=Cost(elements=2),  # a section is the button, the text and itself
    # A sign that begins a line may need a backslash; the sign of a notice is shorter than its name.
    span={
        Look.PLAIN: Cost(text=1),
        Look.BOLD: Cost(text=4),
        Look.FAINT: Cost(text=4),
        Look.SIGN: Cost(),
    },
    link=Cost(text=6),
    instant=Cost(text=40),  # `<t:1767225600:F> (<t:1767225600:R>)`
    row=Cost(elements=1, rows=1),
    button=Cost(elements=1),
    menu=Cost(elements=2, rows=1),
)

LIMITS = Limits(
    message=Cost(MOST_COMPONENTS - 1, text=_LONGEST_TEXT, rows=_MOST_ROWS),  # one is the container
    costs=_COSTS,
    text=_MARKDOWN,
    verbatim=_VERBATIM,
    payload=_NOTHING,
    url=_URL,
    # Any run fits into a message whatever stands around it there, with addresses thrice as long as
    # they were given.
    longest_run=1_300,
    longest_verbatim=3_000,
    longest_marks=48,
    longest_character=3,
    longest_url=500,
    longest_header=150,  # a longer title is bold instead of large
    longest_label=LONGEST_LABEL,
    longest_option=LONGEST_OPTION,
    # A longer one stands in an id by its digest.
    longest_command=LONGEST_COMMAND_STRING,
    longest_command_payload=0,
    longest_picked_command=LONGEST_COMMAND_STRING,
    most_in_row=MOST_IN_ROW,
    most_options=MOST_OPTIONS,
    joins_texts=True,
    puts_buttons_beside=True,
    puts_titles_alone_beside=True,
    folds_buttons=True,
)
