"""What an admin decides about the facility: typed sections in one row, changed without lost updates."""
