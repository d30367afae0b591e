"""The public demo: each visitor gets a small facility of their own, to look at and not to change."""
