import type { ComponentChildren } from "preact";
import { Chip, type Tone } from "../parts/chip";
import { WithCommands } from "../parts/with-commands";
import { startText as text } from "../text/en/analyses";
import type { Database, Readiness } from "./state";

type Check = Readiness["checks"][number];

const TONES: Record<Check["verdict"], Tone> = { ok: "ok", warn: "wait", fail: "bad" };
const STATES: Record<Database["status"], Tone> = {
  ready: "ok",
  fetching: "run",
  queued: "wait",
  missing: "wait",
  failed: "bad",
};

interface ChecksProps {
  of: readonly Check[];
  /** Where the pipeline is decided about, in words. */
  where: string;
  /** What can be done about one that is not as it should be. */
  actionOf?: (check: Check) => ComponentChildren;
}

/** What the service advises to send to its API is decided on a page. Decision: G1082. */
const forPeople = (words: string, where: string): string =>
  words.replaceAll(/with `PUT \/api\/admin\/pipelines\/[^`]+`/g, where);

/** What was looked at, each with its verdict and what to do. */
export function Checks({ of, where, actionOf }: ChecksProps) {
  return (
    <ul class="start-checks">
      {of.map((check) => (
        <li key={`${check.id} ${check.text}`}>
          <Chip tone={TONES[check.verdict]}>{text.verdict[check.verdict]}</Chip>{" "}
          <span>
            <WithCommands words={forPeople(check.text, where)} />{" "}
            {check.verdict !== "ok" && actionOf?.(check)}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function DatabaseChip({ of: { status } }: { of: Database }) {
  return <Chip tone={STATES[status]}>{text.databaseState[status]}</Chip>;
}

export const sizeOf = ({ status, receivedBytes, totalBytes }: Database): string =>
  status === "fetching" ? text.fetched(receivedBytes, totalBytes) : text.bytes(totalBytes);

/** Reference data with their state and size. */
export function DatabaseLines({ of }: { of: readonly Database[] }) {
  return (
    <ul class="start-checks">
      {of.map((database) => (
        <li key={database.key}>
          <DatabaseChip of={database} />{" "}
          <span>
            {text.database(database.label, database.version)} <span class="muted">{sizeOf(database)}</span>
            {database.error && <span class="muted"> {database.error}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
