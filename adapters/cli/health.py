"""`broadsheet health`: whether a bot that runs here lives; the container's health check."""

import http.client

import click

from bot.errors import SettingsError, WebError
from bot.settings import loopback, read_settings

_SECONDS = 3


@click.command()
def health() -> None:
    """Ask the running bot whether it lives; exit 1 if it doesn't say so."""
    settings = read_settings()
    if not settings.web_port:
        raise SettingsError(
            "BROADSHEET_WEB_PORT is 0, so nobody knows which port was picked.",
            "Set it to the port that broadsheet run is to listen on.",
        )
    require_life(loopback(settings.web_host), settings.web_port)
    click.echo("ok")


def require_life(host: str, port: int) -> None:
    """Ask a web server whether the bot behind it lives.

    Raises:
        WebError: where nothing answers there, or something else does.
    """
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", "/livez")
        status = connection.getresponse().status
    except (OSError, UnicodeError, http.client.HTTPException) as error:
        raise _unwell(host, port, "nothing answers as it should") from error
    finally:
        connection.close()
    if status != http.client.OK:
        raise _unwell(host, port, f"the answer is {status}")


def _unwell(host: str, port: int, what: str) -> WebError:
    return WebError(
        f"The bot does not say that it lives: on port {port} of {host} {what}.",
        "See whether broadsheet run is up, and its log for web_listening.",
    )
