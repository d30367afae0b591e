import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { Waiting } from "../../parts/loading";
import { OutOfReach } from "../../parts/out-of-reach";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { Tabs } from "../../parts/tabs";
import { user } from "../../session";
import { text } from "../../text/en/forms";
import { type Builder, openBuilder } from "./builder";
import { Conflicts } from "./conflicts";
import { Editor } from "./editor";
import { History } from "./history";
import { JsonDialog } from "./json-dialog";
import { Preview } from "./preview";
import { SaveBar } from "./save-bar";
import "../../style/parts/new-order.css";
import "../../style/screens/forms.css";

/** `/facility/forms`: what an order asks, and with `?tab=history` what it asked before. */
export function Screen() {
  const { path, query } = useLocation();
  const builder = useSignal<Builder | null>(null);
  const problem = useSignal<Problem | null>(null);
  const tries = useSignal(0);

  useEffect(() => {
    const stop = new AbortController();
    problem.value = null;
    openBuilder(user.value?.id ?? "", stop.signal).then(
      (opened) => {
        if (stop.signal.aborted) opened.close();
        else builder.value = opened;
      },
      (error) => {
        if (!stop.signal.aborted) problem.value = asProblem(error);
      },
    );
    return () => stop.abort();
  }, [tries.value]);
  useEffect(() => () => builder.value?.close(), []);

  const tryAgain = (): void => {
    tries.value += 1;
  };
  if (problem.value?.isOutOfReach) return <OutOfReach />;
  const tab = query.tab === "history" ? "history" : "order";
  const tabs = [
    { id: "order", label: text.order, href: path },
    { id: "history", label: text.history, href: `${path}?tab=history` },
  ];
  const open = builder.value;
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        isWaiting={open === null && problem.value === null}
        actions={open && <JsonDialog builder={open} />}
      />
      {problem.value && <ProblemNotice problem={problem.value} onTryAgain={tryAgain} />}
      {open === null && problem.value === null && <Waiting lines={8} />}
      {open && (
        <Tabs label={text.tabs} tabs={tabs} current={tab}>
          {tab === "history" ? <History builder={open} /> : <OrderForm builder={open} />}
        </Tabs>
      )}
    </div>
  );
}

function OrderForm({ builder }: { builder: Builder }) {
  return (
    <div class="stack">
      <SaveBar builder={builder} />
      <Conflicts builder={builder} />
      <div class="form-builder">
        <Preview builder={builder} />
        <Editor builder={builder} />
      </div>
    </div>
  );
}
