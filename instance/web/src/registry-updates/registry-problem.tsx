import type { Problem } from "../api/problem";
import { ProblemNotice } from "../parts/problem";
import { updateText as text } from "../text/en/registry-updates";

/** The service could not read the registry, or did not believe it. */
const BAD_GATEWAY = 502;

/** Why an update failed; a registry that failed leads to the page that says why. */
export function RegistryProblem({ problem, onTryAgain }: { problem: Problem; onTryAgain?: () => void }) {
  return (
    <>
      <ProblemNotice problem={problem} onTryAgain={onTryAgain} />
      {problem.status === BAD_GATEWAY && (
        <p>
          <a href="/facility/registry">{text.toRegistry}</a>
        </p>
      )}
    </>
  );
}
