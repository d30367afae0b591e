"""Addresses that open one delivery without a session, for computers that have no browser."""
