"""Tickets: conversations between users and the facility."""
