import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { fieldErrors } from "../api/problem";
import { useAction } from "../api/resource";
import { text } from "../text/en/common";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { ErrorSummary } from "./error-summary";

/** What `onSubmit` resolves to when the person has to look at the form again. */
export const STAYS_OPEN = Symbol("stays open");

interface Props {
  title: string;
  /** The button that sends the form. */
  verb: string;
  /** What people call a field, by its path in the API. */
  labels: Readonly<Record<string, string>>;
  isWide?: boolean | undefined;
  /** Escape would lose what was typed: only a button closes it. */
  losesSomething?: boolean | undefined;
  /** What is asked is still on its way, and takes the focus when it is there. */
  isWaiting?: boolean | undefined;
  /** Why it can't be sent now. */
  refusal?: string | null | undefined;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** The fields, with what the server says of each. */
  children: (errors: ReadonlyMap<string, string>) => ComponentChildren;
}

/** A dialog with one form: it closes when the form is taken, and says why it is not. */
export function FormDialog(props: Props) {
  const { title, verb, labels, refusal, onSubmit, onClose, children, ...shape } = props;
  const form = useId();
  const sending = useAction(async () => {
    if ((await onSubmit()) !== STAYS_OPEN) onClose();
  });
  const problem = sending.problem.value;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      {...shape}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="main" type="submit" form={form} isBusy={sending.isRunning.value} refusal={refusal}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!refusal) void sending.run();
        }}
      >
        <ErrorSummary problem={problem} labels={labels} />
        {children(fieldErrors(problem))}
      </form>
    </Dialog>
  );
}
