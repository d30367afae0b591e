import { api, given } from "../../api/client";
import { type Pages, type ReadRows, usePages } from "../../api/pages";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];
export type ListedStudy = Schemas["instance.studies"]["studies"][number];
export type Study = Schemas["instance.study"]["study"];
export type Sample = Study["samples"][number];
export type StudyForm = Schemas["instance.study-form-schema"];
export type StudyBody = Schemas["instance.requests.study"];
export type NewStudy = Schemas["instance.requests.new-study"];
export type SampleBody = Schemas["instance.requests.study-samples"]["samples"][number];
export type Impact = Schemas["instance.study-impact"]["impact"];
export type Checklist = Schemas["instance.checklist-parts.ChecklistDefinition"];
export type ChecklistSummary = Schemas["instance.checklist-parts.ChecklistSummary"];
export type Order = Schemas["instance.orders"]["orders"][number];

export interface Checklists {
  readonly all: readonly ChecklistSummary[];
  /** The version that new studies begin with. */
  readonly version: number;
}

/** How many studies come at once. */
const PAGE = 100;
/** How many orders are offered at once; more are searched for. */
export const ORDERS_OFFERED = 50;

/** The studies that fit a search. */
export function useStudies(q: string): Pages<ListedStudy> {
  const read: ReadRows<ListedStudy> = async (range, signal) => {
    const params = { query: { ...range, ...(q && { q }) } };
    const { studies, total } = await given(api.GET("/api/studies", { params, signal }));
    return { rows: studies, total };
  };
  return usePages(read, { q }, PAGE);
}

export async function readChecklists(signal: AbortSignal): Promise<Checklists> {
  const answer = await given(api.GET("/api/mixs-checklists", { signal }));
  return "checklists" in answer
    ? { all: answer.checklists, version: answer.version }
    : { all: [], version: 0 };
}

export function nameOf(checklists: Checklists | null, accession: string): string {
  return checklists?.all.find((one) => one.accession === accession)?.name ?? accession;
}

/** Read a checklist as it was in a version. */
export async function readChecklist(
  accession: string,
  version: number,
  signal: AbortSignal,
): Promise<Checklist | null> {
  const query = { accession, version };
  const answer = await given(api.GET("/api/mixs-checklists", { params: { query }, signal }));
  return "fields" in answer ? answer : null;
}

/** The questions of studies; `studyId` counts where studies have forms of their own. */
export async function readForm(studyId: string | null, signal?: AbortSignal): Promise<StudyForm> {
  const query = studyId === null ? {} : { studyId };
  return given(api.GET("/api/study-form-schema", { params: { query }, signal: signal ?? null }));
}

export async function readStudy(studyId: string, signal?: AbortSignal): Promise<Study> {
  const params = { path: { study_id: studyId } };
  return (await given(api.GET("/api/studies/{study_id}", { params, signal: signal ?? null }))).study;
}

export async function createStudy(body: NewStudy): Promise<Study> {
  return (await given(api.POST("/api/studies", { body }))).study;
}

export async function saveStudy(study: Study, body: StudyBody): Promise<Study> {
  const params = { path: { study_id: study.id } };
  const whole = { ...body, baseUpdatedAt: study.updatedAt };
  return (await given(api.PUT("/api/studies/{study_id}", { params, body: whole }))).study;
}

export async function deleteStudy(studyId: string): Promise<void> {
  await given(api.DELETE("/api/studies/{study_id}", { params: { path: { study_id: studyId } } }));
}

/** Orders that have samples, those that changed last, and how many orders there are. */
export async function readOrders(
  words: string,
  signal: AbortSignal,
): Promise<{ orders: Order[]; total: number }> {
  const query = { limit: ORDERS_OFFERED, sort: "-changed", ...(words && { q: words }) } as const;
  const { orders, total } = await given(api.GET("/api/orders", { params: { query }, signal }));
  const empty = orders.filter(({ counts }) => counts.samples === 0).length;
  return { orders: orders.filter(({ counts }) => counts.samples > 0), total: total - empty };
}

/** Put the samples of orders into a study, all that are free, and return how many. */
export async function addSamplesOf(studyId: string, orderIds: Iterable<string>): Promise<number> {
  const found = await Promise.all(
    [...orderIds].map((id) =>
      given(api.GET("/api/orders/{order_id}/samples", { params: { path: { order_id: id } } })),
    ),
  );
  const free = found.flatMap(({ samples }) => samples.filter((sample) => sample.studyId === null));
  if (free.length === 0) return 0;
  return putIn(
    studyId,
    free.map(({ id }) => id),
  );
}

export async function putIn(studyId: string, sampleIds: string[]): Promise<number> {
  const params = { path: { study_id: studyId } };
  return (await given(api.POST("/api/studies/{study_id}/samples", { params, body: { sampleIds } }))).added;
}

export async function takeOut(studyId: string, sampleIds: string[]): Promise<number> {
  const params = { path: { study_id: studyId } };
  return (await given(api.DELETE("/api/studies/{study_id}/samples", { params, body: { sampleIds } })))
    .removed;
}

/** Save metadata; `isPartly` says that something was sent which the form in force does not ask. */
export async function saveSamples(
  studyId: string,
  samples: SampleBody[],
): Promise<{ samples: readonly Sample[]; isPartly: boolean }> {
  const params = { path: { study_id: studyId } };
  const answer = await given(api.PUT("/api/studies/{study_id}/samples", { params, body: { samples } }));
  return { samples: answer.samples, isPartly: answer.warnings !== undefined };
}

/** What a version means for a study; without one, how complete its samples are. */
export async function readImpact(
  studyId: string,
  version: number | null,
  signal?: AbortSignal,
): Promise<Impact> {
  const params = { path: { study_id: studyId }, query: version === null ? {} : { version } };
  return (await given(api.GET("/api/studies/{study_id}/mixs-impact", { params, signal: signal ?? null })))
    .impact;
}
