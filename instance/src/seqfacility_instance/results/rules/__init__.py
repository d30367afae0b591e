"""Pure decisions on the outputs of runs."""
