import { evidenceText as text } from "../../text/en/runs";
import type { Evidence } from "./state";

/** One who saw how a run ended: what it said, and when; what nobody knows is said as unknown. */
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

function engine({ engine: said }: Evidence): Witness {
  if (!said) return { name: text.engine, says: text.unknown, more: text.engineSilent, at: null };
  return { name: text.engine, says: text.engineSays[said.says], more: said.message, at: said.occurredAt };
}

function executor({ executor: said }: Evidence): Witness {
  if (!said) return { name: text.executor, says: text.unknown, more: text.noJob, at: null };
  const { backend, jobId, pid, says, word, exitCode, since, missingSince, endedAt } = said;
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

function exitFile({ exitFile: said }: Evidence): Witness {
  if (!said) return { name: text.exitFile, says: text.unknown, more: text.noExitFile, at: null };
  return { name: text.exitFile, says: text.endedWith(said.exitCode), more: null, at: said.finishedAt };
}

function outputs({ outputs: said }: Evidence): Witness {
  return {
    name: text.outputs,
    says: text.outputsSay[said.says],
    more: said.problem,
    at: said.foundAt ?? said.nextLookAt,
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
