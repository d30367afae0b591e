import { useSignal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { FormDialog } from "./form-dialog";
import { ShownOnce } from "./shown-once";

type Form = Omit<ComponentProps<typeof FormDialog>, "onSubmit" | "onClose">;

interface Props extends Form {
  /** Make what the form asks for, and return its secret. */
  onMake: () => Promise<string>;
  /** What is said beside the secret. */
  made: Omit<ComponentProps<typeof ShownOnce>, "value" | "onClose">;
  onClose: (isMade: boolean) => void;
}

/** A form that makes something with a secret, and then the secret, once. */
export function MadeOnce({ onMake, made, onClose, ...form }: Props) {
  const secret = useSignal<string | null>(null);
  if (secret.value !== null) {
    return <ShownOnce {...made} value={secret.value} onClose={() => onClose(true)} />;
  }
  return (
    <FormDialog
      {...form}
      onSubmit={async () => {
        secret.value = await onMake();
      }}
      // A form that was taken closes itself: the secret is shown in its place.
      onClose={() => secret.value === null && onClose(false)}
    />
  );
}
