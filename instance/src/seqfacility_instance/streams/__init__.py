"""Live ingest of sequencer output: stream runs, the monitor that counts their files, feed and picture."""
