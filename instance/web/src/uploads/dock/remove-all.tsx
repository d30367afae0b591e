import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { text as common } from "../../text/en/common";
import { dockText as text } from "../../text/en/uploads";

interface Props {
  files: number;
  onClose: () => void;
  onRemove: () => void;
}

/** What the service has of files that are not whole goes with them. */
export function RemoveAll({ files, onClose, onRemove }: Props) {
  return (
    <Dialog
      title={text.removeAllTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="danger" onClick={onRemove}>
            {text.removeAll}
          </Button>
        </>
      }
    >
      <p>{text.removeAllWhat(files)}</p>
    </Dialog>
  );
}
