import { isNoticed } from "../../analyses/version-notices";
import { api, given } from "../../api/client";
import type { components } from "../../api/schema";

type Schemas = components["schemas"];
export type Trust = Schemas["instance.registry-trust"];
export type Policy = Trust["policy"];
export type Refusal = Trust["refusals"][number];
export type SeenRegistry = Trust["registries"][number];
export type Role = SeenRegistry["roles"][number];
type Installed = Schemas["instance.admin-pipelines"]["pipelines"][number];

export const POLICIES = ["required", "warn", "off"] as const satisfies readonly Policy[];

export const readTrust = (signal: AbortSignal): Promise<Trust> =>
  given(api.GET("/api/admin/registry-trust", { signal }));

/** Decide what is asked of signatures; null leaves it to the root. */
export async function decide(trust: Policy | null): Promise<void> {
  await given(
    api.PATCH("/api/admin/settings/{section}", {
      params: { path: { section: "registry" } },
      body: { trust },
    }),
  );
}

export async function readPollsDaily(signal: AbortSignal): Promise<boolean> {
  const { sections } = await given(api.GET("/api/admin/settings", { signal }));
  return sections.registry.pollDaily;
}

export async function decidePollsDaily(pollDaily: boolean): Promise<void> {
  await given(
    api.PATCH("/api/admin/settings/{section}", {
      params: { path: { section: "registry" } },
      body: { pollDaily },
    }),
  );
}

/** What a look at the registry found. */
export interface Look {
  at: Date;
  /** Why it could not be read. */
  error: string | null;
  /** What was read without a valid signature. */
  warnings: readonly string[];
}

/** Read the registry's index by the policy; what it says against installed versions is kept by that. */
export async function look(): Promise<Look> {
  const { registry, warnings } = await given(api.GET("/api/admin/pipelines/store"));
  return { at: new Date(), error: registry.error, warnings };
}

/** An installed version against which something is said. */
export interface NoticedVersion {
  pipeline: Installed;
  version: Installed["versions"][number];
}

export async function readNoticed(signal: AbortSignal): Promise<NoticedVersion[]> {
  const { pipelines } = await given(api.GET("/api/admin/pipelines", { signal }));
  return pipelines.flatMap((pipeline) =>
    pipeline.versions.filter(isNoticed).map((version) => ({ pipeline, version })),
  );
}

const FIRST = ["root", "timestamp", "snapshot", "targets"];

/** As trust goes from one to the next, and the publishers after them. */
export function inOrder(roles: readonly Role[]): Role[] {
  const place = ({ name }: Role): number => (FIRST.indexOf(name) + 1 || FIRST.length + 1) - 1;
  return roles.toSorted((one, other) => place(one) - place(other) || one.name.localeCompare(other.name));
}
