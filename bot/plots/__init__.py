"""Pictures of topics over weeks, drawn by a worker process.

matplotlib takes half a second and 50 MiB to load, and holds the interpreter's lock while it loads
and draws: in a thread of the bot it blocked the event loop for up to 50 ms. So a worker process
loads it, which lives only while it draws.
"""
