"""A sequencer that is not there: writes what MinKNOW would write, for tests and demonstrations."""
