import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { ProblemNotice } from "../../../parts/problem";
import { toast } from "../../../parts/toast";
import { demoRefusal } from "../../../session";
import { deliveryText as text } from "../../../text/en/delivery";
import type { Order } from "../state";
import { allOf, arrange, type Delivery } from "./files";
import { release, takeBack } from "./state";

interface Props {
  order: Order;
  delivery: Delivery;
  onChange: (delivery: Delivery) => Promise<void>;
}

/** What the researcher will see or sees, what is held back, and the button that changes it. */
export function ReleaseBar({ order, delivery, onChange }: Props) {
  const releasing = useAction(async () => onChange(await release(order.id)));
  const taking = useAction(async () => {
    await onChange(await takeBack(order.id));
    toast(text.takenBack, () => void releasing.run());
  });
  const files = allOf(arrange(delivery)).length;
  const { protectedReads, internalArtifacts, missingFiles } = delivery.excluded;
  const person = `${order.user.firstName} ${order.user.lastName}`;
  const doubtful = new Set(delivery.warnings.map(({ path }) => path)).size;
  const held = [
    protectedReads > 0 && text.protectedReads(protectedReads),
    internalArtifacts > 0 && text.internal(internalArtifacts),
    missingFiles > 0 && text.missing(missingFiles),
    doubtful > 0 && text.doubtful(doubtful),
  ].filter((line) => line !== false);
  const problem = releasing.problem.value ?? taking.problem.value;
  return (
    <section class="card stack-tight" aria-label={text.releaseOf}>
      <div class="spread">
        <p>
          <strong>{delivery.isPublished ? text.seenBy(person) : text.willBeSeen(person)}</strong>
        </p>
        {delivery.isPublished ? (
          <Button
            isBusy={taking.isRunning.value}
            refusal={demoRefusal.value}
            onClick={() => void taking.run()}
          >
            {text.takeBack}
          </Button>
        ) : (
          <Button
            look="main"
            isBusy={releasing.isRunning.value}
            refusal={demoRefusal.value ?? (delivery.publishable ? null : text.nothingToRelease)}
            onClick={() => void releasing.run()}
          >
            {text.release(files)}
          </Button>
        )}
      </div>
      {held.length > 0 && (
        <ul class="held">
          {held.map((line) => (
            <li key={line} class="muted">
              {line}
            </li>
          ))}
        </ul>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </section>
  );
}
