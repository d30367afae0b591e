import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAction } from "../api/resource";
import { text } from "../text/en/common";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { TextField } from "./field";
import { ProblemNotice } from "./problem";

interface Props {
  /** What is about to happen, with the object's name. */
  title: string;
  /** What can't be undone afterwards. */
  children: ComponentChildren;
  /** The button that does it. */
  verb: string;
  /** Data are deleted: this name of the object is typed first. */
  typedName?: string | undefined;
  isDanger?: boolean | undefined;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Ask before what can't be undone, and stay open with the reason when it is refused. */
export function ConfirmDialog(props: Props) {
  const { title, children, verb, typedName, isDanger, onConfirm, onClose } = props;
  const [typed, setTyped] = useState("");
  const act = useAction(async () => {
    await onConfirm();
    onClose();
  });
  const isTyped = typedName === undefined || typed.trim() === typedName.trim();
  const problem = act.problem.value;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            look={isDanger ? "danger" : "main"}
            isBusy={act.isRunning.value}
            refusal={isTyped ? null : text.typeFirst}
            onClick={() => void act.run()}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{children}</p>
        {typedName !== undefined && (
          <TextField
            name="typedName"
            label={text.typeToDelete(typedName)}
            value={typed}
            onInput={setTyped}
            required
          />
        )}
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
