"""`/api/admin/numbers`."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_text

from seqfacility_instance.access import guard
from seqfacility_instance.numbers import bodies
from seqfacility_instance.numbers.rules import Year
from seqfacility_instance.numbers.service import FacilityNumbers
from seqfacility_instance.numbers.spreadsheet import year_csv
from seqfacility_instance.workbooks.csv_tables import CSV


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a year."""

    numbers: FacilityNumbers

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the numbers of a year. Decision: G1010."""
        resp.media = bodies.year_answer(_year(self.numbers, req))


@dataclass(frozen=True, slots=True)
class NumbersFile:
    """The numbers of a year as a file."""

    numbers: FacilityNumbers

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the numbers of a year as CSV. Decision: G1013."""
        year = _year(self.numbers, req)
        resp.data = year_csv(year)
        resp.content_type = CSV
        resp.downloadable_as = f"numbers-{year.year}.csv"


def _year(numbers: FacilityNumbers, req: Request) -> Year:
    caller = guard.live_facility_admin(req)
    wanted = bodies.read_year(query_text(req, "year"))
    return numbers.year(caller, wanted, recount=bodies.read_recount(query_text(req, "counted")))
