"""Tests of the pages, asked for as browsers and feed readers do."""
