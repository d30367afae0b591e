import { Button } from "../../../parts/button";
import { demoRefusal } from "../../../session";
import { readsText as text, workText } from "../../../text/en/reads";
import type { Deed } from "./actions";
import { fileSubjects, type Subject } from "./subjects";

interface Props {
  /** How many samples are chosen, and the reads that they have. */
  chosen: number;
  subjects: readonly Subject[];
  onDeed: (deed: Deed) => void;
  onNone: () => void;
}

/** What is done with the reads of the chosen samples. */
export function SelectionBar({ chosen, subjects, onDeed, onNone }: Props) {
  const files = fileSubjects(subjects).length;
  const refusal = demoRefusal.value ?? (files === 0 ? text.noFilesChosen : null);
  return (
    <fieldset class="reads-selection line" aria-label={text.chosenSamples}>
      <strong>{text.chosen(chosen, files)}</strong>
      <Button refusal={refusal} onClick={() => onDeed("class")}>
        {workText.classVerb}
      </Button>
      <Button refusal={refusal} onClick={() => onDeed("md5")}>
        {workText.md5Verb}
      </Button>
      <Button refusal={refusal} onClick={() => onDeed("remove")}>
        {workText.removeVerb}
      </Button>
      <Button icon="trash" look="danger" refusal={refusal} onClick={() => onDeed("delete")}>
        {workText.deleteVerb(files)}
      </Button>
      <Button look="quiet" onClick={onNone}>
        {text.chooseNone}
      </Button>
    </fieldset>
  );
}
