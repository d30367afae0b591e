import { api, given, patiently } from "../../api/client";
import { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import type { components } from "../../api/schema";
import { text as common } from "../../text/en/common";
import { COLLECTIONS, type Collection, type Item, type Items, isSame, type Standing } from "./items";

type Schemas = components["schemas"];
type Config = Schemas["instance.admin-sequencing-tech"]["config"];
export type Update = Schemas["instance.sequencing-tech-update.CatalogUpdateKeys"];

/** The stored catalog, and the state in which it was seen: a save names it. */
export interface Catalog {
  readonly config: Config;
  readonly items: Items;
  readonly isStored: boolean;
  readonly isStale: boolean;
  readonly source: string;
  readonly state: string;
  standingOf(collection: Collection, id: string): Standing | undefined;
}

export async function readCatalog(signal?: AbortSignal): Promise<Catalog> {
  const asked = api.GET("/api/admin/sequencing-tech", { ...(signal && { signal }) });
  const { config, standings, stored, stale, effectiveSyncUrl } = await given(asked);
  const known = new Map(
    COLLECTIONS.map((collection) => [
      collection,
      new Map(standings[collection]?.map((standing) => [standing.id, standing])),
    ]),
  );
  return {
    config,
    items: config,
    isStored: stored,
    isStale: stale,
    source: effectiveSyncUrl,
    state: (await asked).response.headers.get("etag") ?? "",
    standingOf: (collection, id) => known.get(collection)?.get(id),
  };
}

/** A save that would undo what somebody else saved since. */
export class ChangedElsewhere extends Problem {
  /** The entry as it is now; null when it is gone. */
  readonly theirs: Item | null;

  constructor(theirs: Item | null) {
    super(common.changed, CONFLICT);
    this.theirs = theirs;
  }
}

const CONFLICT = 409;
/** Each attempt that fails lost to a save of another entry in the same moment. */
const ATTEMPTS = 5;

/**
 * Save one entry over the one that was seen, `null` for none; raises `ChangedElsewhere` when it is another by now.
 *
 * Decision: G1049.
 */
export async function saveItem(collection: Collection, seen: Item | null, next: Item | null): Promise<void> {
  const id = seen?.id ?? next?.id;
  await change(({ config, items }) => {
    const theirs = items[collection].find((one) => one.id === id) ?? null;
    if (!isSame(theirs, seen)) throw new ChangedElsewhere(theirs);
    const kept = items[collection].map((one) => (one.id === id ? next : one)).filter((one) => one !== null);
    return { ...config, [collection]: next !== null && seen === null ? [...kept, next] : kept };
  });
}

/** Sync from another address from now on, or with null from the registry. */
export const saveSource = (syncUrl: string | null): Promise<void> =>
  change(({ config }) => ({ ...config, syncUrl }));

async function change(next: (catalog: Catalog) => Config): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const catalog = await readCatalog();
    const params = { header: { "If-Match": catalog.state } };
    try {
      await given(api.PUT("/api/admin/sequencing-tech", { params, body: next(catalog) }));
      return;
    } catch (error) {
      const problem = asProblem(error);
      const isLost = problem.status === CONFLICT && !(problem instanceof ChangedElsewhere);
      if (!isLost || attempt === ATTEMPTS) throw inItem(problem);
    }
  }
}

/** What the service says of `kits[3].id` is said of the field `id` of the form. */
function inItem(problem: Problem): Problem {
  if (problem instanceof ChangedElsewhere || problem.details.length === 0) return problem;
  const { message, status, body, details } = problem;
  const lines = details.map(({ path, reason }) =>
    path === null ? reason : `${path.replace(/^\w+\[\d+\]\./, "")}: ${reason}`,
  );
  return new Problem(message, status, { ...body, details: lines });
}

export const look = (): Promise<Update> => act("check-updates");

export const apply = (): Promise<Update> => act("apply-updates");

async function act(action: "check-updates" | "apply-updates"): Promise<Update> {
  const answer = await given(api.POST("/api/admin/sequencing-tech", { body: { action }, fetch: patiently }));
  if ("diff" in answer) return answer;
  throw new Problem(common.defect, 0);
}

export async function reset(): Promise<void> {
  await given(api.POST("/api/admin/sequencing-tech", { body: { action: "reset" } }));
}
