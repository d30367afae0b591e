"""Reads and artifacts of an order: what is active, what is protected, what is delivered."""
