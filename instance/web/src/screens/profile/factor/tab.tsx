import { useSignal } from "@preact/signals";
import { useAction, useResource } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { ConfirmDialog } from "../../../parts/confirm-dialog";
import { Loaded } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { factorText as words } from "../../../text/en/factor";
import { RecoveryCodes } from "./recovery-codes";
import { SetUp } from "./set-up";
import { type Beginning, beginFactor, type Factor, readFactor, removeFactor } from "./state";

const FEW_CODES = 3;

/** What is asked for besides the password, and how to have it. */
export function Tab() {
  const factor = useResource(readFactor, []);
  const beginning = useSignal<Beginning | null>(null);
  const codes = useSignal<readonly string[] | null>(null);
  const isRemoving = useSignal(false);
  const starting = useAction(async () => {
    beginning.value = await beginFactor();
  });
  const problem = starting.problem.value;
  const remove = async (): Promise<void> => {
    await removeFactor();
    await factor.reload();
  };
  return (
    <div class="stack narrow">
      <p class="muted">{words.why}</p>
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={factor}>
        {(known) => (
          <section class="card stack" aria-label={words.on}>
            <State factor={known} />
            <div>
              {known.enabled ? (
                <Button
                  refusal={known.required ? words.removeRefusal : null}
                  onClick={() => (isRemoving.value = true)}
                >
                  {words.remove}
                </Button>
              ) : (
                <Button look="main" isBusy={starting.isRunning.value} onClick={() => void starting.run()}>
                  {words.setUp}
                </Button>
              )}
            </div>
          </section>
        )}
      </Loaded>
      {beginning.value && (
        <SetUp
          beginning={beginning.value}
          onClose={() => (beginning.value = null)}
          onDone={(made) => {
            beginning.value = null;
            codes.value = made;
            void factor.reload();
          }}
        />
      )}
      {codes.value && <RecoveryCodes codes={codes.value} onClose={() => (codes.value = null)} />}
      {isRemoving.value && (
        <ConfirmDialog
          title={words.removeTitle}
          verb={words.remove}
          isDanger
          onConfirm={remove}
          onClose={() => (isRemoving.value = false)}
        >
          {words.removeWhat}
        </ConfirmDialog>
      )}
    </div>
  );
}

function State({ factor: { enabled, required, recoveryCodesLeft } }: { factor: Factor }) {
  if (!enabled) return <p>{required ? words.required : words.off}</p>;
  return (
    <>
      <p>
        <Chip tone="ok">{words.on}</Chip>
      </p>
      <p>
        {words.codesLeft(recoveryCodesLeft)} {recoveryCodesLeft < FEW_CODES && words.fewCodes}
      </p>
    </>
  );
}
