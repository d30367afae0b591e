"""Annual figures of the facility by month, platform and department, for its manager's reports."""
