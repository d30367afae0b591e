import { api, given } from "../../api/client";
import { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];
export type Section = Schemas["instance.settings.SectionDescription"];
export type Setting = Schemas["instance.settings.SettingDescription"];
export type Module = Schemas["instance.settings.ModuleDescription"];
export type Modules = Schemas["instance.modules"];
export type SectionName = Section["name"];
export type Values = Readonly<Record<string, unknown>>;

/** The settings, and the state in which they were seen: a save names it. */
export interface Settings {
  readonly sections: readonly Section[];
  readonly modules: readonly Module[];
  readonly state: string;
  valuesOf(section: SectionName): Values;
}

export async function readSettings(signal: AbortSignal): Promise<Settings> {
  const asked = api.GET("/api/admin/settings", { signal });
  const { descriptions, sections } = await given(asked);
  const valuesOf = (section: SectionName): Values => ({ ...sections[section] });
  return { ...descriptions, state: (await asked).response.headers.get("etag") ?? "", valuesOf };
}

/** Save what was changed, unless somebody saved since `state`: then it is refused with 409. Answers what is stored then. */
export async function saveSection(section: SectionName, body: Values, state: string): Promise<Values> {
  const params = { path: { section }, header: { "If-Match": state } };
  try {
    return { ...(await given(api.PATCH("/api/admin/settings/{section}", { params, body }))) };
  } catch (error) {
    const problem = asProblem(error);
    throw problem.details.length === 0 ? problem : named(section, problem);
  }
}

/** What is called `password` in a section may be in a dialog above it, too: fields are named with their section. */
function named(section: SectionName, { message, status, body, details }: Problem): Problem {
  const lines = details.map(({ path, reason }) => (path === null ? reason : `${section}.${path}: ${reason}`));
  return new Problem(message, status, { ...body, details: lines });
}

export const readModules = (signal: AbortSignal): Promise<Modules> =>
  given(api.GET("/api/admin/modules", { signal }));

export const saveModules = (body: Schemas["instance.requests.modules"]): Promise<Modules> =>
  given(api.PUT("/api/admin/modules", { body }));
