"""Sequencing orders with their samples, notes and status."""
