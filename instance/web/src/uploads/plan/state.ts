import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { api, given } from "../../api/client";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import type { components } from "../../api/schema";
import { checksumsBeside, type Listed } from "../choose/checksum-lists";
import type { Chosen, ChosenFile } from "../choose/tree";

export type Answer = components["schemas"]["instance.upload-plan"];
export type PlannedFile = Answer["files"][number];
export type PlannedUpload = Answer["uploads"][number];
type Request = components["schemas"]["instance.requests.upload-plan"];
export type DataClass = NonNullable<Request["dataClass"]>;
export type Mate = "R1" | "R2";

/** What a person said of the files. It is kept for going on after a reload. */
export interface Choices {
  sampleOf: Readonly<Record<string, string>>;
  mateOf: Readonly<Record<string, Mate>>;
  leftOut: readonly string[];
  joinLanes: boolean;
  dataClass: DataClass | null;
  sequencingRunId: string | null;
}

export const NO_CHOICES: Choices = {
  sampleOf: {},
  mateOf: {},
  leftOut: [],
  joinLanes: false,
  dataClass: null,
  sequencingRunId: null,
};

/** One row of the plan. */
export interface PlanRow {
  path: string;
  file: File;
  /** Null when somebody left it out. */
  planned: PlannedFile | null;
  upload: PlannedUpload | null;
}

export type Phase = "reading" | "looking" | "planning" | "ready" | "failed";

export interface UploadPlan {
  readonly rows: ReadonlySignal<readonly PlanRow[]>;
  readonly answer: ReadonlySignal<Answer | null>;
  readonly choices: ReadonlySignal<Choices>;
  readonly phase: ReadonlySignal<Phase>;
  readonly looked: ReadonlySignal<{ done: number; all: number }>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly fingerprints: ReadonlyMap<string, string>;
  change(changes: Partial<Choices>): Promise<void>;
  again(): Promise<void>;
  /** Settles when the first plan is made, or could not be. */
  settled(): Promise<void>;
  stop(): void;
}

/** Makes fingerprints; once stopped, all that it was asked for is rejected. */
export interface Fingerprinter {
  fingerprint(file: File): Promise<string>;
  stop(): void;
}

/** Files whose ends are read at a time. */
const AT_ONCE = 16;

/**
 * Ask the service what becomes of files. What is sent is looked at first: its fingerprint says what of it is there.
 * The service alone knows which files those are, so it is asked once more then.
 */
export function uploadPlan(
  orderId: string,
  chosen: Promise<Chosen>,
  start: () => Fingerprinter,
  begin: Choices = NO_CHOICES,
): UploadPlan {
  const files = signal<readonly ChosenFile[]>([]);
  const answer = signal<Answer | null>(null);
  const choices = signal(begin);
  const phase = signal<Phase>("reading");
  const looked = signal({ done: 0, all: 0 });
  const hasMore = signal(false);
  const problem = signal<Problem | null>(null);
  const fingerprints = new Map<string, string>();
  const unreadable = new Set<string>();
  const stopped = new AbortController();
  let checksums: readonly Listed[] = [];
  let order: readonly string[] | null = null;
  let hasher: Fingerprinter | null = null;
  let turn = 0;

  async function ask(): Promise<Answer> {
    const { leftOut, ...chosen } = choices.value;
    const out = new Set(leftOut);
    const asked = files.value.filter(({ path }) => !out.has(path));
    const body: Request = {
      ...chosen,
      checksums: checksums.filter(({ path }) => !out.has(path)),
      files: asked.map(({ path, file }) => {
        const fingerprint = fingerprints.get(path);
        return { path, size: file.size, ...(fingerprint !== undefined && { fingerprint }) };
      }),
    };
    const params = { path: { order_id: orderId } };
    return given(
      api.POST("/api/orders/{order_id}/sequencing/uploads/plan", { params, body, signal: stopped.signal }),
    );
  }

  async function look(paths: readonly string[]): Promise<void> {
    const known = new Map(files.value.map(({ path, file }) => [path, file]));
    hasher ??= start();
    const maker = hasher;
    let done = 0;
    let reportedAt = performance.now();
    const ahead = [...paths];
    const work = async (): Promise<void> => {
      for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
        const file = known.get(path);
        const made = file && (await maker.fingerprint(file).catch(() => null));
        if (made) fingerprints.set(path, made);
        else unreadable.add(path);
        done += 1;
        if (performance.now() - reportedAt < 200) continue;
        reportedAt = performance.now();
        looked.value = { done, all: paths.length };
      }
    };
    looked.value = { done: 0, all: paths.length };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async function plan(): Promise<void> {
    turn += 1;
    const mine = turn;
    const isOld = (): boolean => mine !== turn || stopped.signal.aborted;
    problem.value = null;
    try {
      for (;;) {
        phase.value = "planning";
        const found = await ask();
        if (isOld()) return;
        order ??= orderOf(found);
        answer.value = found;
        const missing = found.uploads
          .flatMap(({ paths }) => paths)
          .filter((path) => !fingerprints.has(path) && !unreadable.has(path));
        if (missing.length === 0) break;
        phase.value = "looking";
        await look(missing);
        if (isOld()) return;
      }
      phase.value = "ready";
    } catch (error) {
      if (isOld()) return;
      batch(() => {
        problem.value = asProblem(error);
        phase.value = "failed";
      });
    }
  }

  async function read(): Promise<void> {
    try {
      const found = await chosen;
      const beside = await checksumsBeside(found.files);
      if (stopped.signal.aborted) return;
      checksums = beside.checksums;
      files.value = beside.files;
      hasMore.value = found.hasMore;
      if (found.hasMore || beside.files.length === 0) phase.value = "ready";
      else await plan();
    } catch (error) {
      problem.value = asProblem(error);
      phase.value = "failed";
    }
  }

  const first = read();

  const rows = computed(() => {
    const now = answer.value;
    if (now === null) return [];
    const planned = new Map(now.files.map((file) => [file.path, file]));
    const out = new Set(choices.value.leftOut);
    const all = files.value.map(({ path, file }): PlanRow => {
      const found = out.has(path) ? null : (planned.get(path) ?? null);
      const upload = found?.upload ?? null;
      return { path, file, planned: found, upload: upload === null ? null : (now.uploads[upload] ?? null) };
    });
    const places = new Map(order?.map((path, place) => [path, place]));
    return all.sort((one, other) => (places.get(one.path) ?? 0) - (places.get(other.path) ?? 0));
  });

  return {
    rows,
    answer,
    choices,
    phase,
    looked,
    hasMore,
    problem,
    fingerprints,
    async change(changes) {
      choices.value = { ...choices.value, ...changes };
      await plan();
    },
    settled: () => first,
    again: () => (files.value.length === 0 ? read() : plan()),
    stop() {
      stopped.abort();
      hasher?.stop();
    },
  };
}

const PLACES: Record<PlannedFile["kind"], number> = { problem: 0, upload: 1, "left-out": 2 };

/** What needs somebody comes first. The rows keep their places then: what is fixed does not jump away. */
function orderOf({ files }: Answer): string[] {
  return files
    .map(({ path, kind }, place) => ({ path, rank: PLACES[kind], place }))
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .map(({ path }) => path);
}

/** The rows whose sample a person can still say: by it a file that was left out is taken. */
export const needsYou = ({ planned }: PlanRow): boolean => planned?.kind === "problem";

/** What stands in the way of the start, if anything does. */
export type Hindrance = "nothing" | "noRoom" | "delivered" | null;

export function hindranceOf({ uploads, counts, freeBytes }: Answer, mayTakeDelivered: boolean): Hindrance {
  if (uploads.every(({ alreadyFiled }) => alreadyFiled !== null)) return "nothing";
  if (counts.bytesLeft > freeBytes) return "noRoom";
  if (!mayTakeDelivered && deliveredOf(uploads).length > 0) return "delivered";
  return null;
}

/** The samples whose delivered reads would be superseded. */
export const deliveredOf = (uploads: readonly PlannedUpload[]): string[] => [
  ...new Set(
    uploads
      .filter(({ supersedes }) => supersedes?.isDelivered)
      .map(({ sample }) => sample?.sampleAlias ?? sample?.sampleId ?? ""),
  ),
];

export const supersedingOf = (uploads: readonly PlannedUpload[]): number =>
  uploads.filter(({ supersedes }) => supersedes !== null).length;

/** What the counts of a plan are in words of a person. */
export function countsOf({ counts, files }: Answer, leftOutByHand: number) {
  const left = files.filter(({ kind }) => kind === "left-out");
  return {
    pairs: counts.pairs,
    single: counts.uploads - 2 * counts.pairs,
    alreadyFiled: counts.alreadyFiled,
    leftOut: counts.leftOut + leftOutByHand,
    leftOutBecause: [...new Set(left.flatMap(({ code }) => code ?? []))],
    problems: counts.problems,
  };
}

export type TileState = "done" | "half" | "problem" | "waiting";

/** What each sample gets by this plan. */
export function tilesOf(
  { files, uploads }: Answer,
  samples: readonly { id: string }[],
): ReadonlyMap<string, TileState> {
  const mates = new Map<string, number>();
  for (const { sample } of uploads) {
    if (sample) mates.set(sample.id, (mates.get(sample.id) ?? 0) + 1);
  }
  const wrong = new Set(
    files.flatMap(({ kind, sample }) => (kind === "problem" && sample !== null ? sample.id : [])),
  );
  return new Map(
    samples.map(({ id }) => {
      const number = mates.get(id) ?? 0;
      if (wrong.has(id)) return [id, "problem"] as const;
      return [id, number > 1 ? "done" : number === 1 ? "half" : "waiting"] as const;
    }),
  );
}
