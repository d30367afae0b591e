import type { IconName } from "../parts/icons";
import { facilityRail, rail } from "../routes";

/** Somewhere that one can go. */
export interface Goal {
  href: string;
  label: string;
  detail?: string;
  icon: IconName;
}

/** The places whose names hold what was typed. */
export function goToState(typed: string, isAdmin: boolean): readonly Goal[] {
  const role = isAdmin ? "admin" : "researcher";
  const mine = [...rail, ...(isAdmin ? facilityRail : [])].filter(
    ({ audience }) => audience === "signed-in" || audience === role,
  );
  const wanted = typed.trim().toLowerCase();
  return mine.filter(({ label }) => label.toLowerCase().includes(wanted));
}
