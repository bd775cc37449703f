"""`python -m tests.pictures` draws what people see in Slack, Discord and a terminal."""
