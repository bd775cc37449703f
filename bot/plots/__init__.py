"""Pictures of topics over weeks, drawn in a process of their own.

What draws takes half a second and 50 MiB to load, and while it loads and draws it holds the
interpreter's lock: from a thread of the bot's it kept the event loop waiting for up to 50 ms. So it
is loaded by a process of its own, which is there only while it draws.

    a plot | known by its value: ends here | wait for a turn | process: plot in, PNG out | remember
"""
