"""Use cases of live ingest."""
