"""Pipeline runs: made, launched, watched, ended and shown."""
