import { signal } from "@preact/signals";
import { action } from "../api/resource";
import { saveEverything } from "../api/unsaved";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { ErrorSummary } from "../parts/error-summary";
import { signOut } from "../session";
import { frame } from "../text/en/frame";

/** A save that is over sooner needs no words. */
const WORDS_AFTER_MS = 300;

/** What keeps somebody from leaving: a save that goes on, or records that are not saved; null when nothing does. */
const hindrance = signal<"saving" | readonly string[] | null>(null);
let stop = new AbortController();

const leaving = action(signOut);

/** Sign out when everything that was typed is saved; else ask. */
export async function askToSignOut(): Promise<void> {
  stop = new AbortController();
  const mine = stop.signal;
  const words = setTimeout(() => (hindrance.value = "saving"), WORDS_AFTER_MS);
  const left = await saveEverything(mine);
  clearTimeout(words);
  if (mine.aborted) return;
  hindrance.value = left.length > 0 ? left : null;
  if (left.length === 0) await leaving.run();
}

function stay(): void {
  stop.abort();
  hindrance.value = null;
}

/** Over the page, while leaving it would lose what was typed. */
export function SignOut() {
  const left = hindrance.value;
  if (left === null) return null;
  if (left === "saving") {
    return (
      <Dialog title={frame.savingFirst} onClose={stay} actions={<Button onClick={stay}>{frame.stay}</Button>}>
        <p role="status">{frame.savingFirstWhy}</p>
        <progress class="wide" aria-label={frame.savingFirst} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={frame.notSaved}
      onClose={stay}
      actions={
        <>
          <Button look="danger" isBusy={leaving.isRunning.value} onClick={() => void leaving.run()}>
            {frame.signOutAndForget}
          </Button>
          <Button onClick={() => void askToSignOut()}>{frame.saveAgain}</Button>
          <Button look="main" onClick={stay}>
            {frame.stay}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{frame.notSavedWhy}</p>
        <ul class="error-list">
          {left.map((record) => (
            <li key={record}>{frame.unsavedRecord(record.replace(/:.*$/, ""))}</li>
          ))}
        </ul>
        <ErrorSummary problem={leaving.problem.value} labels={{}} />
      </div>
    </Dialog>
  );
}
