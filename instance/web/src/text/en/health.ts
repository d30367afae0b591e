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
  summary: (broken: number, warned: number): string =>
    broken + warned === 0
      ? "Nothing has to be done."
      : `${counted(broken, "thing is", "things are")} broken, ${counted(warned, "thing", "things")} to look at.`,
  groups: {
    bad: "Broken",
    warn: "To look at",
    unknown: "Not known",
    ok: "Well",
  } satisfies Record<Severity, string>,
  seen: "as of",
  toDo: "What to do:",
  goThere: "Open the page",
  goThereFor: (what: string): string => `Open the page for ${what}`,
  firstHourOpen: (steps: number): string =>
    `${counted(steps, "thing is", "things are")} missing before a first order can be sequenced.`,
  release: (version: string): string => `Release ${version}`,
} as const;
