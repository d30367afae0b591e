"""The endpoints of the first hour."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.first_hour.bodies import FirstHourSave, first_hour_answer
from seqfacility_instance.first_hour.service import FirstHour


@dataclass(frozen=True, slots=True)
class FirstHourSteps:
    """`/api/admin/first-hour`."""

    first_hour: FirstHour

    def on_get(self, req: Request, resp: Response) -> None:
        """Say what is missing. Decision: G1050."""
        resp.media = first_hour_answer(self.first_hour.show(guard.live_facility_admin(req)))

    def on_put(self, req: Request, resp: Response) -> None:
        """Put it away, or bring it back. Decision: G1051."""
        caller = guard.live_facility_admin(req)
        wanted = FirstHourSave.read(read_json_object(req))
        resp.media = first_hour_answer(self.first_hour.put_away(caller, is_put_away=wanted.put_away))

    def on_post(self, req: Request, resp: Response) -> None:
        """Ask engines and scheduler, then say what is missing. Decision: G1052."""
        resp.media = first_hour_answer(self.first_hour.look(guard.live_facility_admin(req)))
