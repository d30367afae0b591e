"""Pure decisions of live ingest."""
