import { useState } from "preact/hooks";
import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { CheckField } from "../../../parts/choice-fields";
import { Dialog } from "../../../parts/dialog";
import { ProblemNotice } from "../../../parts/problem";
import { text as common } from "../../../text/en/common";
import { bases, liveText as text } from "../../../text/en/live";
import { collect, isOpen, type Plan, type Stream } from "./state";

interface Props {
  stream: Stream;
  samples: Plan;
  onChange: () => Promise<unknown>;
  onClose: () => void;
}

/** Which samples, and what is made of them. All that are open are chosen at first. */
export function CollectDialog({ stream, samples, onChange, onClose }: Props) {
  const open = samples.filter(isOpen);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = open.filter(({ sampleId }) => !left.has(sampleId));
  const act = useAction(async () => {
    await collect(
      stream,
      chosen.map(({ sampleId }) => sampleId),
    );
    await onChange();
    onClose();
  });
  const toggle = (sampleId: string, isChosen: boolean): void => {
    const next = new Set(left);
    if (isChosen) next.delete(sampleId);
    else next.add(sampleId);
    setLeft(next);
  };
  const problem = act.problem.value;
  return (
    <Dialog
      title={text.collectTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={act.isRunning.value}
            refusal={chosen.length > 0 ? null : text.chooseSamples}
            onClick={() => void act.run()}
          >
            {text.collectN(chosen.length)}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.collectWhat}</p>
        <fieldset class="stack-tight live-choice" aria-label={text.sample}>
          {open.map((sample) => (
            <CheckField
              key={sample.sampleId}
              name={sample.sampleId}
              label={sample.sampleAlias ?? sample.sampleCode}
              help={`${sample.barcodes.join(", ")}: ${text.of(sample.files, sample.size)}, ${bases(sample.bases)}`}
              isChecked={!left.has(sample.sampleId)}
              onChange={(isChosen) => toggle(sample.sampleId, isChosen)}
            />
          ))}
        </fieldset>
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
