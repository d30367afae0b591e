/** The requests of an upload. The worker makes them itself: nothing of a chunk goes through the page. */
import type { components } from "../../api/schema";
import type { Item, Reason } from "./protocol";

export type Session = components["schemas"]["instance.upload-session"];

const ANSWER_MS = 30_000;
/** The service hashes the whole file before it answers; who did not wait asks again. */
const COMPLETION_MS = 600_000;
/** A line on which nothing moves for so long is broken. */
const STALLED_MS = 60_000;
const TRY_AGAIN = new Set([0, 408, 425, 429, 500, 502, 503, 504]);

/** The line or the service is away: what counts is asked for, and sending goes on. */
export class Broken extends Error {
  constructor(readonly askedSeconds = 0) {
    super("broken");
  }
}

/** Nobody is signed in any more. */
export class SignedOut extends Error {}

/** The session is at another byte than we thought. */
export class Moved extends Error {
  constructor(readonly received: number) {
    super("moved");
  }
}

/** The session takes nothing more: somebody ended it, or it is complete. */
export class Closed extends Error {}

/** Sending on makes no sense before a person did something. */
export class Refused extends Error {
  constructor(
    readonly why: Reason,
    readonly words = "",
  ) {
    super(why);
  }
}

interface Answer {
  status: number;
  body: Readonly<Record<string, unknown>>;
  retryAfter: number;
}

export interface There {
  uploadId: string;
  status: string;
  received: number;
}

const address = (orderId: string, rest = ""): string =>
  `/api/orders/${encodeURIComponent(orderId)}/sequencing/uploads${rest && `/${rest}`}`;

/** Open a session for a file, or find the one that is there. Decision: G637. */
export async function initiate(item: Item, stop: AbortSignal): Promise<There> {
  const answer = await ask("POST", address(item.orderId), stop, ANSWER_MS, {
    targetKind: item.targetKind,
    targetRole: item.targetRole,
    originalName: item.name,
    expectedSize: item.size,
    sampleId: item.sampleId,
    checksumProvided: item.listedMd5,
    metadata: item.metadata,
    unlessThere: true,
  });
  const { uploadId, receivedSize, status } = answer.body;
  const isThere = answer.status === 200 || answer.status === 409;
  if (!isThere || typeof uploadId !== "string") throw await refusal(answer);
  return { uploadId, status: String(status), received: Number(receivedSize ?? 0) };
}

export async function session(item: Item, uploadId: string, stop: AbortSignal): Promise<Session> {
  const answer = await ask("GET", address(item.orderId, uploadId), stop, ANSWER_MS);
  if (answer.status === 404) throw new Closed();
  if (answer.status !== 200) throw await refusal(answer);
  return answer.body as Session;
}

/** File what has arrived, when its bytes have this MD5. Decision: G639. */
export async function complete(item: Item, uploadId: string, md5: string, stop: AbortSignal): Promise<void> {
  const body = { checksum: { algorithm: "md5", value: md5 } };
  const answer = await ask("POST", address(item.orderId, `${uploadId}/complete`), stop, COMPLETION_MS, body);
  if (answer.status === 200) return;
  if (answer.status === 409 && answer.body.computed !== undefined)
    throw new Refused("bytesDiffer", String(answer.body.error));
  if (answer.status === 409) throw new Broken();
  if (answer.status === 404) throw new Closed();
  if (answer.body.error === "Upload is incomplete") throw new Moved(-1);
  throw await refusal(answer);
}

/** Give up a session; one that is gone already is no matter. */
export async function abandon(item: Item, uploadId: string, stop: AbortSignal): Promise<void> {
  const answer = await ask("DELETE", address(item.orderId, uploadId), stop, ANSWER_MS);
  if (answer.status === 401 || answer.status === 403 || TRY_AGAIN.has(answer.status))
    throw await refusal(answer);
}

async function ask(
  method: string,
  path: string,
  stop: AbortSignal,
  patienceMs: number,
  body?: unknown,
): Promise<Answer> {
  try {
    const answer = await fetch(path, {
      method,
      signal: AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]),
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    });
    const json: unknown = await answer.json().catch(() => null);
    return {
      status: answer.status,
      body: asObject(json),
      retryAfter: Number(answer.headers.get("retry-after")) || 0,
    };
  } catch {
    stop.throwIfAborted();
    throw new Broken();
  }
}

/**
 * Append bytes; returns how many the service has then. `onBytes` hears what went out.
 *
 * WHY: a request of the older kind, which tells how much of a body is on its way: a line on which nothing moves is
 * noticed, and a person sees a large chunk move.
 */
export function append(
  item: Item,
  uploadId: string,
  offset: number,
  body: Blob,
  stop: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const request = new XMLHttpRequest();
  return new Promise<Answer>((resolve, reject) => {
    const patience = setInterval(() => performance.now() - moved > STALLED_MS && request.abort(), 5000);
    let moved = performance.now();
    const over = (): void => {
      clearInterval(patience);
      stop.removeEventListener("abort", abort);
    };
    const abort = (): void => request.abort();
    stop.addEventListener("abort", abort);
    request.upload.addEventListener("progress", ({ loaded }) => {
      moved = performance.now();
      onBytes(loaded);
    });
    request.addEventListener("loadend", over);
    request.addEventListener("load", () =>
      resolve({
        status: request.status,
        body: parsed(request.responseText),
        retryAfter: Number(request.getResponseHeader("retry-after")) || 0,
      }),
    );
    for (const end of ["error", "abort", "timeout"])
      request.addEventListener(end, () => reject(stop.aborted ? stop.reason : new Broken()));
    request.open("PATCH", address(item.orderId, uploadId));
    request.setRequestHeader("x-service-offset", String(offset));
    request.setRequestHeader("content-type", "application/octet-stream");
    if (stop.aborted) reject(stop.reason);
    else request.send(body);
  }).then(async (answer) => {
    const { status, body } = answer;
    if (status === 200) return Number(body.receivedSize);
    if (status === 404) throw new Closed();
    if (status === 409) throw new Broken();
    if (status === 400 && typeof body.receivedSize === "number") throw new Moved(body.receivedSize);
    if (status === 400 && /closed/.test(String(body.error))) throw new Closed();
    throw await refusal(answer);
  });
}

async function refusal(answer: Answer): Promise<Error> {
  const words = String(answer.body.error ?? "");
  const details = Array.isArray(answer.body.details) ? answer.body.details.map(String) : [];
  if (answer.status === 507) return new Refused("diskFull", words);
  if (answer.status === 413)
    return new Refused(
      words === "File is larger than the allowed upload size" ? "fileTooLarge" : "chunkTooLarge",
    );
  if ((answer.status === 401 || answer.status === 403) && (await isSignedOut())) return new SignedOut();
  if (TRY_AGAIN.has(answer.status)) return new Broken(answer.retryAfter);
  return new Refused("said", [words || `${answer.status}`, ...details].join(" "));
}

/** Admin routes answer 403 without a session, so that a 403 alone does not tell. */
async function isSignedOut(): Promise<boolean> {
  const answer = await ask("GET", "/api/auth/session", AbortSignal.timeout(ANSWER_MS), ANSWER_MS);
  return answer.status === 401 || (answer.status === 200 && answer.body.user === null);
}

function parsed(text: string): Answer["body"] {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

const asObject = (json: unknown): Answer["body"] =>
  typeof json === "object" && json !== null ? { ...json } : {};
