import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { ProblemNotice } from "../../../parts/problem";
import { toast } from "../../../parts/toast";
import { demoRefusal } from "../../../session";
import { deliveryText as text } from "../../../text/en/delivery";
import type { Order } from "../state";
import { allOf, arrange, type DeliveredFile, type Delivery, totalBytes } from "./files";
import { release, takeBack } from "./state";

interface Props {
  order: Order;
  delivery: Delivery;
  onChange: (delivery: Delivery) => Promise<void>;
}

/** What the researcher will see or sees, what is held back, what to look at first, and the button that changes it. */
export function ReleaseBar({ order, delivery, onChange }: Props) {
  const releasing = useAction(async () => onChange(await release(order.id)));
  const taking = useAction(async () => {
    await onChange(await takeBack(order.id));
    toast(text.takenBack, () => void releasing.run());
  });
  const files = allOf(arrange(delivery));
  const person = `${order.user.firstName} ${order.user.lastName}`;
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
            {text.release(files.length)}
          </Button>
        )}
      </div>
      {files.length > 0 && <Contents files={files} />}
      <Remarks delivery={delivery} />
      {problem && <ProblemNotice problem={problem} />}
    </section>
  );
}

/** How much it is, and whether it can be checked after a download. */
function Contents({ files }: { files: readonly DeliveredFile[] }) {
  const unlisted = files.filter(({ md5 }) => md5 === null).length;
  return (
    <p>
      {text.filesAndSize(files.length, totalBytes(files))}.{" "}
      {unlisted === 0 ? text.allMd5 : text.someMd5(files.length - unlisted, files.length)}
    </p>
  );
}

/** What is not among the files and why, then what to look at among those that are. */
function Remarks({ delivery }: { delivery: Delivery }) {
  const { protectedReads, internalArtifacts, missingFiles } = delivery.excluded;
  const held = [
    protectedReads > 0 && text.protectedReads(protectedReads),
    internalArtifacts > 0 && text.internal(internalArtifacts),
    missingFiles > 0 && text.missing(missingFiles),
  ].filter((line) => line !== false);
  // How many MD5 are missing stands beside the size.
  const others = delivery.warnings.filter(({ reason }) => reason !== "no-md5");
  const byReason = Map.groupBy(others, ({ reason }) => reason);
  const doubts = [...byReason].map(([reason, of]) =>
    text.doubtful(new Set(of.map(({ path }) => path)).size, text.doubt[reason]),
  );
  return (
    <>
      <Lines lines={held} isWarning={false} />
      <Lines lines={doubts} isWarning />
    </>
  );
}

function Lines({ lines, isWarning }: { lines: readonly string[]; isWarning: boolean }) {
  if (lines.length === 0) return null;
  return (
    <ul class="held" aria-label={isWarning ? text.lookAt : text.heldBack}>
      {lines.map((line) => (
        <li key={line} class={isWarning ? "held-warning" : "muted"}>
          {line}
        </li>
      ))}
    </ul>
  );
}
