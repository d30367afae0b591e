"""The numbers that a manager of the facility is asked for: a year by month, platform and department."""
