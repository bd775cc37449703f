"""`broadsheet slack …`: set-up commands for the operator."""

from collections.abc import Mapping

import click

from adapters.slack.settings import Transport, read_public_url
from adapters.slack.setup.manifest import AGENT_PRICE, manifest, manifest_link, manifest_text
from bot.commands.handlers import COMMANDS
from bot.errors import SettingsError
from bot.settings import environment


def _https_url(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    if url is not None and not url.startswith("https://"):
        raise click.BadParameter(
            f"{url!r} does not begin with https://, and Slack reaches no other."
        )
    return url


@click.group()
def slack() -> None:
    """Set Slack up."""


@slack.command("manifest")
@click.option(
    "--http",
    "url",
    metavar="URL",
    callback=_https_url,
    help="For HTTP mode: where Slack reaches the web server, such as https://papers.example.org.",
)
@click.option("--agent", is_flag=True, help=f"With Slack's agent pane: {AGENT_PRICE}.")
@click.option("--link", is_flag=True, help="Print the address that creates the app with it.")
def print_manifest(*, url: str | None, agent: bool, link: bool) -> None:
    """Print the app manifest as YAML, to be pasted at https://api.slack.com/apps.

    It is for Socket Mode, unless an address is given, or the settings are those of HTTP mode.
    """
    transport, address = chosen_transport(environment(), url)
    if address and not address.startswith("https://"):
        click.echo("Slack reaches nothing but https:// addresses.", err=True)
    if agent:
        click.echo(f"With Slack's agent pane {AGENT_PRICE}; see docs/slack.md.", err=True)
    made = manifest(COMMANDS, transport, address, agent=agent)
    click.echo(f"{manifest_link(made)}\n" if link else manifest_text(made), nl=False)


def chosen_transport(variables: Mapping[str, str], url: str | None) -> tuple[Transport, str | None]:
    """Return the transport, and the public URL of the web server if it is known.

    Raises:
        SettingsError: where HTTP mode has no public URL, or the URL is invalid.
    """
    if url is not None:
        return Transport.HTTP, url
    public_url = read_public_url(variables)
    if variables.get("SLACK_APP_TOKEN") or not variables.get("SLACK_SIGNING_SECRET"):
        return Transport.SOCKET, public_url
    if public_url is None:
        raise SettingsError(
            "SLACK_SIGNING_SECRET without SLACK_APP_TOKEN is for HTTP mode, "
            "and where Slack reaches it is not set.",
            "Set BROADSHEET_PUBLIC_URL, or add --http URL.",
        )
    return Transport.HTTP, public_url
