"""The order form and the study forms: what is asked, of whom, and whether an answer will do."""
