"""Closed sets of the first hour. Decision: G1050."""

from enum import StrEnum


class FirstStep(StrEnum):
    """The steps, in the recommended order."""

    STORAGE = "STORAGE"
    CATALOG = "CATALOG"
    PIPELINE = "PIPELINE"
    RUNS = "RUNS"
    MAIL = "MAIL"
    BACKUP = "BACKUP"
    PEOPLE = "PEOPLE"
    FORM = "FORM"
