"""`broadsheet health`: a liveness check of the running bot, for containers."""

import http.client

import click

from bot.errors import SettingsError, WebError
from bot.settings import loopback, read_settings

_TIMEOUT_SECONDS = 3


@click.command()
def health() -> None:
    """Ask the running bot whether it lives; exit 1 if it doesn't say so."""
    settings = read_settings()
    if not settings.web_port:
        raise SettingsError(
            "BROADSHEET_WEB_PORT is 0, so nobody knows which port was picked.",
            "Set it to the port that broadsheet run is to listen on.",
        )
    check_liveness(loopback(settings.web_host), settings.web_port)
    click.echo("ok")


def check_liveness(host: str, port: int) -> None:
    """Check that a web server is a live bot's.

    Raises:
        WebError: if nothing responds there, or something else does.
    """
    connection = http.client.HTTPConnection(host, port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/livez")
        status = connection.getresponse().status
    except (OSError, UnicodeError, http.client.HTTPException) as error:
        raise _not_live(host, port, "nothing answers as it should") from error
    finally:
        connection.close()
    if status != http.client.OK:
        raise _not_live(host, port, f"the answer is {status}")


def _not_live(host: str, port: int, reason: str) -> WebError:
    return WebError(
        f"The bot does not say that it lives: on port {port} of {host} {reason}.",
        "See whether broadsheet run is up, and its log for web_listening.",
    )
