import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, given } from "../../api/client";
import type { Problem } from "../../api/problem";
import { asProblem, useResource } from "../../api/resource";
import { Waiting } from "../../parts/loading";
import { OutOfReach } from "../../parts/out-of-reach";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { Tabs } from "../../parts/tabs";
import { hasModule, user } from "../../session";
import { text } from "../../text/en/forms";
import { type Builder, openBuilder } from "./builder";
import { Conflicts } from "./conflicts";
import { Editor } from "./editor";
import { History } from "./history";
import { JsonDialog } from "./json-dialog";
import { Preview } from "./preview";
import { SaveBar } from "./save-bar";
import { orderForm, type Source, studyForm } from "./state";
import "../../style/parts/disputes.css";
import "../../style/parts/new-order.css";
import "../../style/screens/forms.css";

/** `/facility/forms`: what orders and studies ask, and what each of these forms asked before. */
export function Screen() {
  const { path, query } = useLocation();
  const studyId = query.study ?? null;
  const isStudy = query.tab === "study" || query.tab === "study-history" || studyId !== null;
  const source = useMemo(() => (isStudy ? studyForm(studyId) : orderForm), [isStudy, studyId]);
  const form = studyId !== null ? "one" : isStudy ? "study" : "order";
  const tabs = [
    { id: "order", label: text.order, href: path },
    { id: "study", label: text.study, href: `${path}?tab=study` },
    ...(studyId === null ? [] : [{ id: "one", label: text.oneStudy, href: `${path}?study=${studyId}` }]),
    { id: "history", label: text.history[form], href: `${path}${source.historySearch}` },
  ];
  const isHistory = query.tab === "history" || query.tab === "study-history";
  return (
    <FormPage key={source.record} source={source}>
      {(builder) => (
        <Tabs label={text.tabs} tabs={tabs} current={isHistory ? "history" : form}>
          <div class="stack">
            {studyId !== null && <OfStudy studyId={studyId} isOwn={builder.saved.value.source === "study"} />}
            {isHistory ? <History builder={builder} /> : <FormBuilder builder={builder} />}
          </div>
        </Tabs>
      )}
    </FormPage>
  );
}

interface PageProps {
  source: Source;
  children: (builder: Builder) => ComponentChildren;
}

function FormPage({ source, children }: PageProps) {
  const builder = useSignal<Builder | null>(null);
  const problem = useSignal<Problem | null>(null);
  const tries = useSignal(0);

  useEffect(() => {
    const stop = new AbortController();
    problem.value = null;
    openBuilder(source, user.value?.id ?? "", stop.signal).then(
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
      {open && children(open)}
    </div>
  );
}

/** Which study it is, and whether studies may have forms of their own. */
function OfStudy({ studyId, isOwn }: { studyId: string; isOwn: boolean }) {
  const study = useResource(
    (signal) =>
      given(api.GET("/api/studies/{study_id}", { params: { path: { study_id: studyId } }, signal })),
    [studyId],
  );
  const title = study.data.value?.study.title;
  return (
    <>
      <p>
        {text.ofStudy} <a href={`/studies/${studyId}`}>{title ?? studyId}</a>
        {!isOwn && `. ${text.ownFirst}`}
      </p>
      {!hasModule("dynamic-studies") && <p class="notice notice-wait">{text.moduleOff}</p>}
    </>
  );
}

function FormBuilder({ builder }: { builder: Builder }) {
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
