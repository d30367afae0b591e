import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { TextArea } from "../../parts/field";
import { ProblemNotice } from "../../parts/problem";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/order";
import { deleteOrder, moveTo, type Order } from "./state";

/** What of an order is asked about before it is done. */
export type Change = "complete" | "toDraft" | "reopen" | "delete";

interface Props {
  order: Order;
  change: Change;
  onClose: () => void;
  onChange: () => Promise<void>;
}

const STATUS = { complete: "COMPLETED", toDraft: "DRAFT", reopen: "SUBMITTED" } as const;

export function ChangeDialog({ order, change, onClose, onChange }: Props) {
  const { route } = useLocation();
  const [reason, setReason] = useState("");
  const act = useAction(async (note: string) => {
    if (change === "delete") {
      await deleteOrder(order.id);
      route("/orders");
    } else {
      await moveTo(order.id, STATUS[change], note);
      onClose();
      await onChange();
    }
  });
  const words = text.change[change];
  const problem = act.problem.value;
  return (
    <Dialog
      title={words.question(order.name ?? order.orderNumber)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look={change === "delete" ? "danger" : "main"}
            isBusy={act.isRunning.value}
            refusal={change === "toDraft" && reason.trim() === "" ? text.reasonMissing : null}
            onClick={() => void act.run(reason.trim())}
          >
            {words.verb}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{words.what}</p>
        {change === "toDraft" && (
          <TextArea
            name="note"
            label={text.reason}
            help={text.reasonHelp}
            required
            value={reason}
            onInput={setReason}
            rows={3}
          />
        )}
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
