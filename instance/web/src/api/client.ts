import createClient, { type FetchResponse } from "openapi-fetch";
import { text } from "../text/en/common";
import { confirmed } from "./confirmation";
import { secondFactorWanted, seen, signedInAgain } from "./connection";
import { Problem } from "./problem";
import type { paths } from "./schema";

const TIMEOUT_MS = 30_000;
/** As long as a proxy of ours waits: what hashes or links files takes its time. */
const PATIENT_MS = 600_000;
const REMEMBERED_ANSWERS = 60;
const AHEAD_MS = 10_000;

/** Answers with an ETag: a 304 is answered from here, and nothing is read or sent twice. */
const remembered = new Map<string, { etag: string; body: string; headers: Headers }>();

/** Answers that were asked for before the screen that wants them was there; each is taken once. */
const asked = new Map<string, Promise<Response>>();

/** Who is signed in, as the page believes; `session.ts` tells. */
let isSignedIn = false;

export function believeSignedIn(believed: boolean): void {
  isSignedIn = believed;
  if (believed) return;
  remembered.clear();
  asked.clear();
}

/** The `fetch` of a call that is made ahead: the next call that asks the same takes its answer. */
export async function ahead(request: Request): Promise<Response> {
  const answer = exchange(request);
  const shared = answer.then((found) => found.clone());
  // WHY: nobody may ever take it. Who does looks at what went wrong.
  shared.catch(() => undefined);
  asked.set(request.url, shared);
  setTimeout(() => asked.get(request.url) === shared && asked.delete(request.url), AHEAD_MS);
  return answer;
}

/** Take what was asked ahead, unless it went wrong: then it is asked for as if nobody had. */
async function taken(request: Request): Promise<Response | null> {
  const shared = request.method === "GET" ? asked.get(request.url) : undefined;
  if (shared === undefined) return null;
  asked.delete(request.url);
  const answer = await shared.catch(() => null);
  return answer?.ok ? answer : null;
}

/** Until when nothing is sent but the question who is asking. */
let clear: Promise<void> = Promise.resolve();

/** When that ended last: what was sent before may have had another cookie. */
let clearSince = 0;

export function holdRequests(until: Promise<void>): void {
  clear = until.then(() => {
    clearSince = performance.now();
  });
}

/** Sent while nothing else is: the question who it is, and what gives the session another cookie. */
const WAITS_NOT = ["/api/boot", "/api/auth/password"];

/** What needs no session, or is refused for what was typed. */
const ASKS_NOBODY = /^\/api\/auth\/(?!sessions|totp)/;

const pathOf = (request: Request): string => new URL(request.url).pathname;

async function send(request: Request, timeoutMs = TIMEOUT_MS): Promise<Response> {
  const isHeld = !WAITS_NOT.includes(pathOf(request));
  if (isHeld) await clear;
  const ready = await taken(request);
  if (ready) return ready;
  let begun = performance.now();
  const again = request.clone();
  let answer = await exchange(request, timeoutMs);
  if (isSignedIn && isHeld && (await isSentAgain(again, answer, begun))) {
    begun = performance.now();
    answer = await exchange(again.clone(), timeoutMs);
  }
  if (!(await wantsConfirmation(again, answer))) return answer;
  return (await confirmed(begun, again)) ? exchange(again, timeoutMs) : answer;
}

/** Whether a request was refused for its session, and there is another one now. */
async function isSentAgain(request: Request, answer: Response, begun: number): Promise<boolean> {
  if (ASKS_NOBODY.test(pathOf(request))) return false;
  if (answer.status !== 401 && answer.status !== 403) return false;
  const body = await bodyOf(answer);
  if (body.secondFactorSetup === true) secondFactorWanted.value = true;
  if (body.secondFactorSetup === true || body.confirm === true) return false;
  await clear;
  const session = await exchange(new Request("/api/auth/session"));
  const { user } = await bodyOf(session);
  // Admin routes answer 403 without a session, so that a 403 alone does not tell.
  if (user === null || (answer.status === 401 && user === undefined)) return signedInAgain();
  return begun < clearSince;
}

async function wantsConfirmation(request: Request, answer: Response): Promise<boolean> {
  if (answer.status !== 403 || ASKS_NOBODY.test(pathOf(request))) return false;
  return (await bodyOf(answer)).confirm === true;
}

/** What an answer says, and is still to be read by who asked. */
async function bodyOf(answer: Response): Promise<Record<string, unknown>> {
  if (!isJson(answer)) return {};
  const json: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return typeof json === "object" && json !== null ? { ...json } : {};
}

async function exchange(request: Request, timeoutMs = TIMEOUT_MS): Promise<Response> {
  const known = request.method === "GET" ? remembered.get(request.url) : undefined;
  if (known) request.headers.set("If-None-Match", known.etag);
  const begun = new Date();
  let answer: Response;
  try {
    answer = await fetch(request, {
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    });
  } catch (error) {
    if (request.signal.aborted) throw error;
    const isSlow = error instanceof DOMException && error.name === "TimeoutError";
    if (!isSlow) seen(false);
    throw new Problem(isSlow ? text.tookTooLong : text.unreachable, 0);
  }
  seen(true, begun);
  if (known && answer.status === 304)
    return new Response(known.body, { status: 200, headers: known.headers });
  const etag = answer.headers.get("etag");
  if (request.method === "GET" && answer.status === 200 && etag && isJson(answer)) {
    remember(request.url, etag, await answer.clone().text(), answer.headers);
  }
  return answer;
}

function remember(url: string, etag: string, body: string, headers: Headers): void {
  remembered.delete(url);
  remembered.set(url, { etag, body, headers });
  const oldest = remembered.keys().next().value;
  if (remembered.size > REMEMBERED_ANSWERS && oldest !== undefined) remembered.delete(oldest);
}

const isJson = (answer: Response): boolean =>
  answer.headers.get("content-type")?.startsWith("application/json") ?? false;

/** The API, typed by its own description. Wrap a call in `given` to get the answer or a `Problem`. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: (request) => send(request) });

/** The `fetch` of a call that may take minutes. */
export const patiently = (request: Request): Promise<Response> => send(request, PATIENT_MS);

/** Return what an answer holds. Raises `Problem` when the service refuses or cannot be reached. */
export async function given<T extends Record<string | number, unknown>, O, M extends `${string}/${string}`>(
  call: Promise<FetchResponse<T, O, M>>,
): Promise<NonNullable<FetchResponse<T, O, M>["data"]>> {
  const { data, error, response } = await call;
  if (data !== undefined && data !== null && response.ok) return data;
  throw refusal(response, error);
}

/** Return the first bytes of a file as text, and whether it goes on. Raises `Problem` as `given` does. */
export async function readStart(
  address: string,
  bytes: number,
  signal: AbortSignal,
): Promise<{ text: string; isCut: boolean }> {
  const answer = await send(new Request(address, { headers: { Range: `bytes=0-${bytes - 1}` }, signal }));
  // An empty file has no first byte.
  if (answer.status === 416) return { text: "", isCut: false };
  if (!answer.ok) throw refusal(answer, await answer.json().catch(() => null));
  const size = Number(answer.headers.get("content-range")?.split("/").at(-1) ?? 0);
  return { text: await answer.text(), isCut: size > bytes };
}

function refusal(response: Response, json: unknown): Problem {
  const body: Record<string, unknown> = typeof json === "object" && json !== null ? { ...json } : {};
  const words = typeof body.error === "string" ? body.error : text.answeredStatus(response.status);
  return new Problem(words, response.status, body, response.headers);
}
