"""The tables of the instance, one module for each part of the service."""
