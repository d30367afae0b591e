import { askPassword, offlineSince, passwordDeclined, secondFactorWanted } from "../api/connection";
import { saveEverything } from "../api/unsaved";
import { Button } from "../parts/button";
import { isDemo } from "../session";
import { text } from "../text/en/common";
import { frame } from "../text/en/frame";

/** What could not be saved without a session is saved as soon as there is one. */
async function goOn(): Promise<void> {
  if (await askPassword()) await saveEverything(new AbortController().signal);
}

/** Thin bars above a page: what holds for everything below them. */
export function Bars() {
  const since = offlineSince.value;
  return (
    <section class="bars" aria-label={frame.notices}>
      {isDemo.value && <p class="bar">{frame.demo}</p>}
      <div role="status">
        {since && <p class="bar bar-wait">{text.offline(since)}</p>}
        {secondFactorWanted.value && <p class="bar bar-wait">{frame.factorWanted}</p>}
        {passwordDeclined.value && (
          <p class="bar bar-wait">
            {frame.signedOutBar} <Button onClick={() => void goOn()}>{frame.signIn}</Button>
          </p>
        )}
      </div>
    </section>
  );
}

export function SkipLink() {
  return (
    <a class="skip unseen" href="#content">
      {text.skip}
    </a>
  );
}
