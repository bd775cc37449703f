"""Text encoding: character sets, and the repair of text that was decoded wrongly."""
