import { numbersText as text } from "../../text/en/numbers";
import type { Numbers } from "./state";

const FIGURES = ["months", "orders", "samples", "reads", "turnaround", "runs", "storage"] as const;

/** What is counted and when, in the words of the service. */
export function Definitions({ definitions }: { definitions: Numbers["definitions"] }) {
  return (
    <section class="card stack-tight" aria-labelledby="numbers-definitions">
      <h2 id="numbers-definitions">{text.definitions}</h2>
      <dl class="numbers-definitions">
        {FIGURES.map((figure) => (
          <div key={figure}>
            <dt>{text.figure[figure]}</dt>
            <dd>{definitions[figure]}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
