"""Which file of a folder belongs to which sample, and what is there of it already; pure."""
