import { Button } from "../../parts/button";
import { Time } from "../../parts/time";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import { inWords } from "./differences";
import type { Dispute } from "./merge";

/** Somebody else saved meanwhile: who and when, and what both changed, mine and theirs. */
export function Conflicts({ builder }: { builder: Builder }) {
  const theirs = builder.overtaken.value;
  if (theirs === null) return null;
  const by = theirs.updatedBy;
  const disputes = builder.disputes.value;
  return (
    <section class="notice notice-wait" aria-label={common.changed}>
      <p class="notice-title" role="alert">
        {text.overtaken(by && `${by.firstName} ${by.lastName}`, theirs.version)}{" "}
        {theirs.updatedAt !== null && <Time at={theirs.updatedAt} />}
      </p>
      <p>{disputes.length === 0 ? text.overtakenHow : text.disputes(disputes.length)}</p>
      {disputes.length > 0 && (
        <ul class="disputes">
          {disputes.map((dispute) => (
            <Disputed key={`${dispute.id} ${dispute.key}`} builder={builder} dispute={dispute} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Disputed({ builder, dispute }: { builder: Builder; dispute: Dispute }) {
  const what = text.disputed(dispute.label, dispute.key);
  const shown = (value: unknown, whose: "mine" | "theirs"): string => {
    if (dispute.key !== null) return inWords(dispute.key, value, builder.form.value);
    if (value !== undefined) return text.keptChanged;
    return whose === "mine" ? text.removedByMe : text.removedByThem;
  };
  return (
    <li class="dispute">
      <p>
        <strong>{what}</strong>
      </p>
      <dl class="dispute-sides">
        <dt>{common.mine}</dt>
        <dd>{shown(dispute.mine, "mine")}</dd>
        <dt>{common.theirs}</dt>
        <dd>{shown(dispute.theirs, "theirs")}</dd>
      </dl>
      <div class="line">
        <Button label={text.keepMineOf(what)} onClick={() => builder.settle(dispute, true)}>
          {text.keepMine}
        </Button>
        <Button label={text.takeTheirsOf(what)} onClick={() => builder.settle(dispute, false)}>
          {text.takeTheirs}
        </Button>
      </div>
    </li>
  );
}
