"""Enums, limits and pure functions for every slice: no database, no HTTP."""
