"""Tests of the web pages as files."""
