/** Where the service's refusals of a form belong. */
import type { Builder } from "./builder";

const OF_FIELD = /^fields\[(\d+)\](?:\.(.+))?$/;

/** The reasons at one question, by the path beneath it; what is said of the whole question has an empty one. */
export function errorsOf({ refusal, form }: Builder, id: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, reason } of refusal.value?.details ?? []) {
    const [, place, key = ""] = OF_FIELD.exec(path ?? "") ?? [];
    if (place === undefined || form.value.fields[Number(place)]?.id !== id) continue;
    if (!found.has(key)) found.set(key, reason);
  }
  return found;
}

/** The question of a path, and what is left of the path beneath it. */
export function fieldOf({ form }: Builder, path: string | null) {
  const [, place, key = ""] = OF_FIELD.exec(path ?? "") ?? [];
  const field = place === undefined ? undefined : form.value.fields[Number(place)];
  return field && { field, key };
}
