"""The outbox: what is owed is sent once, whatever happens in between.

`outbox.py` finds what is to be done and has it done side by side, `sending.py` carries one
delivery out, `correcting.py` puts right what was posted, `telling.py` tells owners of orders that
end. What an error means for a delivery is decided in `deciding.py`, which is pure.
"""
