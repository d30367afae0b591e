"""What waits for whom, and what is running: one answer for the first screen."""
