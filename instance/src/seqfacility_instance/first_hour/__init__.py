"""The first hour of a facility: what is missing before its first order."""
