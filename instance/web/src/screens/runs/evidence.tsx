import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { Loaded } from "../../parts/loading";
import { Time } from "../../parts/time";
import { evidenceText as text } from "../../text/en/runs";
import { readEvidence } from "./state";
import type { TabProps } from "./tabs";
import { type Witness, witnessesOf } from "./witnesses";

/** What each witness of a run said, and when. */
export function Tab({ run }: TabProps) {
  const evidence = useResource((signal) => readEvidence(run.id, signal), [run.id]);
  useLive([`run:${run.id}`], () => void evidence.reload());
  return (
    <Loaded of={evidence}>
      {(found) => (
        <div class="stack">
          <p class="muted">{text.how}</p>
          <ol class="witnesses" aria-label={text.witnesses}>
            {witnessesOf(found).map((witness) => (
              <WitnessLine key={witness.name} witness={witness} />
            ))}
          </ol>
          {run.contradiction && (
            <p class="notice notice-wait">
              {text.contradiction} <Time at={run.contradiction.occurredAt} />
            </p>
          )}
        </div>
      )}
    </Loaded>
  );
}

function WitnessLine({ witness }: { witness: Witness }) {
  const { name, says, more, at } = witness;
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h2>{name}</h2>
        {at ? <Time at={at} /> : <span class="muted">{text.noTime}</span>}
      </div>
      <p>{says}</p>
      {more && <p class="muted">{more}</p>}
    </li>
  );
}
