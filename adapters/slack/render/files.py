"""Notes in an answer on the files that come with it, and charts that Slack draws of pictures. Pure.

No ephemeral message holds a file: Slack shares a file with a conversation, or hides it from all
but the bot. https://github.com/slackapi/node-slack-sdk/issues/1790
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum
from itertools import takewhile
from json import dumps
from typing import Any

from adapters.common.files import files_of, missing_alt, replace_files, with_safe_names
from bot.errors import OutcomeUnknown
from bot.replies.blocks import Block, Chart, File, Level, Notice, Reply, Text, Visibility
from bot.replies.wording import shorten
from store.errors import BroadsheetError

_IMAGE = "image/"
# https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors
_LONGEST_ALT = 1000

# Of its block as JSON: a message holds one with other blocks, and not the three that Slack refuses:
# https://github.com/vercel/chat/pull/696
LONGEST_CHART = 6_000

_LONGEST_TITLE = 50  # of a chart and of an axis
_LONGEST_LABEL = 20  # of a series and of a point
_MOST_SERIES = 6
_FEWEST_POINTS, _MOST_POINTS = 8, 20  # fewer are no line
# In mrkdwn, where a sign is escaped with five.
LONGEST_CHART_WORDS = 5 * (_LONGEST_TITLE + 2 * _LONGEST_LABEL) + 20


class FileLocation(Enum):
    """The place where the files of an answer are shared."""

    CHART = "a chart in the answer, or in the user's direct messages where none can be drawn"
    DIRECT = "in the user's direct messages with the bot"
    BELOW = "in the same conversation, below the answer"
    NOWHERE = "nowhere: a view holds no files, so the user asks again in a message"


def with_file_notes(reply: Reply, location: FileLocation) -> Reply:
    """Return a reply that says where each of its files is; a file stays whose chart is drawn.

    Files below the answer get no note: an upload may fail, and a note that everybody sees would
    stay. The user alone is told of a failure.
    """
    if not files_of(reply):
        return reply
    if location is FileLocation.BELOW:
        return replace(reply, blocks=tuple(b for b in reply.blocks if not isinstance(b, File)))
    drawn = drawn_files(reply, location)

    def note(file: File) -> Block:
        if file in drawn:
            return file
        if location in (FileLocation.CHART, FileLocation.DIRECT):
            return Text(f"{_described(file)} comes in a direct message from Broadsheet.")
        texts = missing_alt(file, reply), f"{_described(file)} comes {_where_to_ask(reply)}."
        return Text("\n\n".join(filter(None, texts)))

    return replace_files(with_safe_names(reply), note)


def file_location(reply: Reply, *, in_direct_message: bool = False) -> FileLocation:
    """Return where the files of an answer go: below it, unless only one user sees it."""
    below = in_direct_message or reply.visibility is Visibility.CHANNEL
    return FileLocation.BELOW if below else FileLocation.CHART


def drawn_files(reply: Reply, location: FileLocation) -> tuple[File, ...]:
    """Return the files, with safe names, that stand in the answer as charts."""
    if location is not FileLocation.CHART:
        return ()
    files = files_of(with_safe_names(reply))
    return tuple(each for each in files if each.chart and chart_block(each.chart))


def sent_files(reply: Reply, location: FileLocation) -> tuple[File, ...]:
    """Return the files, with safe names, that are uploaded."""
    drawn = drawn_files(reply, location)
    return tuple(each for each in files_of(with_safe_names(reply)) if each not in drawn)


def missing_files(files: Iterable[File], error: BroadsheetError) -> Reply:
    """Return a reply that says which files are missing, or may be, and why."""
    verb = "may be missing" if isinstance(error, OutcomeUnknown) else "is missing"
    notices = (
        Notice(Level.WARNING, f"{_described(file)} {verb}. {error.sentence}", error.remedy)
        for file in files
    )
    return Reply(tuple(notices), failed=True)


def is_picture(file: File) -> bool:
    """Tell whether a file is an image, which needs an alt text."""
    return file.media_type.startswith(_IMAGE)


def upload_form(file: File) -> dict[str, str]:
    """Return the arguments that start the upload of a file.

    https://docs.slack.dev/reference/methods/files.getUploadURLExternal
    """
    form = {"filename": file.name, "length": str(len(file.data))}
    alt = shorten(" ".join(file.alt.split()), _LONGEST_ALT)
    return {**form, "alt_txt": alt} if alt and is_picture(file) else form


def _described(file: File) -> str:
    return f"The {'picture' if is_picture(file) else 'file'} {file.name}"


def _where_to_ask(reply: Reply) -> str:
    command = reply.display_command or reply.command
    return f"with /papers {command}" if command else "where you ask for it in a message"


def chart_block(chart: Chart) -> dict[str, Any] | None:
    """Return a chart as a block of lines, `None` where it is beyond a limit of Slack's.

    A line of Slack's has no gap: it begins behind the last one.

    A message holds one, no view does. That an ephemeral message does is not documented, and a
    workspace may not know them yet, so an answer with one is sent in a way that shows a refusal.
    https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block

    It has the last points where there are too many, and the beginning of a name that is too long.
    """
    points = _points(chart)
    if len(points) < _FEWEST_POINTS:
        return None
    names = [shorten(name, _LONGEST_LABEL) for name, _ in chart.series]
    series = [
        {
            "name": name,
            "data": [
                {"label": label, "value": value}
                for label, value in zip(points, values[-len(points) :], strict=True)
            ],
        }
        for name, (_, values) in zip(names, chart.series, strict=True)
    ]
    axes = {"categories": list(points), "y_label": chart.unit}
    block = {
        "type": "data_visualization",
        "title": chart.title,
        "chart": {"type": "line", "series": series, "axis_config": axes},
    }
    fits = (
        _are_labels(points, _MOST_POINTS, _LONGEST_LABEL)
        and _are_labels(names, _MOST_SERIES, _LONGEST_LABEL)
        and _are_labels([chart.title], 1, _LONGEST_TITLE)
        and _are_labels([chart.unit], 1, _LONGEST_TITLE)
        and len(dumps(block)) <= LONGEST_CHART
    )
    return block if fits else None


def chart_words(chart: Chart) -> str:
    """Return what a chart shows of what, for who can't see it; its numbers are said elsewhere."""
    points = _points(chart) or chart.categories
    return f"Chart: {chart.title}, {points[0]} to {points[-1]}"


def _points(chart: Chart) -> Sequence[str]:
    """Return the last points of a chart that have values, as many as a block holds."""
    values = chart.series[0][1] if chart.series else ()
    known = [*takewhile(lambda value: value is not None, reversed(values))][:_MOST_POINTS]
    return chart.categories[len(chart.categories) - len(known) :]


def _are_labels(words: Sequence[str], most: int, longest: int) -> bool:
    """Tell whether there are as many as may be, at least one, each its own, none blank or long."""
    good = all(each.strip() and len(each) <= longest for each in words)
    return 0 < len(words) <= most and len(set(words)) == len(words) and good
