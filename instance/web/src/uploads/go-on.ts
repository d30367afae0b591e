import { Problem } from "../api/problem";
import { dockText as text } from "../text/en/uploads";
import type { KeptSet } from "../uploads-kept";
import { Md5Worker } from "../workers/md5";
import { filesOfHandles } from "./choose/tree";
import { startUpload } from "./plan/start";
import { type Choices, NO_CHOICES, uploadPlan } from "./plan/state";

interface Permitted {
  requestPermission?(descriptor: { mode: "read" }): Promise<PermissionState>;
}

/**
 * Open again what was being sent, and go on with the choices that a person made in the plan then.
 *
 * Raises `Problem` when the browser may not open it, or it is not there any more.
 */
export async function goOnWith(set: KeptSet): Promise<void> {
  for (const handle of set.handles as readonly Permitted[]) {
    if ((await handle.requestPermission?.({ mode: "read" })) !== "granted")
      throw new Problem(text.notGoneOn, 0);
  }
  const chosen = await filesOfHandles(set.handles).catch(() => null);
  if (chosen === null) throw new Problem(text.notGoneOn, 0);
  const plan = uploadPlan(set.orderId, Promise.resolve(chosen), () => new Md5Worker(), {
    ...NO_CHOICES,
    ...(set.choices as Partial<Choices>),
  });
  try {
    await plan.settled();
    const problem = plan.problem.value;
    if (problem !== null) throw problem;
    await startUpload(plan, set);
  } finally {
    plan.stop();
  }
}
