import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { Waiting } from "../../parts/loading";
import { OutOfReach } from "../../parts/out-of-reach";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { type FormField, isAnswered, keyOf, questionsOf } from "../../questions/form";
import { FormChanged } from "../../questions/form-changed";
import { user } from "../../session";
import { text } from "../../text/en/new-order";
import { CheckSection, focusTable, SAMPLES } from "./check-section";
import { ChecklistSection } from "./checklist-section";
import { Conflicts } from "./conflicts";
import type { Draft } from "./draft";
import { leaveDraft, openDraft } from "./open";
import { Questions } from "./questions";
import { SampleSection } from "./sample-section";
import { SavedStatus } from "./saved-status";
import { Section, type SectionState, Sections } from "./sections";
import "../../style/parts/disputes.css";
import "../../style/parts/new-order.css";

/** `/orders/new`, and with `?order=` the same form for a draft that exists. */
export function Screen() {
  const { query } = useLocation();
  const address = query.order ?? null;
  const draft = useSignal<Draft | null>(null);
  const problem = useSignal<Problem | null>(null);
  const timesBegun = useSignal(0);

  useEffect(() => {
    const open = draft.value;
    const stop = new AbortController();
    if (open !== null) leaveDraft(open);
    draft.value = null;
    problem.value = null;
    // WHY: a new address of the router would draw the page anew, and whoever types would lose the focus.
    const follow = (number: string): void => history.replaceState(null, "", `/orders/new?order=${number}`);
    const onForm = (next: Draft): void => {
      // The table of another form is another one.
      const wasInTable = document.querySelector(`#${SAMPLES} ~ * [role="grid"]:focus`) !== null;
      draft.value = next;
      if (wasInTable) requestAnimationFrame(focusTable);
    };
    openDraft(address, user.value?.id ?? "", { onNumber: follow, onForm }, stop.signal).then(
      (opened) => {
        if (stop.signal.aborted) leaveDraft(opened);
        else draft.value = opened;
      },
      (error) => {
        if (!stop.signal.aborted) problem.value = asProblem(error);
      },
    );
    return () => {
      if (draft.value === null) stop.abort();
    };
  }, [address, timesBegun.value]);
  // WHY: the router doesn't know the number in the address, so that a link to a new order is no news to it.
  useEffect(() => {
    const beginAnew = (): void => {
      const isStored = address === null && (draft.value?.order.value ?? null) !== null;
      if (isStored && `${location.pathname}${location.search}` === "/orders/new") timesBegun.value += 1;
    };
    addEventListener("click", beginAnew);
    return () => removeEventListener("click", beginAnew);
  }, [address]);
  useEffect(() => () => void (draft.value !== null && leaveDraft(draft.value)), []);

  if (problem.value?.isOutOfReach) return <OutOfReach />;
  if (problem.value) {
    return (
      <div class="stack">
        <PageHead title={text.title} />
        <ProblemNotice problem={problem.value} onTryAgain={() => location.reload()} />
      </div>
    );
  }
  if (draft.value === null) {
    return (
      <div class="stack">
        <PageHead title={text.title} />
        <Waiting lines={6} />
      </div>
    );
  }
  return draft.value.isDraft ? <OrderForm draft={draft.value} /> : <Submitted draft={draft.value} />;
}

function Submitted({ draft }: { draft: Draft }) {
  return (
    <div class="stack">
      <PageHead title={draft.order.value?.name ?? text.title} />
      <p>{text.notDraft}</p>
      <div>
        <LinkButton href={`/orders/${draft.order.value?.orderNumber}`}>{text.seeOrder}</LinkButton>
      </div>
    </div>
  );
}

function isPlatform({ type, systemKey }: FormField): boolean {
  return type === "sequencing-tech" || systemKey === "platform";
}

function OrderForm({ draft }: { draft: Draft }) {
  const groups = questionsOf(draft.form);
  const isMain = (group: (typeof groups)[number]): boolean => group.fields.some(isPlatform);
  const name = groups.flatMap(({ fields }) => fields).filter(({ systemKey }) => systemKey === "name");
  const main = [
    {
      name: "",
      fields: [
        ...name,
        ...groups.filter(isMain).flatMap(({ fields }) => fields.filter((field) => !name.includes(field))),
      ],
    },
  ];
  const rest = groups
    .filter((group) => !isMain(group))
    .map((group) => ({ ...group, fields: group.fields.filter((field) => !name.includes(field)) }))
    .filter(({ fields }) => fields.length > 0);
  const answers = draft.answers.value;
  const stateOf = (fields: (typeof rest)[number]["fields"]): SectionState => {
    const asked = fields.filter(({ required }) => required);
    const counted = asked.length > 0 ? asked : fields;
    const filled = counted.filter((field) => isAnswered(answers[keyOf(field)]));
    return (asked.length > 0 ? filled.length === counted.length : filled.length > 0) ? "done" : "open";
  };
  const hasChecklists = draft.form.enabledMixsChecklists.length > 0;
  const sections = [
    { id: "what", title: text.what, state: stateOf(main.flatMap(({ fields }) => fields.filter(isPlatform))) },
    ...(rest.length > 0
      ? [{ id: "more", title: text.more, state: stateOf(rest.flatMap(({ fields }) => fields)) }]
      : []),
    {
      id: "samples",
      title: text.samples,
      state:
        draft.grid.filled.value > 0 && draft.grid.problems.value.size === 0
          ? ("done" as const)
          : ("open" as const),
    },
    ...(hasChecklists
      ? [
          {
            id: "checklist",
            title: text.checklist,
            state: draft.checklists.value.length > 0 ? ("done" as const) : ("open" as const),
          },
        ]
      : []),
    {
      id: "submit",
      title: text.submit,
      state: draft.check.value?.ready ? ("done" as const) : ("open" as const),
    },
  ];
  const number = draft.order.value?.orderNumber;
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        crumbs={[{ label: text.orders, href: "/orders" }]}
        here={number === undefined ? undefined : <code>{number}</code>}
        aside={<SavedStatus draft={draft} />}
      />
      {draft.problem.value && (
        <ProblemNotice problem={draft.problem.value} onTryAgain={() => void draft.flush().catch(() => {})} />
      )}
      <FormChanged
        news={draft.formNews.value}
        setAside={draft.setAside.value}
        onRead={(left) => draft.readNews(left)}
      />
      <Conflicts draft={draft} />
      <div class="new-order">
        <Sections sections={sections} />
        <div class="stack new-order-sections">
          <Section id="what" title={text.what}>
            <Questions draft={draft} groups={main} />
          </Section>
          {rest.length > 0 && (
            <Section id="more" title={text.more}>
              <Questions draft={draft} groups={rest} />
            </Section>
          )}
          <Section id="samples" title={text.samples} isWide>
            <SampleSection draft={draft} />
          </Section>
          {hasChecklists && (
            <Section id="checklist" title={text.checklist}>
              <ChecklistSection draft={draft} />
            </Section>
          )}
          <Section id="submit" title={text.submit}>
            <CheckSection draft={draft} />
          </Section>
        </div>
      </div>
    </div>
  );
}
