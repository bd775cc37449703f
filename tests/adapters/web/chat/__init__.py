"""Tests of the chat page, asked as browsers do."""
