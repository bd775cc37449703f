"""From a document to exact facts: repair, parse, decide, then one transaction an edition."""
