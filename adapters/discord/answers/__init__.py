"""Answers to interactions: shown to whom, sent, with what buttons need kept."""
