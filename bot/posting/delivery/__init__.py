"""Delivery: each due post is sent once, whatever happens in between.

`worker.py` keeps attempts in flight: `scan.py` finds ready deliveries, `claim.py` claims them,
`capacity.py` limits how many run at once. `attempt.py` is one delivery attempt, by which `send.py`
sends a post or `correct.py` edits one. `outcomes.py` decides what an error means for a delivery;
`owner_notices.py` notifies the owners of subscriptions that end.
"""
