"""HTTP conventions that the instance and the registry keep alike."""
