"""Fetching documents from a registry, the only place where the service opens a connection by itself."""
