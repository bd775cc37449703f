"""Importing in a process of its own, so that whoever asks a bot meanwhile is answered as soon.

In the bot's own process the parsers would hold up its event loop, and what writes an edition the
interpreter's lock: an acknowledgement during an import of the archive then takes some seventy times
as long, and from threads three to six times (`docs/benchmarks.md`).

    a document | known by its bytes: ends here | process begun, if there is none | order | report
"""

from bot.ingest.worker.process import Apart

__all__ = ["Apart"]
