"""Pure decisions on weblog events: who may send, what an event means, when it was, what is kept of it."""
