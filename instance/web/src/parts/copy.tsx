import { useSignal } from "@preact/signals";
import { text } from "../text/en/common";
import { Icon } from "./icon";

const SHOWN_MS = 2000;

/** A code that people carry elsewhere, with a button that copies it. */
export function Copy({
  value,
  label,
  isHidden,
}: {
  value: string;
  label: string;
  isHidden?: boolean | undefined;
}) {
  const isCopied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value);
    isCopied.value = true;
    setTimeout(() => {
      isCopied.value = false;
    }, SHOWN_MS);
  };
  return (
    <span class="copy">
      {!isHidden && <code>{value}</code>}
      <button
        type="button"
        class="bare"
        aria-label={`${text.copy} ${label}`}
        title={`${text.copy} ${label}`}
        onClick={copy}
      >
        <Icon name={isCopied.value ? "check" : "copy"} />
      </button>
      <span class="unseen" role="status">
        {isCopied.value ? text.copied : ""}
      </span>
    </span>
  );
}
