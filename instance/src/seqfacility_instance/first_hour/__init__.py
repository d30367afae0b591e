"""The first hour: the setup steps that a new facility needs before its first order."""
