"""Processes of this machine: who they are, what they started, and ending them for certain."""
