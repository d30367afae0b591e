"""The pipeline registry: index, entries and package payloads."""
