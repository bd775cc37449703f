"""`broadsheet ask`."""

from dataclasses import replace

import click

from adapters.cli.arguments import TEXT
from adapters.cli.context import Runtime, cli_context, with_runtime
from adapters.cli.output import print_json
from adapters.platform import Declaration
from bot.replies.blocks import Quote, to_json
from bot.replies.plain_text import plain_text


def _platform(
    context: click.Context, option: click.Parameter, name: str | None
) -> Declaration | None:
    if name is None:
        return None
    known = cli_context().platforms()
    return known[click.Choice(list(known)).convert(name, option, context)]


@click.command()
@click.argument("text", nargs=-1, type=TEXT)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--as",
    "platform",
    metavar="PLATFORM",
    callback=_platform,
    help="Print what that platform would be sent, such as slack; no token is needed.",
)
def ask(*, text: tuple[str, ...], as_json: bool, platform: Declaration | None) -> None:
    """Ask one command, such as "search mixture of experts"; without one, the latest edition."""

    async def action(runtime: Runtime) -> bool:
        actor = replace(runtime.terminal.actor, remembers=platform is None)
        reply = await runtime.app.run_text(" ".join(text), actor)
        if platform:
            print_json(platform.preview(reply))
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

    if with_runtime(action):
        raise SystemExit(1)
