"""Plain words about posts in channels and alerts: what somebody wishes, and its arguments."""
