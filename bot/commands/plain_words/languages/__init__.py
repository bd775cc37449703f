"""Lines in other languages than English, each read by the words of its own."""
