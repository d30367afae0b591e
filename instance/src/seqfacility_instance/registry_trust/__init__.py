"""Reading a registry by its signatures, in the form of The Update Framework (TUF)."""
