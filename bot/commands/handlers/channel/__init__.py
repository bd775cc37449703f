"""The commands about subscriptions, in the channels that they post to."""
