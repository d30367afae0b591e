import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { lazy } from "preact-iso";
import { api, given } from "./api/client";
import { Problem } from "./api/problem";
import { Waiting } from "./parts/loading";
import { PageHead } from "./parts/page-head";
import { ProblemNotice } from "./parts/problem";
import { text } from "./text/en/common";

/** A screen that can be fetched before it is shown. */
export type LazyScreen = ComponentType & { preload: () => Promise<unknown> };

const RELOADED = "seqfacility:reloaded";

/** A screen that is fetched when it is first shown. */
export const screen = (load: () => Promise<{ Screen: ComponentType }>): LazyScreen =>
  lazy(async () => ({ default: await fetched(async () => (await load()).Screen) }));

/** A tab of a screen that is fetched when it is first opened. */
export function tab<P extends object>(
  load: () => Promise<{ Tab: ComponentType<P> }>,
): (props: P) => JSX.Element {
  let known: ComponentType<P> | null = null;
  return (props) => {
    const [Tab, show] = useState(() => known);
    useEffect(() => {
      if (known !== null) return;
      void fetched(async () => (await load()).Tab).then((loaded) => {
        known = loaded;
        show(() => loaded);
      });
    }, []);
    return Tab === null ? <Waiting /> : <Tab {...props} />;
  };
}

/**
 * Fetch a part of the pages.
 *
 * After a new release the server has other files than this page knows: the page is loaded anew, once. What was
 * typed and not saved is kept for each record before, as always. Where nothing can be loaded the page stays.
 */
async function fetched<P>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  try {
    const part = await load();
    sessionStorage.removeItem(RELOADED);
    return part;
  } catch (error) {
    console.error(error);
    if (sessionStorage.getItem(RELOADED) === null && (await isReachable())) {
      sessionStorage.setItem(RELOADED, "yes");
      location.reload();
      return () => null;
    }
    return Missing;
  }
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
