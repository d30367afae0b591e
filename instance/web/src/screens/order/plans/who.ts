import type { Problem } from "../../../api/problem";
import { whoText } from "../../../text/en/plans";
import { ago } from "../../../text/format";

const TOLD = /^was changed at (\S+)(?: by (.+))?$/;

/** Say when and by whom a run was changed, from what a refused save tells. */
export function whoChanged({ details }: Problem, now = new Date()): string {
  const reason = details.find(({ path }) => path === "baseUpdatedAt")?.reason ?? "";
  const [, at, name = ""] = TOLD.exec(reason) ?? [];
  return whoText(at === undefined ? "" : ago(new Date(at), now), name);
}
