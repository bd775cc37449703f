"""`broadsheet doctor`: findings about settings, platforms and the store, with remedies."""

import asyncio
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path

import click

from adapters.cli.context import OpenStore, cli_context, open_store
from adapters.cli.output import print_line
from adapters.platform import Declaration
from bot.domain.zones import zone_in_words
from bot.operations.doctor_checks import (
    Finding,
    Verdict,
    ahead_findings,
    source_findings,
    subscription_findings,
    zone_findings,
)
from bot.settings import SETTING_NAMES, environment
from store.database import Database
from store.database.private_files import files_of, list_exposed
from store.errors import BroadsheetError, SchemaOutdated
from store.library.editions import list_ahead
from store.maintenance import health
from store.posting.deliveries import list_deliveries
from store.posting.subscriptions import list_subscriptions
from store.records import Channel, KeptToken, Subscription, SubscriptionState
from store.sources import list_followed
from store.workspaces.installations import list_tokens
from store.workspaces.workspaces import list_zones

_SIMILARITY = 0.8  # all but a letter or two of a setting's name


@click.command()
def doctor() -> None:
    """Examine settings, platforms, zone and store; exit 1 if something would not work."""
    findings = asyncio.run(_diagnose(cli_context().platforms()))
    for finding in findings:
        print_line(f"{finding.verdict:<8} {finding.about}: {finding.sentence}")
        if finding.remedy:
            print_line(f"{'':<8} {finding.remedy}")
    if any(finding.verdict == Verdict.PROBLEM for finding in findings):
        raise SystemExit(1)


async def _diagnose(declarations: Mapping[str, Declaration]) -> list[Finding]:
    variables = environment()
    names = {
        *SETTING_NAMES,
        *(name for each in declarations.values() for name in each.setting_names),
    }
    findings, stored = await _check_runtime()
    return [
        *misspelt_settings(variables, names),
        *readable_files("settings", [Path(".env")]),
        *await check_platforms(
            variables, declarations, posting_channels(stored.subscriptions), stored.tokens
        ),
        *findings,
    ]


@dataclass(frozen=True, slots=True)
class _Stored:
    """The stored facts for the platforms' findings; empty if they can't be read."""

    subscriptions: Sequence[Subscription] = ()
    tokens: Sequence[KeptToken] = ()


async def _check_runtime() -> tuple[list[Finding], _Stored]:
    """Check settings, clock and store; return the stored facts too."""
    try:
        async with open_store(upgrade=False) as opened:
            path = opened.database.path
            # Before the database is opened: SQLite has more files while it is.
            files = list(readable_files("store", files_of(path))) if path else []
            findings, stored = await _check_store(opened.database, opened.clock.now().date())
            return [*_check_clock(opened), *_check_sync(opened), *findings, *files], stored
    except BroadsheetError as error:
        return [Finding("settings", Verdict.PROBLEM, error.sentence, error.remedy)], _Stored()


def posting_channels(subscriptions: Sequence[Subscription]) -> list[Channel]:
    """Return the channels with active subscriptions, each once."""
    active = (each.channel for each in subscriptions if each.state is SubscriptionState.ACTIVE)
    return list(dict.fromkeys(active))


def misspelt_settings(variables: Mapping[str, str], names: AbstractSet[str]) -> Iterator[Finding]:
    """Find variables whose names are nearly a setting's, and so have no effect."""
    for name in sorted(variables.keys() - names):
        prefix, _, rest = name.partition("_")
        known = {each.partition("_")[2]: each for each in names if each.startswith(prefix)}
        for near in get_close_matches(rest, known, n=1, cutoff=_SIMILARITY):
            sentence = f"{name} is no setting and has no effect."
            yield Finding("settings", Verdict.PROBLEM, sentence, f"Did you mean {known[near]}?")


def readable_files(about: str, paths: Iterable[Path]) -> Iterator[Finding]:
    """Find private files that other users of the machine may read."""
    found = [str(path) for path in list_exposed(paths)]
    if found:
        sentence = f"Others on this machine may read {', '.join(found)}."
        yield Finding(about, Verdict.NOTE, sentence, f"chmod 600 {shlex.join(found)}")


async def check_platforms(
    variables: Mapping[str, str],
    declarations: Mapping[str, Declaration],
    channels: Sequence[Channel] = (),
    tokens: Sequence[KeptToken] = (),
) -> list[Finding]:
    """Return each platform's findings, or a hint how to configure it."""
    findings: list[Finding] = []
    for name, declaration in declarations.items():
        if declaration.is_configured(variables):
            own_channels = [each for each in channels if each.workspace.platform == name]
            own_tokens = [each for each in tokens if each.platform == name]
            findings += await declaration.diagnose(variables, own_channels, own_tokens)
        else:
            findings.append(
                Finding(name, Verdict.NOTE, "It is not configured.", declaration.setup_hint)
            )
    return findings


def _check_clock(opened: OpenStore) -> Iterator[Finding]:
    now = f"{opened.now:%Y-%m-%d %H:%M}"
    yield Finding("zone", Verdict.WELL, f"{zone_in_words(opened.zone)}, where it is {now}.")
    if opened.settings.offset:
        sentence = f"The clock is moved by {opened.settings.clock_offset:g} s, for trials."
        yield Finding("clock", Verdict.NOTE, sentence, "Unset BROADSHEET_CLOCK_OFFSET after them.")


def _check_sync(opened: OpenStore) -> Iterator[Finding]:
    if not opened.settings.sync:
        remedy = "BROADSHEET_SYNC=on does; broadsheet sync fetches them once."
        yield Finding("sources", Verdict.NOTE, "None is fetched by itself.", remedy)


async def _check_store(database: Database, today: date) -> tuple[list[Finding], _Stored]:
    if database.path and not database.path.exists():
        return [_missing_store(database)], _Stored()
    try:
        problems = await database.run(health.check)
    except SchemaOutdated as error:
        remedy = "broadsheet run brings it up to date, as every other verb does."
        return [Finding("store", Verdict.NOTE, error.sentence, remedy)], _Stored()
    except BroadsheetError as error:
        return [Finding("store", Verdict.PROBLEM, error.sentence, error.remedy)], _Stored()
    if not problems:
        subscriptions = await database.read(list_subscriptions)
        sound = Finding("store", Verdict.WELL, f"{database.name} is sound.")
        posting = subscription_findings(subscriptions, await database.read(list_deliveries))
        followed = source_findings(await database.read(list_followed))
        ahead = ahead_findings(await database.read(list_ahead, today))
        zones = zone_findings(await database.read(list_zones))
        tokens = await database.read(list_tokens)
        return [sound, *followed, *ahead, *zones, *posting], _Stored(subscriptions, tokens)
    remedy = "Restore a backup: broadsheet db restore FILE."
    return [Finding("store", Verdict.PROBLEM, problem, remedy) for problem in problems], _Stored()


def _missing_store(database: Database) -> Finding:
    folder = database.path.absolute().parent if database.path else None
    if folder and os.access(folder, os.W_OK):
        return Finding("store", Verdict.WELL, f"{database.name} will be made at first use.")
    return Finding(
        "store",
        Verdict.PROBLEM,
        f"{database.name} can't be made: its folder is missing or can't be written to.",
        "Make the folder, or name another file in BROADSHEET_DATABASE_URL.",
    )
