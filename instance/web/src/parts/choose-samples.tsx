import { useState } from "preact/hooks";
import { text } from "../text/en/common";
import { CheckList } from "./check-list";
import { FormDialog } from "./form-dialog";

interface Props {
  title: string;
  /** What becomes of the chosen ones. */
  what: string;
  /** What is left out in any case. */
  notice?: string | undefined;
  verb: (samples: number) => string;
  samples: readonly { id: string; label: string; help: string }[];
  onChosen: (ids: string[]) => Promise<void>;
  onClose: () => void;
}

/** Which samples something is done with; at first with all of them. */
export function ChooseSamples({ title, what, notice, verb, samples, onChosen, onClose }: Props) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const ids = samples.map(({ id }) => id);
  const chosen = ids.filter((id) => !left.has(id));
  return (
    <FormDialog
      title={title}
      verb={verb(chosen.length)}
      labels={{ sampleIds: text.samples }}
      refusal={chosen.length > 0 ? null : text.chooseSamples}
      onSubmit={() => onChosen(chosen)}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{what}</p>
          {notice && <p class="notice notice-wait">{notice}</p>}
          <CheckList
            name="sampleIds"
            label={text.samples}
            error={errors.get("sampleIds")}
            choices={samples.map(({ id, label, help }) => ({ value: id, label, help }))}
            chosen={new Set(chosen)}
            onChange={(next) => setLeft(new Set(ids.filter((id) => !next.has(id))))}
          />
        </>
      )}
    </FormDialog>
  );
}
