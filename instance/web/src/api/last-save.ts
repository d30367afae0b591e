import { api, given } from "./client";

/** Who saved something last, and when. */
export interface LastSave {
  readonly who: string | null;
  readonly at: string;
}

/** Read from the audit trail who did that last; null when nobody knows. */
export async function readLastSave(
  action: string,
  objectId?: string,
  signal?: AbortSignal,
): Promise<LastSave | null> {
  const query = { action, ...(objectId !== undefined && { objectId }), limit: 1 };
  const { events } = await given(
    api.GET("/api/admin/audit", { params: { query }, ...(signal && { signal }) }),
  );
  const [last] = events;
  if (last === undefined) return null;
  return { who: last.actor && `${last.actor.firstName} ${last.actor.lastName}`, at: last.at };
}
