"""Use cases on pipeline runs."""
