"""Every closed set of words of the API, one `StrEnum` each; the value is the word on the wire."""
