"""How much Discord takes in one message, and how much of that is used."""

# https://docs.discord.com/developers/components/reference#legacy-message-component-behavior
# (components v2: 40 of them, nested ones included, and so many characters over all texts)
MOST_COMPONENTS = 40
LONGEST_TEXT = 4_000
# https://docs.discord.com/developers/components/reference#action-row
MOST_IN_ROW = 5
# Rows of a message without components v2; a part has no more in either form, so that it is the
# same part.
# https://docs.discord.com/developers/components/reference#legacy-message-component-behavior
MOST_ROWS = 5

# A text of more weight (see `texts.weight`) is cut, so that any run fits into a message whatever
# stands around it there, with addresses thrice as long as they were given.
HEAVIEST_RUN = 1_300
# The same of text that is kept as it stands, such as a short file: no address in it grows.
HEAVIEST_KEPT = 3_000
# An address that is longer once it is escaped is shown, not linked.
LONGEST_URL = 500
# A longer title is bold instead of large.
LONGEST_HEADER = 150
