import type { Run } from "./state";

/** A parameter of a run, whatever the case of its key: sample sheets read it so. */
export function parameterOf({ runParameters }: Run, key: string): string {
  const found = Object.entries(runParameters).find(([name]) => name.toLowerCase() === key.toLowerCase());
  return found === undefined || found[1] === null ? "" : String(found[1]);
}

export const isNanopore = (platform: string | null): boolean => /nanopore/i.test(platform ?? "");
