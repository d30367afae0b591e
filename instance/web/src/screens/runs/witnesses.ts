import { evidenceText as text } from "../../text/en/runs";
import type { Evidence } from "./state";

/** One source of how a run ended: what it reports, and when; what no source knows is shown as unknown. */
export interface Witness {
  name: string;
  says: string;
  more: string | null;
  at: string | null;
}

export function witnessesOf(evidence: Evidence): Witness[] {
  return [
    engine(evidence),
    executor(evidence),
    exitFile(evidence),
    outputs(evidence),
    tasks(evidence),
    verdict(evidence),
  ];
}

function engine({ engine: witness }: Evidence): Witness {
  if (!witness) return { name: text.engine, says: text.unknown, more: text.engineSilent, at: null };
  return {
    name: text.engine,
    says: text.engineSays[witness.says],
    more: witness.message,
    at: witness.occurredAt,
  };
}

function executor({ executor: witness }: Evidence): Witness {
  if (!witness) return { name: text.executor, says: text.unknown, more: text.noJob, at: null };
  const { backend, jobId, pid, says, word, exitCode, since, missingSince, endedAt } = witness;
  const known = [
    jobId !== null ? text.job(backend, jobId) : pid !== null && text.process(pid),
    word !== null && text.word(word),
    exitCode !== null && text.exitCode(exitCode),
  ].filter((part): part is string => typeof part === "string");
  return {
    name: text.executor,
    says: text.executorSays[says],
    more: known.length > 0 ? known.join(", ") : null,
    at: endedAt ?? missingSince ?? since,
  };
}

function exitFile({ exitFile: witness }: Evidence): Witness {
  if (!witness) return { name: text.exitFile, says: text.unknown, more: text.noExitFile, at: null };
  return { name: text.exitFile, says: text.endedWith(witness.exitCode), more: null, at: witness.finishedAt };
}

function outputs({ outputs: witness }: Evidence): Witness {
  return {
    name: text.outputs,
    says: text.outputsSay[witness.says],
    more: witness.problem,
    at: witness.foundAt ?? witness.nextLookAt,
  };
}

function tasks({ failedTasks }: Evidence): Witness {
  const last = failedTasks[0];
  return {
    name: text.tasks,
    says: last ? text.failedTasks(failedTasks.length) : text.noFailedTask,
    more: last ? text.lastFailed(last.name ?? last.process, last.exit) : null,
    at: last?.completedAt ?? null,
  };
}

function verdict({ status, decidedAt, cancelRequestedAt }: Evidence): Witness {
  return {
    name: text.verdict,
    says: text.verdictSays[status],
    more: cancelRequestedAt ? text.cancelAsked : null,
    at: decidedAt,
  };
}
