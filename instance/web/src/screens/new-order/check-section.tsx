import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { at } from "../../grid/selection";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { DemoNote } from "../../parts/demo-note";
import { fieldId } from "../../parts/field";
import { ProblemNotice } from "../../parts/problem";
import { pathOf } from "../../questions/form";
import { demoRefusal } from "../../session";
import { text as grid } from "../../text/en/grid";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";
import type { CheckProblem } from "./requests";
import { columnOfProblem } from "./samples";

const MAX_SHOWN = 50;
/** The heading of the samples, where the grid stands. */
export const SAMPLES = "samples";

/** What is still missing, each with the way to its cell; then the order is sent off. */
export function CheckSection({ draft }: { draft: Draft }) {
  const { route } = useLocation();
  const check = useAction(() => draft.runCheck());
  const submit = useAction(async () => {
    const order = await draft.submit();
    route(`/orders/${order.orderNumber}`);
  });
  const isBusy = check.isRunning.value || submit.isRunning.value;
  const problem = submit.problem.value ?? check.problem.value;
  const result = draft.check.value;
  return (
    <div class="stack">
      <DemoNote />
      <div class="line">
        <Button isBusy={isBusy} refusal={demoRefusal.value} onClick={() => void check.run()}>
          {text.check}
        </Button>
        <Button look="main" isBusy={isBusy} refusal={demoRefusal.value} onClick={() => void submit.run()}>
          {text.submitOrder}
        </Button>
      </div>
      <section aria-label={text.checkResult} aria-live="polite">
        {result !== null && <Result draft={draft} problems={result.problems} isReady={result.ready} />}
      </section>
      {problem !== null && result === null && <ProblemNotice problem={problem} />}
    </div>
  );
}

interface ResultProps {
  draft: Draft;
  problems: readonly CheckProblem[];
  isReady: boolean;
}

function Result({ draft, problems, isReady }: ResultProps) {
  const samples = draft.grid.filled.value;
  const errors = problems.filter(({ level }) => level === "ERROR");
  const warnings = problems.filter(({ level }) => level === "WARNING");
  const notSent = draft.samples.notSent();
  return (
    <div class="stack-tight">
      <p>
        {isReady && notSent.length === 0 ? (
          <Chip tone="ok">{text.nothingMissing(samples)}</Chip>
        ) : (
          <Chip tone="bad">{text.missing(samples, errors.length + notSent.length)}</Chip>
        )}
      </p>
      <ProblemList draft={draft} problems={errors} />
      {notSent.length > 0 && (
        <ul class="error-list">
          {notSent.slice(0, MAX_SHOWN).map((cell) => (
            <li key={`${cell.row} ${cell.column}`}>
              <CellLink draft={draft} {...cell} />
            </li>
          ))}
          {notSent.length > MAX_SHOWN && (
            <li class="muted">{text.moreProblems(notSent.length - MAX_SHOWN)}</li>
          )}
        </ul>
      )}
      {warnings.length > 0 && <h3>{text.mayBe}</h3>}
      <ProblemList draft={draft} problems={warnings} />
    </div>
  );
}

function ProblemList({ draft, problems }: { draft: Draft; problems: readonly CheckProblem[] }) {
  return (
    <ul class="error-list">
      {problems.slice(0, MAX_SHOWN).map((problem) => (
        <li key={`${problem.sampleId} ${problem.field} ${problem.message}`}>
          <ProblemLink draft={draft} problem={problem} />
        </li>
      ))}
      {problems.length > MAX_SHOWN && <li class="muted">{text.moreProblems(problems.length - MAX_SHOWN)}</li>}
    </ul>
  );
}

export function focusTable(): HTMLElement | null {
  const table = document.querySelector<HTMLElement>(`#${SAMPLES} ~ * [role="grid"]`);
  table?.focus();
  return table;
}

/** Bring the table of samples into sight, with the focus in its active cell. */
function goToGrid(event: MouseEvent): void {
  event.preventDefault();
  focusTable()?.scrollIntoView({ block: "center" });
}

interface CellLinkProps {
  draft: Draft;
  row: number;
  column: number;
  message: string;
}

function CellLink({ draft, row, column, message }: CellLinkProps) {
  const go = (event: MouseEvent): void => {
    draft.grid.filter.value = null;
    draft.grid.select(at({ row, column }));
    goToGrid(event);
  };
  return (
    <a href={`#${SAMPLES}`} onClick={go}>
      {grid.place(row + 1, draft.columns[column]?.label ?? "")}: {message}
    </a>
  );
}

function ProblemLink({ draft, problem }: { draft: Draft; problem: CheckProblem }) {
  const { sampleId, field, message } = problem;
  const row = sampleId === null ? null : draft.samples.rowNumber(sampleId);
  if (row !== null) {
    const key = columnOfProblem(field ?? "", draft.form);
    const label = draft.columns.find((column) => column.key === key)?.label ?? field ?? "";
    const go = (event: MouseEvent): void => {
      draft.samples.goTo(problem);
      goToGrid(event);
    };
    return (
      <a href={`#${SAMPLES}`} onClick={go}>
        {grid.place(row, label)}: {message}
      </a>
    );
  }
  const asked = draft.form.fields.find((one) => one.name === field && !one.perSample);
  if (asked === undefined) return <>{field === null ? message : `${field}: ${message}`}</>;
  const id = fieldId(pathOf(asked));
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(id)?.focus();
      }}
    >
      {asked.label}: {message}
    </a>
  );
}
