import { text } from "../text/en/common";
import { Button } from "./button";
import { Copy } from "./copy";
import { Dialog } from "./dialog";

interface Props {
  title: string;
  /** What it is for, and for whom. */
  what: string;
  value: string;
  /** What is copied, in lower case. */
  label: string;
  onClose: () => void;
}

/** A secret that the service tells once: only a button closes it. */
export function ShownOnce({ title, what, value, label, onClose }: Props) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      losesSomething
      actions={
        <Button look="main" onClick={onClose}>
          {text.done}
        </Button>
      }
    >
      <div class="stack">
        <p>{what}</p>
        <div class="secret">
          <Copy value={value} label={label} />
        </div>
        <p class="muted">{text.shownOnce}</p>
      </div>
    </Dialog>
  );
}
