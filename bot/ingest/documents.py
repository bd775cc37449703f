"""Reading a document: from bytes to text, choice of its format, parsing."""

import zlib
from dataclasses import dataclass, replace
from functools import cache

from bot.domain.drafts import Format, Note, ParsedDocument, ParseOptions, RawDocument
from bot.errors import DocumentError, WrongShape
from bot.ingest.encoding import decode, repair, wide_encoding
from bot.ingest.formats.html_lines import plain
from bot.ingest.limits import MOST_LINES, noted, one_a_kind, sanitized, within_limits
from bot.ingest.unread_kinds import UnreadKind, unread_file, unread_page, unread_text

# Ten times the longest archive known.
MAX_BYTES = 10 * 1024 * 1024

_BINARY = frozenset(range(32)) - {0x09, 0x0A, 0x0C, 0x0D, 0x1B}
_LOOKED_AT = 4096
_MOST_CONTROLS = 4
_GZIP = b"\x1f\x8b"
_AS_GZIP = 16  # https://docs.python.org/3/library/zlib.html#zlib.decompressobj


@dataclass(frozen=True, slots=True)
class Readable:
    """A document's repaired text, and notes on the repaired and the unrepaired lines."""

    document: RawDocument
    repaired: tuple[Note, ...]
    unrepaired: tuple[Note, ...]


@cache
def formats() -> dict[str, Format]:
    """Return the text formats by kind; each is a package of `bot.ingest.formats`."""
    from bot.ingest.formats import archive, feed, hf_daily, newsletter, own_list, review

    # A list has the fewest signs of its own, so it comes last.
    found = (
        archive.FORMAT,
        feed.FORMAT,
        hf_daily.FORMAT,
        newsletter.FORMAT,
        review.FORMAT,
        own_list.FORMAT,
    )
    return {found_format.kind.value: found_format for found_format in found}


def read(path: str, data: bytes) -> Readable:
    """Decode a document and repair its encoding.

    Raises:
        DocumentError: if it is empty, too long, binary, of too many lines, or neither UTF-8 nor
            what the declaration of its XML says.
    """
    check_size(path, len(data))
    if data.startswith(_GZIP):
        data = _unpacked(path, data)
    _refuse_unread(path, unread_file(data))
    wide = wide_encoding(data)
    if not wide and _is_binary(data):
        raise DocumentError(f"{path} is a binary file.", _REMEDY)
    text = decode(path, data, wide).replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        raise DocumentError(f"{path} is a binary file.", _REMEDY)
    if not text.strip():
        raise DocumentError(f"{path} is empty.", _REMEDY)
    if (lines := text.count("\n")) > MOST_LINES:
        raise DocumentError(
            f"{path} has {lines:,} lines, more than the {MOST_LINES:,} that are read.",
            "Split it into several documents.",
        )
    repaired = repair(text)
    document = RawDocument(path, repaired.text)
    return Readable(document, noted(repaired.repaired), noted(one_a_kind(repaired.unrepaired)))


def _is_binary(data: bytes) -> bool:
    """Tell what is no text; a control character or two slip into one."""
    head = data[:_LOOKED_AT]
    return sum(byte in _BINARY for byte in head) > _MOST_CONTROLS or b"\0" in data


def _unpacked(path: str, data: bytes) -> bytes:
    """Return what gzip packed, no more than a document may have.

    Raises:
        DocumentError: where it breaks off, or is longer.
    """
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | _AS_GZIP)
    try:
        unpacked = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise DocumentError(f"{path} can't be unpacked.", "Fetch it again, whole.") from error
    check_size(path, len(unpacked))
    if not unpacker.eof:
        raise DocumentError(f"{path} breaks off while it is unpacked.", "Fetch it again, whole.")
    return unpacked


def check_size(path: str, size: int) -> None:
    """Check the size of a document, best before it is read.

    Raises:
        DocumentError: if it is longer than any round-up.
    """
    if size > MAX_BYTES:
        megabytes, most = size / 1024 / 1024, MAX_BYTES // 1024 // 1024
        raise DocumentError(
            f"{path} has {megabytes:.0f} MB, more than the {most} MB of the longest round-up."
        )


def parse(document: RawDocument, options: ParseOptions, kind: str | None = None) -> ParsedDocument:
    """Parse a document as the kind that is recognised, or the one that the operator gives.

    Texts beyond the limits are cut (`bot.ingest.limits`).

    Raises:
        DocumentError: if it is of no kind that is known, or can't be trusted as a whole.
    """
    _refuse_unread(document.path, unread_text(document.text))
    text = plain(document.text)
    known = {kind: formats()[kind]} if kind else formats()
    page = unread_page(document.text, document.path)
    recognised = (name for name, each in known.items() if each.recognise(text))
    if page or not kind:
        kind = next(recognised, None)
        _refuse_unread(document.path, None if kind else page)
    if kind is None:
        raise WrongShape(f"{document.path} is no round-up that Broadsheet knows.", _REMEDY)
    try:
        return sanitized(
            within_limits(formats()[kind].parse(replace(document, text=text), options))
        )
    except DocumentError as error:
        error.kind = kind
        raise


def _refuse_unread(path: str, kind: UnreadKind | None) -> None:
    """Refuse a document of a kind that is known and not read.

    Raises:
        WrongShape: if it is one.
    """
    if kind:
        raise WrongShape(f"{path} is {kind.name}, which Broadsheet does not read.", kind.remedy)


_REMEDY = (
    "Expected is a ranked newsletter, a weekly review, a Markdown archive, a feed of such,"
    " Hugging Face's daily papers, or a list of your own (Markdown, a table, CSV, BibTeX, RIS,"
    " JSON); see docs/formats.md."
)
