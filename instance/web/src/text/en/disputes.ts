import { counted } from "../format";

/** What two people changed at once. */
export const disputeText = {
  disputes: (values: number): string =>
    `Somebody else changed ${counted(values, "value", "values")} that you changed too`,
  savedBy: (who: string | null): string => `Saved by ${who ?? "somebody"}`,
  keepMine: "Keep mine",
  keepMineOf: (what: string): string => `Keep mine: ${what}`,
  takeTheirs: "Take theirs",
  takeTheirsOf: (what: string): string => `Take theirs: ${what}`,
  keepAllMine: "Keep all mine",
  takeAllTheirs: "Take all theirs",
  decideFirst: "Decide first which values hold.",
  empty: "empty",
} as const;
