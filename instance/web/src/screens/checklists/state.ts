import { api, given, patiently } from "../../api/client";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];
export type Overview = Schemas["instance.admin-mixs-checklists"];
export type Listed = Overview["checklists"][number];
export type Update = Schemas["instance.mixs-update.ChecklistUpdate"];
export type Applied = Schemas["instance.mixs-update.AppliedChecklistUpdate"];
export type Checklist = Schemas["instance.admin-mixs-checklist"];
export type Field = Checklist["fields"][number];
type Action = Schemas["instance.requests.checklist-action"];

export const LEVELS = ["mandatory", "recommended", "optional"] as const satisfies readonly Field["level"][];

export const readOverview = (signal: AbortSignal): Promise<Overview> =>
  given(api.GET("/api/admin/mixs-checklists", { signal }));

/** Read a checklist, switched off or not, as a version has it; null is the active one. */
export function readChecklist(
  accession: string,
  version: number | null,
  signal: AbortSignal,
): Promise<Checklist> {
  const params = { path: { accession }, query: version === null ? {} : { version } };
  return given(api.GET("/api/admin/mixs-checklists/{accession}", { params, signal }));
}

const act = (body: Action) => given(api.POST("/api/admin/mixs-checklists", { body, fetch: patiently }));

/** Ask the registry what it has that is newer. */
export const look = async (): Promise<Update> => (await act({ action: "check-updates" })) as Update;

/** Make what the registry has now the active version. */
export const apply = async (force: boolean): Promise<Applied> =>
  (await act({ action: "apply-updates", force })) as Applied;

export async function setAvailable(accession: string, available: boolean): Promise<void> {
  await act({ action: "set-available", accession, available });
}

/** Make a stored version active; null is the one that the release ships. */
export async function activate(version: number | null): Promise<void> {
  await act(version === null ? { action: "reset" } : { action: "activate-version", version });
}
