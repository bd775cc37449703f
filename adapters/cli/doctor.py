"""`broadsheet doctor`: what would not work, and what to do about it."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

import click

from adapters.cli.runtime import Opener, Runtime
from bot.settings import SETTING_NAMES, given_variables
from store import checks
from store.database import Database
from store.errors import BroadsheetError, SchemaOutdated

_TOKENS = {"slack": ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"), "discord": ("DISCORD_TOKEN",)}
_ALIKE = 0.8  # a letter or two of a setting's name


class Verdict(StrEnum):
    """What came of an examination."""

    WELL = "well"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing examined: a sentence on it, and what to do where it is not well."""

    about: str
    verdict: Verdict
    sentence: str
    remedy: str = ""


@click.command()
def doctor() -> None:
    """Examine settings, store, zone and tokens; exit 1 if something would not work."""
    findings = asyncio.run(_examine(click.get_current_context().obj))
    for finding in findings:
        click.echo(f"{finding.verdict:<8} {finding.about}: {finding.sentence}")
        if finding.remedy:
            click.echo(f"{'':<8} {finding.remedy}")
    if any(finding.verdict == Verdict.PROBLEM for finding in findings):
        raise SystemExit(1)


async def _examine(opener: Opener) -> list[Finding]:
    variables = given_variables()
    findings = [*misspelt_settings(variables), *tokens(variables)]
    try:
        async with opener(upgrade=False) as runtime:
            findings += [_zone(runtime), *await _store(runtime.database)]
    except BroadsheetError as error:
        findings.append(Finding("settings", Verdict.PROBLEM, error.sentence, error.remedy))
    return findings


def misspelt_settings(variables: Mapping[str, str]) -> Iterator[Finding]:
    """Find variables that are nearly a setting's name, and so have no effect."""
    for name in sorted(variables.keys() - set(SETTING_NAMES)):
        prefix, _, rest = name.partition("_")
        known = {each.partition("_")[2]: each for each in SETTING_NAMES if each.startswith(prefix)}
        for near in get_close_matches(rest, known, n=1, cutoff=_ALIKE):
            sentence = f"{name} is no setting and has no effect."
            yield Finding("settings", Verdict.PROBLEM, sentence, f"Did you mean {known[near]}?")


def tokens(variables: Mapping[str, str]) -> Iterator[Finding]:
    """Say of each platform whether its tokens are there."""
    for platform, names in _TOKENS.items():
        given = [name for name in names if variables.get(name)]
        if given:
            sentence = f"{' and '.join(given)} is set, but this version does not connect yet."
            yield Finding(platform, Verdict.NOTE, sentence)
        else:
            remedy = "Nothing is missing for the terminal; this version connects to no platform."
            verb = "is" if len(names) == 1 else "are"
            yield Finding(platform, Verdict.NOTE, f"{' and '.join(names)} {verb} not set.", remedy)


def _zone(runtime: Runtime) -> Finding:
    now = f"{runtime.now:%Y-%m-%d %H:%M}"
    return Finding("zone", Verdict.WELL, f"{runtime.zone}, where it is {now}.")


async def _store(database: Database) -> list[Finding]:
    if database.path and not database.path.exists():
        return [_new_store(database)]
    try:
        problems = await database.run(checks.check)
    except SchemaOutdated as error:
        remedy = "broadsheet run brings it up to date, as every other verb does."
        return [Finding("store", Verdict.NOTE, error.sentence, remedy)]
    except BroadsheetError as error:
        return [Finding("store", Verdict.PROBLEM, error.sentence, error.remedy)]
    if not problems:
        return [Finding("store", Verdict.WELL, f"{database.name} is sound.")]
    remedy = "Restore a backup: broadsheet db restore FILE."
    return [Finding("store", Verdict.PROBLEM, problem, remedy) for problem in problems]


def _new_store(database: Database) -> Finding:
    folder = database.path.absolute().parent if database.path else None
    if folder and os.access(folder, os.W_OK):
        return Finding("store", Verdict.WELL, f"{database.name} will be made at first use.")
    return Finding(
        "store",
        Verdict.PROBLEM,
        f"{database.name} can't be made: its folder is missing or can't be written to.",
        "Make the folder, or name another file in BROADSHEET_DATABASE_URL.",
    )
