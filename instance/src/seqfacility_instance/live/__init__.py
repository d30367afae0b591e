"""Hints to browsers that something changed: they say what to read again, never what is in it."""
