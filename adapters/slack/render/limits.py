"""How much Slack takes in one message, and how much of that is used."""

# https://docs.slack.dev/reference/block-kit/blocks
MOST_BLOCKS = 50
# https://docs.slack.dev/reference/block-kit/blocks/header-block
LONGEST_HEADER = 150
# https://docs.slack.dev/reference/block-kit/blocks/actions-block
MOST_IN_ROW = 25

# All blocks of a message as JSON. Slack documents no limit and refuses some 13,200 characters:
# https://github.com/slackapi/bolt-js/issues/2509
LONGEST_JSON = 12_000
# The `text` beside the blocks; beyond it Slack may cut:
# https://docs.slack.dev/reference/methods/chat.postMessage
LONGEST_TEXT = 4_000

# A text of more weight (see `texts.weight`) is cut, so that any run fits into a message whatever
# stands around it there, and no element holds the 3,000 characters of a text object.
HEAVIEST_RUN = 2_000
# The same of text that is kept as it stands, such as a short file, and has nothing around it.
HEAVIEST_KEPT = 2_700
# An address of more weight is shown, not linked.
HEAVIEST_URL = 500
# The command behind a button, as JSON; one of `bot.app.LONGEST_LINE` plain characters passes.
LONGEST_COMMAND_JSON = 1_300
