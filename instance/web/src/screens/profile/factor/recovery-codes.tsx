import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../../parts/button";
import { copyText } from "../../../parts/copy-text";
import { saveText } from "../../../parts/csv";
import { Dialog } from "../../../parts/dialog";
import { siteName, user } from "../../../session";
import { text } from "../../../text/en/common";
import { factorText as words } from "../../../text/en/factor";

/** Shown once, to be kept on paper or in a file. Only its button closes it. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const list = useRef<HTMLOListElement>(null);
  const isCopied = useSignal<boolean | null>(null);
  const head = words.fileHead(siteName.value, user.value?.email ?? "");
  const copy = async (): Promise<void> => {
    if (list.current) isCopied.value = await copyText(codes.join("\n"), list.current);
  };
  const download = (): void => saveText(words.file, `${[head, "", ...codes].join("\n")}\n`, "text/plain");
  return (
    <Dialog
      title={words.codesTitle}
      onClose={onClose}
      losesSomething
      actions={
        <Button look="main" onClick={onClose}>
          {words.kept}
        </Button>
      }
    >
      <div class="stack">
        <p>{words.codesWhy}</p>
        <ol class="recovery-codes" ref={list}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="line">
          <Button icon="copy" label={`${text.copy} ${words.copyAll}`} onClick={() => void copy()}>
            {text.copy}
          </Button>
          <Button icon="print" onClick={() => print()}>
            {words.print}
          </Button>
          <Button icon="download" onClick={download}>
            {words.download}
          </Button>
        </div>
        <p role="status">
          {isCopied.value === true && text.copied}
          {isCopied.value === false && text.notCopied}
        </p>
      </div>
    </Dialog>
  );
}
