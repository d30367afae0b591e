"""What a change of the content changes, in words, for whoever reviews it."""
