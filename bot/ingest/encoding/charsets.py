"""Single-byte charsets that a document may have been read in by mistake.

An undecoded byte is the lone surrogate that Python's `surrogateescape` writes for it (PEP 383):
byte E2 is U+DCE2. So the rules about damage are written once, in bytes, for all charsets.
"""

import re
from dataclasses import dataclass

# ISO charsets first: in their text the control characters 80-9F get lost, in Windows text
# they are printed. Of charsets that fit equally well the first one is taken.
_NAMES = (
    "iso8859-13", "iso8859-16", "iso8859-1", "iso8859-15", "iso8859-2",
    "iso8859-4", "iso8859-9", "iso8859-10", "cp1252", "cp1250", "cp1257",
)  # fmt: skip
_FIRST_HIGH_BYTE = 0x80
_FIRST_AFTER_CONTROLS = 0xA0
_SURROGATE_OF_BYTE_0 = 0xDC00

# Bytes that open the sequences found in English text about papers: C2-C5 symbols and Latin
# letters, CE-CF Greek, E2 typography, EF the byte order mark, F0 emoji.
_TELLING_BYTES = (0xC2, 0xC3, 0xC4, 0xC5, 0xCE, 0xCF, 0xE2, 0xEF, 0xF0)
_FIRST_LEAD, _LAST_LEAD = 0xC2, 0xF4

HIGH = "[\udc80-\udcff]"
FOLLOWER = "[\udc80-\udcbf]"
SEQUENCE = (
    f"(?:[\udcc2-\udcdf]{FOLLOWER}|[\udce0-\udcef]{FOLLOWER}{{2}}|[\udcf0-\udcf4]{FOLLOWER}{{3}})"
)


@dataclass(frozen=True)
class Charset:
    """A single-byte charset: its letters to undecoded bytes and back.

    `leads` are the letters that can open a UTF-8 sequence, `telling` those of them by which a
    document is worth a check. `proof` matches undecoded bytes that no correct text holds.
    `loses_controls` is true if it prints bytes 80-9F as control characters, which later programs
    drop.
    """

    name: str
    undecode: dict[int, int]
    decode: dict[int, int]
    letters: frozenset[str]
    leads: frozenset[str]
    telling: frozenset[str]
    proof: re.Pattern[str]
    loses_controls: bool

    def as_bytes(self, text: str) -> str:
        """Turn the letters of this charset into undecoded bytes, and nothing else."""
        return text.translate(self.undecode)

    def as_letters(self, text: str) -> str:
        """Turn undecoded bytes back into letters of this charset."""
        return text.translate(self.decode)


# An ISO charset prints bytes 80-9F as control characters, which are in no text. Windows prints
# marks there, so that only what no language writes proves damage: an a with the euro
# sign, a dagger or a hat behind it (E2 80 to E2 8F, without the marks of quotation and the
# three dots, but with the whole of the euro and trade mark signs), and what opens an emoji.
_ISO_PROOF = re.compile("[\udc80-\udc9f]")
_WINDOWS_PROOF = re.compile(
    "\udce2[\udc80\udc81\udc83\udc86-\udc8f]|\udce2\udc82\udcac|\udce2\udc84\udca2|\udcf0\udc9f"
)


def _letter(name: str, byte: int) -> str | None:
    try:
        return bytes([byte]).decode(name)
    except UnicodeDecodeError:
        # Browsers read the holes in 80-9F of the Windows charsets as control characters.
        return chr(byte) if byte < _FIRST_AFTER_CONTROLS else None


def _charset(name: str) -> Charset:
    is_iso = name.startswith("iso")
    found = {byte: _letter(name, byte) for byte in range(_FIRST_HIGH_BYTE, 0x100)}
    letters = {byte: letter for byte, letter in found.items() if letter}
    undecode = {ord(letter): _SURROGATE_OF_BYTE_0 + byte for byte, letter in letters.items()}
    return Charset(
        name=name,
        undecode=undecode,
        decode={escaped: letter for letter, escaped in undecode.items()},
        letters=frozenset(letters.values()),
        leads=frozenset(
            letter for byte, letter in letters.items() if _FIRST_LEAD <= byte <= _LAST_LEAD
        ),
        telling=frozenset(letters[byte] for byte in _TELLING_BYTES),
        proof=_ISO_PROOF if is_iso else _WINDOWS_PROOF,
        loses_controls=is_iso,
    )


CHARSETS = tuple(_charset(name) for name in _NAMES)
