import { useState } from "preact/hooks";
import { Problem } from "../../api/problem";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { checklistText as text } from "../../text/en/checklists";
import { updateText } from "../../text/en/registry-updates";
import { studiesTouched } from "./rules";
import { type Applied, apply, type Listed, type Update } from "./state";

/** An update that is more likely a slip: the service asks whether it is meant. */
const CONFLICT = 409;

interface Props {
  of: Update;
  listed: readonly Listed[];
  onApplied: (applied: Applied) => Promise<void>;
  onClose: () => void;
}

/** Ask before a version becomes active, saying what it touches. */
export function ApplyDialog({ of: update, listed, onApplied, onClose }: Props) {
  const [isMeant, setMeant] = useState(false);
  const { remoteVersion, diff } = update;
  const confirm = async (): Promise<void> => {
    try {
      await onApplied(await apply(isMeant));
    } catch (error) {
      if (error instanceof Problem && error.status === CONFLICT) setMeant(true);
      throw error;
    }
  };
  return (
    <ConfirmDialog
      title={text.applyTitle(remoteVersion)}
      verb={isMeant ? text.applyAnyway : updateText.apply}
      isDanger={isMeant}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{text.newStudies(remoteVersion)}</p>
      <p>{text.touches(studiesTouched(update, listed))}</p>
      {diff.keptOff.length > 0 && <p>{text.keptOff(diff.keptOff.length)}</p>}
    </ConfirmDialog>
  );
}
