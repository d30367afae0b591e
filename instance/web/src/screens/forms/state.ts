import { api, given } from "../../api/client";
import type { components } from "../../api/schema";
import type { Form } from "./form";

type Schemas = components["schemas"];
type OrderForm = Schemas["instance.form-config"];
type StudyForm = Schemas["instance.study-form-config"];
type Type = Form["fields"][number]["type"];

/** A form as it is stored, whatever is asked by it. */
export interface Saved extends Form {
  /** Of the order form; those of studies are not counted. */
  readonly version: number | null;
  /** Where it comes from: nobody saved it, it is the one of all, or a study's own. */
  readonly source: StudyForm["source"];
  /** The state that a save goes over. */
  readonly tag: string;
  readonly updatedAt: string | null;
  readonly updatedBy: OrderForm["updatedBy"];
}

/** What a save would mean: which drafts are asked for what, or how many studies are asked. */
export type DraftImpact = Schemas["instance.form-impact"];
export type Impact = DraftImpact | Schemas["instance.study-form-impact"];
export type Version = Schemas["instance.form-versions"]["versions"][number];

export const VERSIONS_A_PAGE = 20;

const STUDY_TYPES: readonly Type[] = [
  "text",
  "textarea",
  "select",
  "multiselect",
  "checkbox",
  "number",
  "date",
  "mixs",
  "funding",
];
const ORDER_TYPES: readonly Type[] = [...STUDY_TYPES, "barcode", "organism", "billing", "sequencing-tech"];

/** One of the forms that are built: where it is read, tried and saved. */
export interface Source {
  /** The name under which the browser keeps what is not saved. */
  readonly record: string;
  readonly isOrder: boolean;
  /** Where it is built, and where its history is. */
  readonly search: string;
  readonly historySearch: string;
  /** What its answers may be. */
  readonly types: readonly Type[];
  read(signal?: AbortSignal): Promise<Saved>;
  /** Save over the state that was seen; refused with 409 when another one is in force. */
  save(form: Form, saved: Saved): Promise<Saved>;
  /** Ask what a save would mean, and whether it would be refused; nothing is stored. */
  impact(form: Form, saved: Saved, signal: AbortSignal): Promise<Impact>;
  versions(page: number, signal: AbortSignal): Promise<Versions>;
  version(version: number, signal: AbortSignal): Promise<Form>;
}

export interface Versions {
  readonly versions: readonly Version[];
  readonly total: number;
}

const pageOf = (page: number) => ({ limit: VERSIONS_A_PAGE, offset: (page - 1) * VERSIONS_A_PAGE });

const orderSaved = (found: OrderForm): Saved => ({
  ...found,
  source: found.updatedAt === null ? "default" : "global",
  tag: `"${found.version}"`,
});

export const orderForm: Source = {
  record: "form:order",
  isOrder: true,
  search: "",
  historySearch: "?tab=history",
  types: ORDER_TYPES,
  async read(signal) {
    return orderSaved(await given(api.GET("/api/admin/form-config", { signal: signal ?? null })));
  },
  async save(form, saved) {
    const params = { header: { "If-Match": saved.tag } };
    return orderSaved(
      await given(api.PUT("/api/admin/form-config", { params, body: orderBody(form, saved) })),
    );
  },
  impact: (form, saved, signal) =>
    given(api.POST("/api/admin/form-config/impact", { body: orderBody(form, saved), signal })),
  versions: (page, signal) =>
    given(api.GET("/api/admin/form-config/versions", { params: { query: pageOf(page) }, signal })),
  version(version, signal) {
    const params = { path: { version: String(version) } };
    return given(api.GET("/api/admin/form-config/versions/{version}", { params, signal }));
  },
};

/** The form of all studies, or the one of a study. */
export function studyForm(studyId: string | null): Source {
  const query = studyId === null ? {} : { studyId };
  const path = "/api/admin/study-form-config";
  return {
    record: studyId === null ? "form:study" : `form:study:${studyId}`,
    isOrder: false,
    search: studyId === null ? "?tab=study" : `?study=${studyId}`,
    historySearch: studyId === null ? "?tab=study-history" : `?study=${studyId}&tab=history`,
    types: STUDY_TYPES,
    async read(signal) {
      const call = api.GET(path, { params: { query }, signal: signal ?? null });
      return studySaved(await given(call), await call);
    },
    async save(form, saved) {
      const params = { query, header: { "If-Match": saved.tag } };
      const call = api.PUT(path, { params, body: bodyOf(form) });
      return studySaved(await given(call), await call);
    },
    impact: (form, _saved, signal) =>
      given(api.POST(`${path}/impact`, { params: { query }, body: bodyOf(form), signal })),
    versions: (page, signal) =>
      given(api.GET(`${path}/versions`, { params: { query: { ...query, ...pageOf(page) } }, signal })),
    async version(version, signal) {
      const params = { query, path: { version: String(version) } };
      const found = await given(api.GET(`${path}/versions/{version}`, { params, signal }));
      return { ...found, enabledMixsChecklists: [] };
    },
  };
}

function studySaved(found: StudyForm, { response }: { response: Response }): Saved {
  const tag = response.headers.get("ETag") ?? "";
  return { ...found, version: null, updatedBy: null, enabledMixsChecklists: [], tag };
}

function bodyOf({ fields, groups }: Form) {
  return { fields: fields.map((field) => ({ adminOnly: false, ...field })), groups: [...groups] };
}

/** Checklists are sent where they were chosen: as long as nobody chose, new ones are offered too. */
function orderBody({ enabledMixsChecklists, ...form }: Form, saved: Saved) {
  const body = bodyOf({ enabledMixsChecklists, ...form });
  const isSame = JSON.stringify(enabledMixsChecklists) === JSON.stringify(saved.enabledMixsChecklists);
  return isSame ? body : { ...body, enabledMixsChecklists: [...enabledMixsChecklists] };
}
