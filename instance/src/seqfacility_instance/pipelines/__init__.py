"""Installed pipeline packages: what is offered, how it is configured, and where it comes from."""
