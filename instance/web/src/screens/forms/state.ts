import { api, given } from "../../api/client";
import type { components } from "../../api/schema";
import type { Form } from "./form";

type Schemas = components["schemas"];
export type Saved = Schemas["instance.form-config"];
export type Impact = Schemas["instance.form-impact"];
export type Version = Schemas["instance.form-versions"]["versions"][number];

export const VERSIONS_A_PAGE = 20;

export async function readSaved(signal?: AbortSignal): Promise<Saved> {
  return given(api.GET("/api/admin/form-config", { signal: signal ?? null }));
}

/** Save over the version that was seen; refused with 409 when another one is in force. */
export async function saveForm(form: Form, saved: Saved): Promise<Saved> {
  const params = { header: { "If-Match": `"${saved.version}"` } };
  return given(api.PUT("/api/admin/form-config", { params, body: bodyOf(form, saved) }));
}

/** Ask what a save would mean, and whether it would be refused; nothing is stored. */
export async function readImpact(form: Form, saved: Saved, signal: AbortSignal): Promise<Impact> {
  return given(api.POST("/api/admin/form-config/impact", { body: bodyOf(form, saved), signal }));
}

/** Checklists are sent where they were chosen: as long as nobody chose, new ones are offered too. */
function bodyOf({ fields, groups, enabledMixsChecklists }: Form, saved: Saved) {
  const body = { fields: fields.map((field) => ({ adminOnly: false, ...field })), groups: [...groups] };
  const isSame = JSON.stringify(enabledMixsChecklists) === JSON.stringify(saved.enabledMixsChecklists);
  return isSame ? body : { ...body, enabledMixsChecklists: [...enabledMixsChecklists] };
}

export interface Versions {
  readonly versions: readonly Version[];
  readonly total: number;
}

export async function readVersions(page: number, signal: AbortSignal): Promise<Versions> {
  const offset = (page - 1) * VERSIONS_A_PAGE;
  const params = { query: { limit: VERSIONS_A_PAGE, offset } };
  return given(api.GET("/api/admin/form-config/versions", { params, signal }));
}

export async function readVersion(version: number, signal: AbortSignal): Promise<Saved> {
  const params = { path: { version: String(version) } };
  return given(api.GET("/api/admin/form-config/versions/{version}", { params, signal }));
}
