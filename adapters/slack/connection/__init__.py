"""The connection to Slack: Socket Mode or HTTP, with Bolt's app."""
