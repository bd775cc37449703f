"""Attachments of messages, and the checks of uploads.

https://docs.discord.com/developers/reference#uploading-files
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.fakes.discord.rules.components import Json, length, walk

# Of a guild without boosts.
MOST_BYTES = 10 * 2**20
_MOST = 10
_LONGEST_DESCRIPTION = 1024
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_SCHEME = "attachment://"
_GALLERY, _FILE = 12, 13


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file of a multipart form."""

    name: str
    data: bytes


@dataclass(eq=False, slots=True)
class Attachment:
    """An attachment of a message."""

    id: int
    name: str
    data: bytes
    description: str | None

    def as_json(self) -> Json:
        """Return the JSON of payloads and responses."""
        place = f"https://cdn.example.com/{self.id}/{self.name}"
        known = {"id": str(self.id), "filename": self.name, "size": len(self.data)}
        more = {"description": self.description} if self.description else {}
        return {**known, "url": place, "proxy_url": place, **more}


def attach_uploads(body: Any, files: dict[str, Upload]) -> None:
    """Add the uploaded data to the attachments of a body."""
    for each in _listed(body):
        if upload := files.get(f"files[{each['id']}]"):
            each["data"] = upload.data
            each.setdefault("filename", upload.name)


def kept_and_new(wanted: list[Json], before: list[Attachment]) -> list[Attachment]:
    """Return the attachments of an edited message: those it keeps and the new ones."""
    known = {str(each.id): each for each in before}
    number = max([each.id for each in before], default=10**17)
    found = []
    for place, each in enumerate(wanted, start=1):
        if "data" in each:
            new = Attachment(
                number + place, each["filename"], each["data"], each.get("description")
            )
            found.append(new)
        else:
            found.append(known[str(each["id"])])
    return found


def uploads_problems(body: Any, files: dict[str, Upload]) -> Iterator[str]:
    """Yield the problems of the uploads of a form."""
    listed = {f"files[{each['id']}]": each for each in _listed(body)}
    for name, upload in files.items():
        if name not in listed:
            yield f"nothing is said of {name}"
        elif listed[name].get("filename", upload.name) != upload.name:
            yield f"{name} is called {upload.name!r} and {listed[name]['filename']!r}"
        if not upload.data:
            yield f"{name} is empty"
        if not _NAME.fullmatch(upload.name):
            # Discord would rename the file, so that no reference fits.
            yield f"{upload.name!r} is no name for a file"


def attachments_problems(payload: Json, *, v2: bool) -> Iterator[str]:
    """Yield the problems of attachments and of references to them."""
    files = payload.get("attachments") or []
    names = [each["filename"] for each in files if "filename" in each]
    if len(files) > _MOST:
        yield f"{len(files)} files, of {_MOST}"
    yield from (f"two files are called {name}" for name, n in Counter(names).items() if n > 1)
    for each in files:
        description = each.get("description") or ""
        yield from length("a file's description", description, 0, _LONGEST_DESCRIPTION)
    meant = list(_references(payload))
    yield from (f"{name} is not attached" for name in meant if name not in names)
    if v2:
        # Stricter than Discord, which accepts such a file and never shows it.
        yield from (f"{name} is shown nowhere" for name in names if name not in meant)


def _references(payload: Json) -> Iterator[str]:
    for component in walk(payload.get("components") or []):
        if component["type"] == _GALLERY:
            for item in component["items"]:
                yield from length("a picture's description", item.get("description") or "", 0, 1024)
                yield from _named(item["media"]["url"])
        elif component["type"] == _FILE:
            url = component["file"]["url"]
            if not url.startswith(_SCHEME):
                yield f"{url}, which a file component does not take,"
            yield from _named(url)
    for embed in payload.get("embeds") or []:
        yield from _named((embed.get("image") or {}).get("url") or "")


def _named(url: str) -> Iterator[str]:
    if url.startswith(_SCHEME):
        yield url.removeprefix(_SCHEME)


def _listed(body: Any) -> list[Json]:
    if not isinstance(body, dict):
        return []
    inside = body.get("data") if isinstance(body.get("data"), dict) else body
    found: list[Json] = (inside or {}).get("attachments") or []
    return found
