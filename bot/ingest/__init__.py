"""Import of documents: repair, parse, decide, then one transaction for each edition."""
