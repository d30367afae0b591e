import type { Readiness } from "../../analyses/state";
import { api, given, patiently } from "../../api/client";
import { asProblem } from "../../api/resource";
import type { components } from "../../api/schema";
import { changedValues, fieldsOf, type Typed } from "../../parts/schema-form/schema";
import { type Merged, merged } from "./stored-settings";

type Schemas = components["schemas"];
export type Installed = Schemas["instance.admin-pipelines"]["pipelines"][number];
export type InstalledVersion = Installed["versions"][number];
export type Changes = NonNullable<InstalledVersion["changes"]>;
export type Store = Schemas["instance.pipeline-store"];
export type Entry = Store["pipelines"][number];
export type Offer = Entry["offer"];
export type OfferedVersion = Offer["versions"][number];
export type Database = Schemas["instance.reference-databases"]["databases"][number];
type Decision = Schemas["instance.requests.pipeline-decision"];

export const addressOf = (pipelineId: string): string => `/facility/pipelines/${pipelineId}`;

export const DATA_TAB = "/facility/pipelines?tab=data";

export async function readInstalled(signal: AbortSignal): Promise<Installed[]> {
  return (await given(api.GET("/api/admin/pipelines", { signal }))).pipelines;
}

/** Ask the registry, which may be slow. */
export const readStore = (signal: AbortSignal): Promise<Store> =>
  given(api.GET("/api/admin/pipelines/store", { signal, fetch: patiently }));

export async function readAllReadiness(signal: AbortSignal): Promise<Readiness[]> {
  return (await given(api.GET("/api/admin/pipelines/readiness", { signal }))).pipelines;
}

/** What an installed pipeline has and lacks; nothing of one that is not installed. */
export async function readReadiness(id: string, signal: AbortSignal): Promise<Readiness | null> {
  return (await readAllReadiness(signal)).find((one) => one.id === id) ?? null;
}

export async function readDatabases(signal: AbortSignal): Promise<Database[]> {
  return (await given(api.GET("/api/admin/databases", { signal }))).databases;
}

/** Install one version; what could not be verified and was read all the same is answered. */
export async function install(pipelineId: string, version: string, isOlder: boolean): Promise<string[]> {
  const body = { pipelineId, version, ...(isOlder && { allowDowngrade: true }) };
  const answer = await given(api.POST("/api/admin/pipelines/install", { body, fetch: patiently }));
  return answer.warnings ?? [];
}

export async function decide(pipelineId: string, body: Decision): Promise<void> {
  const params = { path: { pipeline_id: pipelineId } };
  await given(api.PUT("/api/admin/pipelines/{pipeline_id}", { params, body }));
}

const CONFLICT = 409;
/** Each attempt that fails lost to somebody who saved in the same moment. */
const ATTEMPTS = 5;
/** What was read without its state is saved over nothing. */
const NO_STATE = '"unknown"';

export interface Outcome extends Merged {
  readonly now: Installed;
  /** Whether it is saved; if not, somebody has to look at it first. */
  readonly isSaved: boolean;
}

/**
 * Save what was typed over `seen`, when nobody changed the same and the version is still that one.
 *
 * Decision: G1095.
 */
export async function saveSettings(seen: Installed, typed: Typed): Promise<Outcome> {
  const path = { pipeline_id: seen.id };
  for (let attempt = 1; ; attempt++) {
    const asked = api.GET("/api/admin/pipelines/{pipeline_id}", { params: { path } });
    const { pipeline: now } = await given(asked);
    const found = { ...merged(seen, now, typed), now };
    if (found.disputed.length > 0 || now.version !== seen.version) return { ...found, isSaved: false };
    const config = { ...changedValues(fieldsOf(now.configSchema), now.packageConfig, found.typed) };
    const state = (await asked).response.headers.get("etag") ?? NO_STATE;
    try {
      const params = { path, header: { "If-Match": state } };
      await given(api.PUT("/api/admin/pipelines/{pipeline_id}", { params, body: { config } }));
      return { ...found, isSaved: true };
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== CONFLICT || attempt === ATTEMPTS) throw problem;
    }
  }
}

export async function removePipeline(pipelineId: string): Promise<void> {
  const params = { path: { pipeline_id: pipelineId } };
  await given(api.DELETE("/api/admin/pipelines/{pipeline_id}", { params }));
}

export async function fetchDatabase(key: string): Promise<void> {
  await given(api.POST("/api/admin/databases/{key}/fetch", { params: { path: { key } } }));
}

export async function removeDatabase(key: string): Promise<void> {
  await given(api.DELETE("/api/admin/databases/{key}", { params: { path: { key } }, fetch: patiently }));
}

/** Whether the words of a search stand in what an entry says of itself. */
export function isFound({ id, offer }: Entry, words: string): boolean {
  const texts = [id, offer.name, offer.summary, offer.category, offer.author, ...offer.tags];
  const text = texts.join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export const isUnderWay = ({ status }: Database): boolean => status === "queued" || status === "fetching";
