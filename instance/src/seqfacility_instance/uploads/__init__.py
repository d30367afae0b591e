"""Chunked upload sessions: from the first byte of a chunk to a Read or an artifact of an order."""
