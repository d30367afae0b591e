"""Sample sheets for the instruments: written from a run, held against their published rules."""
