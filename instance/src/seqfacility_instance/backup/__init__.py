"""Moving a facility to another database, backing it up while it runs, and bringing it back."""
