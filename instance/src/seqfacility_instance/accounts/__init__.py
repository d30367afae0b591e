"""People: sign-in, passwords, accounts."""
