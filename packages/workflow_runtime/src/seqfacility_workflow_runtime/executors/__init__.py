"""Executors: what starts, watches and ends the job of a pipeline run."""
