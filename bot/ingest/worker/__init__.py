"""Importing in a worker process, so that the bot answers on time meanwhile.

Parsing and deciding keep the interpreter's lock: an acknowledgement during an import of the archive
takes some seventy times as long in the bot's own event loop, and from threads three to six times
(`docs/benchmarks.md`).

    a document | same bytes as before: ends here | start the process if there is none | request
        | report
"""
