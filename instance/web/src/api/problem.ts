/** One line of `details`: where, and what is wrong there. */
export interface Detail {
  /** As the server wrote it, `samples[0].customFields.volumeUl`; null when the line names no place. */
  readonly path: string | null;
  readonly reason: string;
}

/** An answer that is a refusal, in the server's own words; status 0 when there was no answer. */
export class Problem extends Error {
  readonly status: number;
  readonly details: readonly Detail[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The whole body, for refusals that say more. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    status: number,
    body: Record<string, unknown> = {},
    headers: Headers = new Headers(),
  ) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.body = body;
    this.details = readDetails(body.details);
    this.requestId = headers.get("x-request-id");
    const seconds = Number(headers.get("retry-after"));
    this.retryAfterSeconds = seconds > 0 ? seconds : null;
  }

  /** Whether a person may not see it or it does not exist: the page makes no difference. */
  get isOutOfReach(): boolean {
    const canBeHad = this.body.confirm === true || this.body.secondFactorSetup === true;
    return (this.status === 403 && !canBeHad) || this.status === 404;
  }
}

// A key path has no spaces: `samples[12].customFields.volumeUl`, `customFields["a b"]` is not written.
const DETAIL = /^([A-Za-z_][\w$-]*(?:\[\d+\]|\.[\w$-]+)*): (.+)$/s;

export function readDetail(line: string): Detail {
  const match = DETAIL.exec(line);
  return match?.[1] && match[2] ? { path: match[1], reason: match[2] } : { path: null, reason: line };
}

function readDetails(lines: unknown): Detail[] {
  return Array.isArray(lines) ? lines.map((line) => readDetail(String(line))) : [];
}

/** Tell an entry of a list from the list: `addresses[1]` is the second of `addresses`. */
export function entryOf(path: string): { list: string; number: number } | null {
  const match = /^(.+)\[(\d+)\]$/.exec(path);
  return match?.[1] && match[2] ? { list: match[1], number: Number(match[2]) + 1 } : null;
}

/** The reason of each field; the first one where several name the same, and of a list that of an entry. */
export function fieldErrors(problem: Problem | null): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { path, reason } of problem?.details ?? []) {
    if (path === null) continue;
    for (const name of [path, entryOf(path)?.list]) {
      if (name !== undefined && !found.has(name)) found.set(name, reason);
    }
  }
  return found;
}
