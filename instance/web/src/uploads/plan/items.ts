import type { Item } from "../engine/protocol";
import type { Answer, Choices, PlannedUpload, PlanRow } from "./state";

/** Files that belong together, whoever goes on with them: the service keeps it with each. Decision: G741. */
export interface UploadSet {
  id: string;
  files: number;
}

/** What is sent of a plan, and what is there already. */
export function itemsOf(
  orderId: string,
  { uploads }: Answer,
  rows: readonly PlanRow[],
  fingerprints: ReadonlyMap<string, string>,
  { dataClass, sequencingRunId }: Pick<Choices, "dataClass" | "sequencingRunId">,
  uploadSet: UploadSet,
): { items: Item[]; filed: Item[] } {
  const files = new Map(rows.map(({ path, file }) => [path, file]));
  const items: Item[] = [];
  const filed: Item[] = [];
  for (const upload of uploads) {
    const parts = upload.paths.flatMap((path) => {
      const [file, fingerprint] = [files.get(path), fingerprints.get(path)];
      return file && fingerprint ? { path, file, fingerprint } : [];
    });
    // A file that could not be read has no fingerprint: nothing is known of what is there of it.
    if (parts.length < upload.paths.length) continue;
    (upload.alreadyFiled === null ? items : filed).push({
      id: targetOf(orderId, upload),
      orderId,
      name: upload.originalName,
      size: upload.expectedSize,
      parts,
      targetKind: upload.targetKind,
      targetRole: upload.targetRole,
      sampleId: upload.sample?.id ?? null,
      metadata: {
        sourceFingerprint: upload.fingerprint,
        ...(dataClass && { dataClass }),
        ...(sequencingRunId && { sequencingRunId }),
        uploadSet,
      },
      listedMd5: upload.md5,
      uploadId: upload.continues?.uploadId ?? null,
      received: upload.continues?.receivedSize ?? 0,
      sameMd5s: upload.sameName.flatMap(({ md5 }) => md5 ?? []),
    });
  }
  return { items, filed };
}

const targetOf = (orderId: string, { sample, targetRole, originalName }: PlannedUpload): string =>
  [orderId, sample?.id ?? "", targetRole, originalName].join("/");

interface KnownSession {
  uploadId: string;
  status: string;
  metadata: Readonly<Record<string, unknown>>;
}

export function setOf({ metadata }: Pick<KnownSession, "metadata">): UploadSet | null {
  const { uploadSet } = metadata;
  if (typeof uploadSet !== "object" || uploadSet === null) return null;
  const { id, files } = uploadSet as Partial<UploadSet>;
  return typeof id === "string" && typeof files === "number" ? { id, files } : null;
}

/** The set that a plan goes on with; null when none of its files belongs to one of this size. */
export function goneOnWith({ uploads }: Answer, sessions: readonly KnownSession[]): UploadSet | null {
  const mine = new Set(
    uploads.flatMap(({ continues, alreadyFiled }) => continues?.uploadId ?? alreadyFiled?.uploadId ?? []),
  );
  const sets = sessions.flatMap((session) => (mine.has(session.uploadId) ? (setOf(session) ?? []) : []));
  return sets.find(({ files }) => files === uploads.length) ?? null;
}

export interface HalfWay {
  filed: number;
  open: number;
  all: number;
}

/** How far the sets are of which something is half-way; null when nothing is. */
export function halfWay(sessions: readonly KnownSession[]): HalfWay | null {
  const open = sessions.filter(({ status }) => status !== "COMPLETED" && status !== "CANCELLED");
  if (open.length === 0) return null;
  const sets = new Map(open.flatMap((one) => setOf(one) ?? []).map(({ id, files }) => [id, files]));
  const filed = sessions.filter((one) => one.status === "COMPLETED" && sets.has(setOf(one)?.id ?? "")).length;
  const alone = open.filter((one) => setOf(one) === null).length;
  const inSets = [...sets.values()].reduce((sum, files) => sum + files, 0);
  return { filed, open: open.length, all: Math.max(inSets + alone, filed + open.length) };
}
