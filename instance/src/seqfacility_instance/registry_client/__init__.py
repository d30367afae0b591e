"""Fetching documents from a registry and calling webhooks: the only place that speaks HTTP to others."""
