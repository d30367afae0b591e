"""Use cases of files, one module for each."""
