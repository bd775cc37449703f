"""The outbox: what is owed is sent once, whatever happens in between.

`outbox.py` has what is to be done, which `finding.py` finds and `claiming.py` claims, done side by
side. `sending.py` carries one delivery out, `correcting.py` puts right what was posted,
`telling.py` tells owners of orders that end. What an error means for a delivery is decided in
`deciding.py`, which is pure.
"""
