"""The service that a sequencing facility runs for itself."""
