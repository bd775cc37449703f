"""Runs: what one process at a time does again and again, whatever becomes of that process."""

from bot.runs.carrying import Carrying
from bot.runs.ended import Ended, Job, backed_off
from bot.runs.runs import Runs

__all__ = ["Carrying", "Ended", "Job", "Runs", "backed_off"]
