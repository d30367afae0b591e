import { useSignal } from "@preact/signals";
import { Copy } from "../../../parts/copy";
import { TextField } from "../../../parts/field";
import { FormDialog } from "../../../parts/form-dialog";
import { codeText } from "../../../text/en/code";
import { factorText as words } from "../../../text/en/factor";
import { Qr } from "./qr";
import { type Beginning, confirmFactor } from "./state";

interface Props {
  beginning: Beginning;
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

/** Groups of four, as people read keys aloud. */
const inGroups = (key: string): string => key.match(/.{1,4}/g)?.join(" ") ?? key;

/** The key for an app, and the first code of it. */
export function SetUp({ beginning, onDone, onClose }: Props) {
  const code = useSignal("");
  return (
    <FormDialog
      title={words.setUpTitle}
      verb={words.confirm}
      labels={{ code: codeText.code }}
      onSubmit={async () => onDone(await confirmFactor(code.value))}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>{words.scan}</p>
          <Qr text={beginning.uri} label={words.picture} />
          <div class="secret">
            <span class="muted">{words.key}</span>
            <Copy
              value={beginning.secret}
              shown={inGroups(beginning.secret)}
              label={words.key.toLowerCase()}
            />
          </div>
          <TextField
            name="code"
            label={codeText.code}
            help={words.thenCode}
            autocomplete="one-time-code"
            inputMode="numeric"
            isCode
            required
            error={errors.get("code")}
            value={code.value}
            onInput={(value) => (code.value = value)}
          />
        </>
      )}
    </FormDialog>
  );
}
