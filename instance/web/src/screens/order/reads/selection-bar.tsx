import { Button } from "../../../parts/button";
import { demoRefusal } from "../../../session";
import { readsText as text, workText } from "../../../text/en/reads";
import type { ReadAction } from "./actions";
import { fileSubjects, type Subject } from "./subjects";

interface Props {
  /** How many samples are chosen, and the reads that they have. */
  chosen: number;
  subjects: readonly Subject[];
  onAction: (action: ReadAction) => void;
  onNone: () => void;
}

/** What is done with the reads of the chosen samples. */
export function SelectionBar({ chosen, subjects, onAction, onNone }: Props) {
  const files = fileSubjects(subjects).length;
  const refusal = demoRefusal.value ?? (files === 0 ? text.noFilesChosen : null);
  return (
    <fieldset class="reads-selection line" aria-label={text.chosenSamples}>
      <strong>{text.chosen(chosen, files)}</strong>
      <Button refusal={refusal} onClick={() => onAction("class")}>
        {workText.classVerb}
      </Button>
      <Button refusal={refusal} onClick={() => onAction("md5")}>
        {workText.md5Verb}
      </Button>
      <Button refusal={refusal} onClick={() => onAction("remove")}>
        {workText.removeVerb}
      </Button>
      <Button icon="trash" look="danger" refusal={refusal} onClick={() => onAction("delete")}>
        {workText.deleteVerb(files)}
      </Button>
      <Button look="quiet" onClick={onNone}>
        {text.chooseNone}
      </Button>
    </fieldset>
  );
}
