import { offlineSince } from "../api/connection";
import { isDemo } from "../session";
import { text } from "../text/en/common";
import { frame } from "../text/en/frame";

/** Thin bars above a page: what holds for everything below them. */
export function Bars() {
  const since = offlineSince.value;
  return (
    <section class="bars" aria-label={frame.notices}>
      {isDemo.value && <p class="bar">{frame.demo}</p>}
      <div role="status">{since && <p class="bar bar-wait">{text.offline(since)}</p>}</div>
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
