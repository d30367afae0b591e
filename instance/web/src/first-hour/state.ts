import { api, given, patiently } from "../api/client";
import { Problem } from "../api/problem";
import type { components } from "../api/schema";

type Schemas = components["schemas"];
export type FirstHour = Schemas["instance.first-hour"];
export type Step = FirstHour["steps"][number];
type Installed = Schemas["instance.admin-pipelines"]["pipelines"][number];
type Readiness = Schemas["instance.pipelines-readiness"]["pipelines"][number];

export const readFirstHour = (signal?: AbortSignal): Promise<FirstHour> =>
  given(api.GET("/api/admin/first-hour", { ...(signal && { signal }) }));

/** Ask the scheduler or the workflow engines, which takes seconds. */
export const askNow = (): Promise<FirstHour> =>
  given(api.POST("/api/admin/first-hour", { fetch: patiently }));

export const putAway = (isPutAway: boolean): Promise<FirstHour> =>
  given(api.PUT("/api/admin/first-hour", { body: { putAway: isPutAway } }));

export async function fetchCatalog(action: "apply-updates" | "reset"): Promise<void> {
  await given(api.POST("/api/admin/sequencing-tech", { body: { action } }));
}

/** The answer of the mail server to a mail that went to the caller. */
export const sendTestMail = (): Promise<Schemas["instance.test-mail"]> =>
  given(api.POST("/api/admin/mail/test"));

/** The data folder as it is set, and the state of the settings in which it was seen. */
export interface DataFolder {
  path: string;
  state: string;
}

export async function readDataFolder(signal: AbortSignal): Promise<DataFolder> {
  const { data, error, response } = await api.GET("/api/admin/settings", { signal });
  if (data === undefined) throw new Problem(error.error, response.status, error, response.headers);
  return {
    path: data.sections.storage.dataBasePath ?? "",
    state: response.headers.get("etag") ?? "*",
  };
}

/** Save the data folder, unless somebody has saved the section since. */
export async function saveDataFolder(path: string, state: string): Promise<void> {
  await given(
    api.PATCH("/api/admin/settings/{section}", {
      params: { path: { section: "storage" }, header: { "If-Match": state } },
      body: { dataBasePath: path.trim() },
    }),
  );
}

/** An installed pipeline that nobody may run yet, and what was found of it. */
export interface Candidate {
  pipeline: Installed;
  checks: Readiness["checks"];
}

export async function readCandidates(signal: AbortSignal): Promise<Candidate[]> {
  const [{ pipelines }, readiness] = await Promise.all([
    given(api.GET("/api/admin/pipelines", { signal })),
    given(api.GET("/api/admin/pipelines/readiness", { signal })),
  ]);
  const looked = new Map(readiness.pipelines.map(({ id, checks }) => [id, checks]));
  return pipelines
    .filter(({ enabled }) => !enabled)
    .map((pipeline) => ({
      pipeline,
      checks: (looked.get(pipeline.id) ?? []).filter(({ id }) => id !== "enabled"),
    }));
}

export async function enable(pipelineId: string): Promise<void> {
  const params = { path: { pipeline_id: pipelineId } };
  await given(api.PUT("/api/admin/pipelines/{pipeline_id}", { params, body: { enabled: true } }));
}
