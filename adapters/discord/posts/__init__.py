"""Messages posted to channels: sent, found again, edited."""
