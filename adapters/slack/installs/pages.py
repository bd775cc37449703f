"""The HTML pages after an installation. Pure."""

import re
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from urllib.parse import quote

# The format of Slack's error codes.
_CODE = re.compile(r"[a-z0-9_]{1,60}")

_STYLE = (
    "body{font:1.05rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.5rem;"
    "color:#1f2937;background:#fff}"
    "code{background:#f3f4f6;padding:.1em .35em;border-radius:.25em}a{color:#1d4ed8}"
    "@media(prefers-color-scheme:dark){body{color:#e5e7eb;background:#111827}"
    "code{background:#1f2937}a{color:#93c5fd}}"
)


@dataclass(frozen=True, slots=True)
class InstallPage:
    """An HTML page and its HTTP status."""

    status: HTTPStatus
    html: str


@dataclass(frozen=True, slots=True)
class _Failure:
    """The text of a failure page."""

    status: HTTPStatus
    heading: str
    sentence: str


_NOT_INSTALLED = "Broadsheet was not installed"
_FAILURES = {
    "access_denied": _Failure(
        HTTPStatus.OK,
        "Nothing was installed",
        "You cancelled, and nothing has changed in your workspace.",
    ),
    "invalid_browser": _Failure(
        HTTPStatus.BAD_REQUEST,
        _NOT_INSTALLED,
        "This browser did not begin the installation, or did not keep its cookie. Begin and end"
        " it in the same browser, at an address that starts with https.",
    ),
    "invalid_state": _Failure(
        HTTPStatus.BAD_REQUEST,
        _NOT_INSTALLED,
        "It was begun more than ten minutes ago, or this page was opened a second time.",
    ),
    "missing_code": _Failure(
        HTTPStatus.BAD_REQUEST, _NOT_INSTALLED, "Slack's answer came here incomplete."
    ),
    "invalid_code": _Failure(
        HTTPStatus.BAD_REQUEST,
        _NOT_INSTALLED,
        "Slack did not confirm it. Where a second try ends here too, whoever runs Broadsheet"
        " finds the reason in its log.",
    ),
    "tokens_expire": _Failure(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        _NOT_INSTALLED,
        "Token rotation is switched on in the settings of the Slack app, and Broadsheet does not"
        " follow it. Whoever runs Broadsheet makes the app from its manifest, without it.",
    ),
    "storage_error": _Failure(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        _NOT_INSTALLED,
        "Broadsheet could not write down what it needs to know. Whoever runs it finds the reason"
        " in its log.",
    ),
    "unreachable": _Failure(
        HTTPStatus.BAD_GATEWAY,
        _NOT_INSTALLED,
        "Slack could not be reached. Try again in a moment.",
    ),
}


def success_page(
    app_id: str | None, team_id: str | None, place: str | None, *, is_org: bool
) -> InstallPage:
    """Return the page after an installation: links to Slack, and first commands."""
    where = f" in {escape(place)}" if place else ""
    added = (
        "<p>Your organisation has it now; an admin adds it to its workspaces.</p>" if is_org else ""
    )
    body = (
        f"{added}{_links(app_id, team_id)}<p>What to type first:</p><ol>"
        "<li><code>/papers</code> shows the newest edition.</li>"
        "<li><code>/papers search mixture of experts</code> finds papers.</li>"
        "<li><code>/invite @Broadsheet</code> in a channel, where it then answers when you"
        " mention it.</li></ol>"
    )
    return InstallPage(HTTPStatus.OK, _html(f"Broadsheet is installed{where}", body))


def error_code(reason: str) -> str:
    """Return the error in a redirect if it has a code's format; anybody can write such a URL."""
    return reason if _CODE.fullmatch(reason) else "unknown"


def failure_page(reason: str, start_again: str) -> InstallPage:
    """Return the page after a failed installation.

    Args:
        reason: Bolt's or Slack's error code.
        start_again: the path of the install page.
    """
    failure = _FAILURES.get(reason) or _refused(reason)
    again = f'<p><a href="{escape(start_again)}">Start again</a></p>'
    body = f"<p>{failure.sentence}</p>{again}"
    return InstallPage(failure.status, _html(escape(failure.heading), body))


def _refused(reason: str) -> _Failure:
    sentence = f"Slack refused it, for the reason <code>{escape(reason)}</code>."
    return _Failure(HTTPStatus.BAD_REQUEST, _NOT_INSTALLED, sentence)


# https://docs.slack.dev/interactivity/deep-linking
def _links(app_id: str | None, team_id: str | None) -> str:
    if not app_id or not team_id:
        return '<p><a href="slack://open">Open Slack</a></p>'
    app, team = quote(app_id, safe=""), quote(team_id, safe="")
    return (
        f'<p><a href="slack://app?team={team}&amp;id={app}">Open Broadsheet in Slack</a>, or '
        f'<a href="https://app.slack.com/client/{team}">in the browser</a>.</p>'
    )


def _html(heading: str, body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{heading}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{heading}</h1>{body}</main></body></html>"
    )
