"""What the facility has about one person: given to them as a document, or taken out of it."""
