import { Chip } from "../../parts/chip";
import { Copy } from "../../parts/copy";
import { registryText as text } from "../../text/en/registry";

const VARIABLE = "SEQFACILITY_REGISTRY_ROOT=/etc/seqfacility/root.json";
const RESET = "seqfacility registry-trust reset --root /etc/seqfacility/root.json";

/** Where trust begins, and how to begin anew. */
export function Root({ isPinned }: { isPinned: boolean }) {
  return (
    <section class="card stack-tight" aria-labelledby="registry-root">
      <h2 id="registry-root">{text.root}</h2>
      <p class="line">
        {isPinned ? <Chip tone="ok">{text.pinned}</Chip> : <Chip tone="wait">{text.notPinned}</Chip>}
      </p>
      <p>{isPinned ? text.pinnedWhy : text.notPinnedWhy}</p>
      {!isPinned && <Copy value={VARIABLE} label={text.variable} />}
      <details>
        <summary>{text.lost}</summary>
        <div class="stack-tight">
          <p>{text.lostWhy}</p>
          <Copy value={RESET} label={text.command} />
        </div>
      </details>
    </section>
  );
}
