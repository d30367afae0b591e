"""The enums of the API, one `StrEnum` each; the value is what the wire has."""
