"""Replies laid out for a chat platform: `lay_out(reply, limits)` gives parts. Pure.

It is the same for every platform, whose limits are data. How an element looks there is for the
platform's own `render`.
"""
