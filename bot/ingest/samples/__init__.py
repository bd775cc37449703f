"""Sample editions for a new install: real papers in our own words."""

from datetime import datetime
from importlib.resources import files

from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database
from store.library.editions import newest_edition


async def add_samples(database: Database, now: datetime) -> bool:
    """Fill an empty store with the samples; return whether it was empty."""
    if await database.read(newest_edition) is not None:
        return False
    for document in files(__name__).iterdir():
        if document.name.endswith(".txt"):
            source = f"sample-{document.name.partition('-')[0]}"
            options = ImportOptions(source=source, sample=True)
            await ingest(database, document.name, document.read_bytes(), options, now)
    return True
