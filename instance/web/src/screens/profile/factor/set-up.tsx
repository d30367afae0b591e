import { useSignal } from "@preact/signals";
import { fieldErrors } from "../../../api/problem";
import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Copy } from "../../../parts/copy";
import { Dialog } from "../../../parts/dialog";
import { ErrorSummary } from "../../../parts/error-summary";
import { TextField } from "../../../parts/field";
import { codeText } from "../../../text/en/code";
import { text } from "../../../text/en/common";
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
  const confirming = useAction(async () => onDone(await confirmFactor(code.value)));
  const problem = confirming.problem.value;
  return (
    <Dialog
      title={words.setUpTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="main" type="submit" form="factor" isBusy={confirming.isRunning.value}>
            {words.confirm}
          </Button>
        </>
      }
    >
      <form
        id="factor"
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirming.run();
        }}
      >
        <ErrorSummary problem={problem} labels={{ code: codeText.code }} />
        <p>{words.scan}</p>
        <Qr text={beginning.uri} label={words.picture} />
        <div class="secret">
          <span class="muted">{words.key}</span>
          <Copy value={beginning.secret} shown={inGroups(beginning.secret)} label={words.key.toLowerCase()} />
        </div>
        <TextField
          name="code"
          label={codeText.code}
          help={words.thenCode}
          autocomplete="one-time-code"
          inputMode="numeric"
          isCode
          required
          error={fieldErrors(problem).get("code")}
          value={code.value}
          onInput={(value) => (code.value = value)}
        />
      </form>
    </Dialog>
  );
}
