"""Pure decisions of the client: which file is whose, how it is cut, what can go on, how long to pause."""
