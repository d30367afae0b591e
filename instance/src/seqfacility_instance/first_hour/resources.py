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
        """Return the steps. Decision: G1050."""
        resp.media = first_hour_answer(self.first_hour.show(guard.live_facility_admin(req)))

    def on_put(self, req: Request, resp: Response) -> None:
        """Dismiss them for all admins, or restore them. Decision: G1051."""
        caller = guard.live_facility_admin(req)
        save = FirstHourSave.read(read_json_object(req))
        resp.media = first_hour_answer(self.first_hour.dismiss(caller, is_dismissed=save.put_away))

    def on_post(self, req: Request, resp: Response) -> None:
        """Check engines and scheduler now, and return the steps. Decision: G1052."""
        resp.media = first_hour_answer(self.first_hour.check_now(guard.live_facility_admin(req)))
