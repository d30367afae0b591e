"""The sign-in page: a form in front of the API, with nothing from elsewhere. Decision: G268."""
