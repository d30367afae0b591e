import { Chip } from "../../parts/chip";
import { runText } from "../../text/en/runs";
import type { ListedRun, Run } from "./state";

/** The state of a run, in a word. */
export function RunChip({ run }: { run: Pick<ListedRun, "status" | "progress"> }) {
  return (
    <Chip tone={runText.tone[run.status]}>
      {run.status === "running" ? runText.runningPart(run.progress) : runText.state[run.status]}
    </Chip>
  );
}

/** What a run was made for: its order, or its study. */
export interface Target {
  label: string;
  href: string;
}

export function targetOf({ order, study }: Pick<Run, "order" | "study">): Target | null {
  if (order)
    return { label: order.name ?? order.orderNumber, href: `/orders/${order.orderNumber}?tab=analyses` };
  return study && { label: study.title, href: `/studies/${study.id}` };
}

export const personOf = ({ user }: Pick<Run, "user">): string => `${user.firstName} ${user.lastName}`;
