"""`broadsheet ask`: what a person in a channel is answered, of whom nothing is stored."""

from dataclasses import dataclass

import click

from adapters.cli.arguments import AS_JSON, TEXT, TypedCommand
from adapters.cli.context import Runtime, cli_context, with_runtime
from adapters.cli.output import print_json
from adapters.platform import Declaration
from bot.actor import Actor, ChannelInfo, ChannelList, Named, Role
from bot.commands.handlers.channel.preview import PREVIEW
from bot.commands.handlers.channel.subscribe import SUBSCRIBE
from bot.errors import NotInChannel
from bot.operations.doctor_checks import Verdict
from bot.posting.ports import DIRECT
from bot.replies.blocks import Quote, to_json
from bot.replies.plain_text import plain_text
from bot.settings import environment
from store.records import Layout


def _platform(
    context: click.Context, option: click.Parameter, name: str | None
) -> Declaration | None:
    if name is None:
        return None
    known = cli_context().platforms()
    return known[click.Choice(list(known)).convert(name, option, context)]


@click.command(cls=TypedCommand)
@click.argument("text", nargs=-1, type=TEXT)
@AS_JSON
@click.option(
    "--as",
    "platform",
    metavar="PLATFORM",
    callback=_platform,
    help="Print what that platform would be sent, such as slack; no token is needed.",
)
@click.option("--check", is_flag=True, help="Ask that platform too whether it would take it.")
def ask(*, text: tuple[str, ...], as_json: bool, platform: Declaration | None, check: bool) -> None:
    """Ask one command, such as "search mixture of experts"; without one, the latest edition.

    With --as it is asked by somebody in a channel #papers that is nowhere, and changes nothing.
    """
    if check and (platform is None or platform.check is None):
        named = platform.name if platform else "no platform"
        raise click.UsageError(f"--check goes with --as slack, not with {named}.")

    async def action(runtime: Runtime) -> bool:
        line = " ".join(text)
        actor = pretended(platform.name) if platform else runtime.terminal.actor
        if platform and line.split()[:1] == [PREVIEW.name]:
            await runtime.app.run_text(SUBSCRIBE.name, actor)  # for there to be something
        reply = await runtime.app.run_text(line, actor)
        if platform:
            payload = platform.preview(reply)
            print_json(payload)
            if check and platform.check:
                findings = await platform.check(environment(), payload)
                for found in findings:
                    click.echo(f"{found.sentence} {found.remedy}".rstrip(), err=True)
                return reply.failed or any(each.verdict is Verdict.PROBLEM for each in findings)
        elif as_json:
            print_json(
                {
                    "text": plain_text(reply),
                    "visibility": reply.visibility.value,
                    "blocks": to_json(reply),
                    "command": reply.ran,
                    "quotes": [
                        {"text": block.text, "ref": block.ref}
                        for block in reply.blocks
                        if isinstance(block, Quote)
                    ],
                }
            )
        else:
            files_written = runtime.terminal.show(reply, failures_apart=True)
            return reply.failed or not files_written
        return reply.failed

    if with_runtime(action, trial=platform is not None):
        raise SystemExit(1)


_CHANNEL = ChannelInfo("papers", "papers")
_DIRECT = ChannelInfo("direct", DIRECT, private=True, direct=True)


@dataclass(frozen=True, slots=True)
class _Channels:
    """The channels of the pretended workspace: `#papers`, and direct messages."""

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel.

        Raises:
            NotInChannel: if it is another one.
        """
        for each in (_CHANNEL, _DIRECT):
            if each.id == channel:
                return each
        raise NotInChannel("There is no such channel here.", "This workspace has #papers alone.")

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Do nothing: the bot may post there."""

    async def direct(self) -> ChannelInfo:
        """Return the person's direct messages."""
        return _DIRECT

    async def known(self) -> ChannelList:
        """Return the channel by its name."""
        return ChannelList((Named(_CHANNEL.id, _CHANNEL.name),))


def pretended(platform: str) -> Actor:
    """Return a manager of the channel, of whom and of which nothing is stored."""
    return Actor(
        platform=platform,
        workspace="pretended",
        user="pretended",
        role=Role.MANAGER,
        channel=_CHANNEL.id,
        channels=_Channels(),
        remembers=False,
    )
