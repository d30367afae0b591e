"""What belongs to no document: health and drawings."""
