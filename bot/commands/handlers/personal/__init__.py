"""The commands about one person's own marks and changes, and all that is stored about them."""
