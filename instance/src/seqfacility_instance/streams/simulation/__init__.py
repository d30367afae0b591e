"""A simulated sequencer: writes what MinKNOW would write, for tests and demonstrations."""
