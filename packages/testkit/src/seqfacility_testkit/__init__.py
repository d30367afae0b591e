"""Real processes, PostgreSQL, Slurm and clients for tests; never deployed."""
