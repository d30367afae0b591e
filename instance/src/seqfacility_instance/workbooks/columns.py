"""How a spreadsheet names its columns."""


def column_letters(column: int) -> str:
    """Write a column as a spreadsheet does: 1 is A, 27 is AA."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def column_number(letters: str) -> int:
    """Count a column from 1: A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
