import { api, given } from "../../api/client";
import type { components } from "../../api/schema";

export type Numbers = components["schemas"]["instance.numbers"];
export type Output = Numbers["totals"];
export type Month = Numbers["months"][number];
export type Turnaround = Numbers["turnaround"][number];

/** The year of an address; null, the current one, for none and for what is no year. */
export const yearOf = (word: string | undefined): number | null =>
  word !== undefined && /^[1-9]\d{3}$/.test(word) ? Number(word) : null;

export async function readNumbers(
  year: number | null,
  countsNow: boolean,
  signal: AbortSignal | null = null,
): Promise<Numbers> {
  const query = { ...(year !== null && { year }), ...(countsNow && { counted: "now" as const }) };
  return given(api.GET("/api/admin/numbers", { params: { query }, signal }));
}
