import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { Problem } from "./api/problem";
import { PageHead } from "./parts/page-head";
import { ProblemNotice } from "./parts/problem";
import { text } from "./text/en/common";

/** A screen that can be fetched before it is shown. */
export type LazyScreen = ComponentType & { preload: () => Promise<unknown> };

const RELOADED = "seqfacility:reloaded";

/**
 * A screen that is fetched when it is first shown.
 *
 * After a new release the server has other files than this page knows: the page is loaded anew, once. What was
 * typed and not saved is kept for each record before, as always.
 */
export function screen(load: () => Promise<{ Screen: ComponentType }>): LazyScreen {
  return lazy(async () => {
    try {
      const { Screen } = await load();
      sessionStorage.removeItem(RELOADED);
      return { default: Screen };
    } catch (error) {
      console.error(error);
      if (sessionStorage.getItem(RELOADED) === null) {
        sessionStorage.setItem(RELOADED, "yes");
        location.reload();
        return { default: () => null };
      }
      return { default: Missing };
    }
  });
}

function Missing() {
  return (
    <div class="stack">
      <PageHead title={text.notFound} />
      <ProblemNotice problem={new Problem(text.unreachable, 0)} onTryAgain={() => location.reload()} />
    </div>
  );
}
