"""API tokens of people, and the machine accounts of sequencing computers."""
