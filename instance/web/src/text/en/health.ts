import type { components } from "../../api/schema";
import { counted } from "../format";

type Severity = components["schemas"]["instance.admin-health.HealthFinding"]["severity"];

/** How the installation is; the sentences themselves are the server's. */
export const healthText = {
  title: "Health",
  severities: { bad: "Broken", warn: "Look at it", unknown: "Not known", ok: "Well" } satisfies Record<
    Severity,
    string
  >,
  summary: (broken: number, warned: number): string => {
    if (broken + warned === 0) return "Nothing has to be done.";
    const things = broken === 0 ? "Nothing is broken" : `${counted(broken, "thing is", "things are")} broken`;
    return warned === 0 ? `${things}.` : `${things}; ${counted(warned, "thing", "things")} to look at.`;
  },
  groups: {
    bad: "Broken",
    warn: "To look at",
    unknown: "Not known",
    ok: "Well",
  } satisfies Record<Severity, string>,
  seen: "as of",
  toDo: "What to do:",
  what: "What",
  state: "State",
  goTo: (place: string): string => `Open ${place}`,
  goToFor: (place: string, what: string): string => `Open ${place} for ${what}`,
  firstHourOpen: (steps: number): string =>
    `${counted(steps, "thing is", "things are")} missing before a first order can be sequenced.`,
  release: (version: string): string => `Release ${version}`,
} as const;
