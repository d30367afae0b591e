"""The refusals around a file that somebody sent as a workbook."""

from seqfacility_wire.errors import ServiceError


class FileRequired(ServiceError):
    message = "file is required"


class NotAWorkbook(ServiceError):
    """CSV, xls, broken, encrypted, or larger unpacked than any table. Decision: G201."""

    message = "File must be an Excel workbook (.xlsx)"


class NoUsableSheet(ServiceError):
    message = "Workbook has no sheet with data"


class TooManyRows(ServiceError):
    """Spec: instance, Errors: run import, over 1000 rows. Decision: G201, G318."""

    message = "Workbook has more than {rows} data rows"


class TooManyColumns(ServiceError):
    """Spec: instance, Errors: run import, over 80 columns. Decision: G201, G318."""

    message = "Workbook has more than {columns} columns"


class NotCsv(ServiceError):
    """Other bytes than UTF-8, or quotes that do not end. Decision: G318."""

    message = "File must be a CSV file in UTF-8"
