"""A seeded search for inputs whose cost grows faster than they do.

    python -m tests.slow_inputs [--seed N] [--seconds N] [--path NAME…]

Whatever a stranger writes, a command or a document, comes to some of our functions: the paths
(`paths.py` and beside it). Fragments that such functions stumble over are put together by chance
(`inputs.py`), the whole is doubled until it costs enough to be measured (`measuring.py`), and what
the last two doublings cost is compared: an input is slow where the cost of four times as much is
more than eight times as high, or where it is higher than its path may cost at all.

Costs are seconds of the processor, for regular expressions and libraries in C do nothing that
could be counted. Only costs within one run are compared, what looks slow is measured again, and
what is shown is the least of several measures; so other programs on the machine change little. The
choices are repeated by their seed, and how many of them are made depends on the time given.
"""
