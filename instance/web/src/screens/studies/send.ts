import { asProblem } from "../../api/resource";
import type { Answers } from "./answers";
import { saveSamples } from "./state";

/** Send what changed; what is refused is left out the second time. Raises `Problem`. */
export async function send(studyId: string, answers: Answers, sending = answers.toSend()): Promise<void> {
  const units = answers.units.unsent;
  const bodies = answers.bodies(sending);
  try {
    const samples = bodies.length > 0 ? await saveSamples(studyId, bodies) : [];
    answers.settle(sending);
    answers.units.takeStored(samples);
    answers.units.settle(units);
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status !== 400 || !answers.takeRefusal(problem, bodies, sending)) throw problem;
    await send(studyId, answers, answers.withoutRefused(sending));
  }
}
