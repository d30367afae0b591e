import "../../style/screens/studies.css";
import { useMemo, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { kept } from "../../api/kept";
import { fieldErrors } from "../../api/problem";
import { action, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { ErrorSummary } from "../../parts/error-summary";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { FormChanged } from "../../questions/form-changed";
import type { SetAside } from "../../questions/set-aside";
import { demoRefusal, user } from "../../session";
import { text } from "../../text/en/studies";
import { labelsOfQuestions, useCurrentForm } from "./current-form";
import { DetailFields, type Details, labelsOf, NOTHING } from "./details";
import { fitted, isKeptStudy, leftOf } from "./kept-study";
import { OrderChoice } from "./order-choice";
import { metadataOf } from "./questions";
import {
  addSamplesOf,
  type Checklists,
  createStudy,
  readChecklists,
  readForm,
  type Study,
  type StudyForm,
} from "./state";

export function Screen() {
  const asked = useResource(async (signal) => {
    const [form, checklists] = await Promise.all([readForm(null, signal), readChecklists(signal)]);
    return { form, checklists };
  }, []);
  return (
    <div class="stack narrow">
      <PageHead title={text.newStudy} crumbs={[{ label: text.studies, href: "/studies" }]} />
      <Loaded of={asked}>{({ form, checklists }) => <Fields form={form} checklists={checklists} />}</Loaded>
    </div>
  );
}

function Fields({ form, checklists }: { form: StudyForm; checklists: Checklists }) {
  const { query, route } = useLocation();
  const store = useMemo(() => kept(user.value?.id ?? "", "study:new", isKeptStudy), []);
  const before = useMemo(() => store.read()?.value, []);
  const [details, setDetails] = useState<Details>(() => (before ? fitted(before, form) : NOTHING));
  const newest = useRef(details);
  newest.current = details;
  const asked = useCurrentForm(form, null, before && leftOf(before, form));
  const keep = (details: Details): boolean =>
    store.write({ details, labels: labelsOfQuestions(asked.form.value), setAside: asked.setAside.value });
  const type = (typed: Details): void => {
    setDetails(typed);
    keep(typed);
  };
  const read = (left: readonly SetAside[]): void => {
    asked.read(left);
    keep(newest.current);
  };
  const [orders, setOrders] = useState<ReadonlySet<string>>(new Set(query.order ? [query.order] : []));
  const create = useMemo(() => {
    // A study that was made before its samples were refused is not made again.
    let made: Study | null = null;
    return action(async (wanted: Details, chosen: ReadonlySet<string>) => {
      // Somebody looks at what is asked now before it is saved.
      if (made === null && (await asked.hasChanged(() => newest.current.metadata))) {
        keep(newest.current);
        setDetails((now) => ({ ...now, metadata: asked.fitting(now.metadata) }));
        return;
      }
      made ??= await createStudy({ ...wanted, metadata: metadataOf(asked.form.value, wanted.metadata) });
      await addSamplesOf(made.id, chosen);
      store.forget();
      route(`/studies/${made.id}?tab=${wanted.checklistType === "" ? "samples" : "metadata"}`);
    });
  }, [form, store]);
  const problem = create.problem.value;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void create.run(details, orders);
      }}
    >
      <ErrorSummary problem={problem} labels={labelsOf(asked.form.value)} />
      <FormChanged news={asked.news.value} setAside={asked.setAside.value} onRead={read} />
      <DetailFields
        form={asked.form.value}
        checklists={checklists}
        details={details}
        errors={fieldErrors(problem)}
        onChange={type}
      />
      <OrderChoice chosen={orders} onChange={setOrders} />
      <DemoNote />
      <div>
        <Button look="main" type="submit" isBusy={create.isRunning.value} refusal={demoRefusal.value}>
          {text.create}
        </Button>
      </div>
    </form>
  );
}
