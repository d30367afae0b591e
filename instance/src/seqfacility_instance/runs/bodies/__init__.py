"""Answers of the run endpoints."""
