"""Reference databases: fetched once, verified, kept beside each other, handed to runs."""
