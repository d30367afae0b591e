import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { api, given } from "./api/client";
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
 * typed and not saved is kept for each record before, as always. Where nothing can be loaded the page stays.
 */
export function screen(load: () => Promise<{ Screen: ComponentType }>): LazyScreen {
  return lazy(async () => {
    try {
      const { Screen } = await load();
      sessionStorage.removeItem(RELOADED);
      return { default: Screen };
    } catch (error) {
      console.error(error);
      if (sessionStorage.getItem(RELOADED) === null && (await isReachable())) {
        sessionStorage.setItem(RELOADED, "yes");
        location.reload();
        return { default: () => null };
      }
      return { default: Missing };
    }
  });
}

/** Whether there is a page to load: without the service a reload would end in the browser's own page. */
const isReachable = (): Promise<boolean> =>
  given(api.GET("/api/version")).then(
    () => true,
    () => false,
  );

function Missing() {
  const again = async (): Promise<void> => {
    if (await isReachable()) location.reload();
  };
  return (
    <div class="stack">
      <PageHead title={text.notFound} />
      <ProblemNotice problem={new Problem(text.unreachable, 0)} onTryAgain={() => void again()} />
    </div>
  );
}
