"""Pure words and numbers that every slice stands on: no database, no HTTP."""
