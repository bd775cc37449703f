"""The rules of answers, the same on every platform."""
