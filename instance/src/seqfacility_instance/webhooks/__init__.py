"""Webhooks: addresses of others that are told of events of this facility."""
