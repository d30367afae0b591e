"""The installation itself: set-up, settings, modules, version, health."""
