"""Pure decisions on pipeline runs."""
