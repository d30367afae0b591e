"""Use cases of upload sessions, one module for each part of a session's life."""
