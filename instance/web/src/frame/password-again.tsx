import { useSignal } from "@preact/signals";

import { answerPasswordAsked, passwordAsked } from "../api/connection";
import { Problem } from "../api/problem";
import { useAction } from "../api/resource";
import { Button } from "../parts/button";
import { CodeField } from "../parts/code-field";
import { Dialog } from "../parts/dialog";
import { ErrorSummary } from "../parts/error-summary";
import { TextField } from "../parts/field";
import { isAdmin, isDemo, readBoot, signIn, startDemo, user } from "../session";
import { codeText } from "../text/en/code";
import { text } from "../text/en/common";
import { frame } from "../text/en/frame";
import { SignInElsewhere } from "./sign-in-elsewhere";

/** Over the page, when the session ended meanwhile: nothing typed is lost, and what was asked goes on. */
export function PasswordAgain() {
  if (!passwordAsked.value) return null;
  return isDemo.value ? <StartDemoAgain /> : <Ask />;
}

/** Nobody has the password of a demonstration: another one begins, with a facility of its own. */
function StartDemoAgain() {
  const starting = useAction(async () => {
    await startDemo(isAdmin.value ? "admin" : "researcher");
    location.assign("/");
  });
  return (
    <Dialog
      title={frame.demoOver}
      onClose={() => answerPasswordAsked(false)}
      actions={
        <Button look="main" isBusy={starting.isRunning.value} onClick={() => void starting.run()}>
          {frame.demoAgain}
        </Button>
      }
    >
      <p>{frame.demoOverWhy}</p>
      <ErrorSummary problem={starting.problem.value} labels={{}} />
    </Dialog>
  );
}

function Ask() {
  const password = useSignal("");
  const code = useSignal("");
  const email = user.value?.email ?? "";
  const isCodeAsked = useSignal(false);
  const { isRunning, problem, run } = useAction(async () => {
    if (await signIn(email, password.value, code.value)) answerPasswordAsked(true);
    else isCodeAsked.value = true;
  });
  const look = async (): Promise<void> => {
    await readBoot();
    if (passwordAsked.value) throw new Problem(frame.notSignedInYet, 0);
  };
  return (
    <Dialog title={frame.signedOut} onClose={() => answerPasswordAsked(false)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <p>{frame.signedOutWhy(email)}</p>
        <ErrorSummary problem={problem.value} labels={{ code: codeText.code }} />
        <input
          class="unseen"
          type="email"
          name="email"
          autocomplete="username"
          value={email}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <TextField
          name="password"
          label={frame.password}
          type="password"
          autocomplete="current-password"
          value={password.value}
          onInput={(value) => (password.value = value)}
        />
        {isCodeAsked.value && (
          <CodeField takesFocus value={code.value} onInput={(value) => (code.value = value)} />
        )}
        <div class="line">
          <Button look="main" type="submit" isBusy={isRunning.value}>
            {frame.signIn}
          </Button>
          <Button onClick={() => answerPasswordAsked(false)}>{text.cancel}</Button>
        </div>
        <SignInElsewhere onSignedIn={look} />
      </form>
    </Dialog>
  );
}
