"""Signing in with the account of one's institute, by OpenID Connect."""
