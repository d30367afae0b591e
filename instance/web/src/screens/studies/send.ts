import { asProblem } from "../../api/resource";
import type { Answers } from "./answers";
import { saveSamples } from "./state";

/**
 * Send what changed; what is refused is left out the second time. Answers whether something was sent that is no
 * longer asked. Raises `Problem`.
 */
export async function send(studyId: string, answers: Answers, sending = answers.toSend()): Promise<boolean> {
  const units = answers.units.unsent;
  const bodies = answers.bodies(sending);
  try {
    const nothing = { samples: [], isPartly: false };
    const { samples, isPartly } = bodies.length > 0 ? await saveSamples(studyId, bodies) : nothing;
    answers.settle(sending);
    answers.units.takeStored(samples);
    answers.units.settle(units);
    return isPartly;
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status !== 400 || !answers.takeRefusal(problem, bodies, sending)) throw problem;
    return await send(studyId, answers, answers.withoutRefused(sending));
  }
}
