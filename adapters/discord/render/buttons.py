"""What a button or a select in Discord carries: a command typed for you. Pure.

All of its meaning stands in its id, so that it works after a restart and on any replica. An id
holds 100 characters; a line too long for that is kept in the store, and the id has its digest.
https://docs.discord.com/developers/components/reference#anatomy-of-a-component
"""

import base64
import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum

LONGEST_ID = 100
# https://docs.discord.com/developers/components/reference#button
LONGEST_LABEL = 80
# https://docs.discord.com/developers/components/reference#string-select
LONGEST_OPTION = 100
MOST_OPTIONS = 25
# https://docs.discord.com/developers/resources/message#create-message (the length of a nonce)
LONGEST_KEY = 25
_DIGEST = "#"  # no line begins so


class Verb(StrEnum):
    """What pressing does.

    It answers, turns to another page of what is seen, shares that, or opens a form. A `PICK` is a
    select, whose chosen value is the line.
    """

    RUN = "r"
    TURN = "t"
    SHARE = "s"
    FORM = "f"
    PICK = "p"


# How an id looks: verb and number, part, the key of the post it stands in, line.
_REST = r"(?P<number>\d+)\.(?P<part>\d+)\.(?P<key>[\w-]*)\.(?P<line>.*)"
BUTTON_ID = re.compile(rf"(?P<verb>[rtsf]){_REST}", re.DOTALL)
SELECT_ID = re.compile(rf"(?P<verb>p){_REST}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed: a command line and the part (from 1) of the answer to it.

    `key` is the idempotency key of the post that the button stands in, `` where it is none. A
    `line` that begins with `#` is the digest of one that is kept in the store.
    """

    verb: Verb
    line: str
    part: int = 1
    key: str = ""


def custom_id(press: Press, number: int) -> str:
    """Return the id of a button; `number` tells it from the others of its message."""
    before = f"{press.verb.value}{number}.{press.part}.{press.key}."
    return before + packed(press.line, LONGEST_ID - len(before))


def read_id(text: str) -> Press | None:
    """Return what the id of a button or select means, `None` where it is none of ours."""
    found = BUTTON_ID.fullmatch(text) or SELECT_ID.fullmatch(text)
    if found is None:
        return None
    return Press(Verb(found["verb"]), found["line"], int(found["part"]), found["key"])


def packed(line: str, room: int = LONGEST_OPTION) -> str:
    """Return a line, or its digest where it is longer than the room for it."""
    return line if len(line) <= room and line[:1] != _DIGEST else _DIGEST + digest(line)


def is_kept(text: str, line: str) -> bool:
    """Tell whether an id or a value stands for a line by its digest only."""
    return not text.endswith(line)


def digest(line: str) -> str:
    """Return the name of a line that is kept in the store: 22 characters."""
    hashed = hashlib.blake2b(line.encode(), digest_size=16).digest()
    return base64.urlsafe_b64encode(hashed).decode().rstrip("=")


def kept_digest(line: str) -> str | None:
    """Return the digest that stands for a line in an id, `None` where it stands there itself."""
    return line.removeprefix(_DIGEST) if line.startswith(_DIGEST) else None
