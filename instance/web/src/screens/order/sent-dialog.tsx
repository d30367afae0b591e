import { useAction } from "../../api/resource";
import { useKeptText } from "../../kept-text";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { TextArea } from "../../parts/field";
import { ProblemNotice } from "../../parts/problem";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { addNote, type Order } from "./state";

interface Props {
  order: Order;
  onClose: () => void;
  onChange: () => Promise<void>;
}

/** A researcher says that the samples are on their way. */
export function SentDialog({ order, onClose, onChange }: Props) {
  const [note, type] = useKeptText(`note:${order.id}:sent`);
  const send = useAction(async (content: string) => {
    await addNote(order.id, "SAMPLES_SENT", content === "" ? text.sentDone : content);
    type("");
    onClose();
    await onChange();
  });
  const cancel = (): void => {
    type("");
    onClose();
  };
  const problem = send.problem.value;
  return (
    <Dialog
      title={orderText.step.SEND_SAMPLES}
      onClose={onClose}
      losesSomething={note !== ""}
      actions={
        <>
          <Button onClick={cancel}>{common.cancel}</Button>
          <Button look="main" isBusy={send.isRunning.value} onClick={() => void send.run(note.trim())}>
            {text.saySent}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.sentWhat}</p>
        <TextArea
          name="content"
          label={text.note}
          help={text.sentHint}
          sayOptional
          rows={3}
          value={note}
          onInput={type}
        />
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
