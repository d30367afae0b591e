"""Notifications inside the service, for those whom an event concerns."""
