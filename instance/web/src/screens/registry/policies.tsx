import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { demoRefusal } from "../../session";
import { registryText as text } from "../../text/en/registry";
import { PolicyDialog } from "./policy-dialog";
import { POLICIES, type Trust } from "./state";

interface Props {
  trust: Trust;
  onDecided: () => Promise<void>;
}

/** What is asked of signatures, what else could be, and the way to change it. */
export function Policies({ trust, onDecided }: Props) {
  const [isChanging, setChanging] = useState(false);
  return (
    <section class="card stack-tight" aria-labelledby="registry-policy">
      <h2 id="registry-policy">{text.policy}</h2>
      <p class="muted">{text.policyWhy}</p>
      <dl class="stack-tight">
        {POLICIES.map((policy) => (
          <div key={policy}>
            <dt class="line">
              <strong>{text.policies[policy]}</strong>
              {policy === trust.policy && (
                <Chip tone={policy === "required" ? "ok" : "wait"}>{text.inForce}</Chip>
              )}
              {policy === trust.policy && trust.setting === null && (
                <span class="muted">{text.byDefault}</span>
              )}
            </dt>
            <dd class={policy === trust.policy ? undefined : "muted"}>{text.policyMeanings[policy]}</dd>
          </div>
        ))}
      </dl>
      <div class="line">
        <Button refusal={demoRefusal.value} onClick={() => setChanging(true)}>
          {text.change}
        </Button>
      </div>
      {isChanging && (
        <PolicyDialog setting={trust.setting} onDecided={onDecided} onClose={() => setChanging(false)} />
      )}
    </section>
  );
}
