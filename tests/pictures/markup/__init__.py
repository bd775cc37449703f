"""Texts with marks, as HTML; and a page as plain lines."""
