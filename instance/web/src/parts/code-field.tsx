import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { codeText as words } from "../text/en/code";
import { Button } from "./button";
import { fieldId, TextField } from "./field";

interface Props {
  value: string;
  onInput: (value: string) => void;
  error?: string | undefined;
  /** It has just appeared and is what is to be filled in. */
  takesFocus?: boolean;
}

/** The code of a second factor: digits of an app, or a recovery code by who has lost it. */
export function CodeField({ value, onInput, error, takesFocus }: Props) {
  const isRecovery = useSignal(false);
  const focus = (): void => document.getElementById(fieldId("code"))?.focus();
  useEffect(() => {
    if (takesFocus) focus();
  }, []);
  const turn = (): void => {
    isRecovery.value = !isRecovery.value;
    onInput("");
    focus();
  };
  return (
    <>
      <TextField
        name="code"
        label={isRecovery.value ? words.recoveryCode : words.code}
        help={isRecovery.value ? words.recoveryCodeHelp : words.codeHelp}
        autocomplete={isRecovery.value ? "off" : "one-time-code"}
        inputMode={isRecovery.value ? undefined : "numeric"}
        isCode
        required
        error={error}
        value={value}
        onInput={onInput}
      />
      <div>
        <Button look="quiet" onClick={turn}>
          {isRecovery.value ? words.useApp : words.useRecoveryCode}
        </Button>
      </div>
    </>
  );
}
