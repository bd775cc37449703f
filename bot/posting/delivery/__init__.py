"""Delivery: each due post is sent once, whatever happens in between.

`worker.py` claims the ready deliveries that `scan.py` finds and keeps their attempts in flight, as
many at once as `capacity.py` allows. `attempt.py` is one delivery attempt, by which `send.py` sends
a post or `correct.py` edits one. `outcomes.py` decides what an error means for a delivery;
`owner_notices.py` notifies the owners of subscriptions that end.
"""
