"""Messages that are posted to channels: sent, found again, edited."""
