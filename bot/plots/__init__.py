"""Pictures of topics over weeks, drawn by a worker process.

matplotlib takes half a second and 50 MiB to load, and holds the interpreter's lock while it loads
and draws: in a thread of the bot it blocked the event loop for up to 50 ms. So a process of its own
loads it, which stays for a minute after a picture.
"""
