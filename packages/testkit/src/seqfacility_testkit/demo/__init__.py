"""The demonstration: one order from submission to delivery, by HTTP only, told as it happens."""
