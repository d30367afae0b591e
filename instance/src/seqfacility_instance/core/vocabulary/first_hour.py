"""Closed sets of the first hour. Decision: G1050."""

from enum import StrEnum


class FirstStep(StrEnum):
    """What a facility needs, in the order in which it is best done."""

    STORAGE = "STORAGE"
    CATALOG = "CATALOG"
    PIPELINE = "PIPELINE"
    RUNS = "RUNS"
    MAIL = "MAIL"
    BACKUP = "BACKUP"
    PEOPLE = "PEOPLE"
    FORM = "FORM"
