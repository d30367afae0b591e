import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Resource, useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { useColumns } from "../../../parts/column-choice";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { Pager } from "../../../parts/pager";
import { ProblemNotice } from "../../../parts/problem";
import { SaveList } from "../../../parts/saved-list";
import { Table } from "../../../parts/table";
import { readsText as text } from "../../../text/en/reads";
import type { Order } from "../state";
import type { ReadAction } from "./actions";
import { columnsOf, labelOf, type ReadsColumn } from "./columns";
import { Filters } from "./filters";
import { SelectionBar } from "./selection-bar";
import { PAGE_SIZE, type Page, type Row, readAll, type Wanted } from "./state";
import { type Subject, subjectsOf } from "./subjects";

interface Props {
  order: Order;
  list: Resource<Page>;
  wanted: Wanted;
  page: number;
  /** What was done last, in words, and how often something was. */
  status: string;
  actionCount: number;
  onChange: (changes: Record<string, string | null>) => void;
  onAction: (action: ReadAction, subjects: readonly Subject[]) => void;
}

/** One page of the samples with their reads, narrowed by the address, and what is done with those that are chosen. */
export function ReadsTable({ order, list, wanted, page, status, actionCount, onChange, onAction }: Props) {
  const { path, query } = useLocation();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map());
  const { shown, menu } = useColumns("reads", columnsOf(path, query));
  const choose = (rows: readonly Row[], isOn: boolean): void => {
    const next = new Map(chosen);
    for (const row of rows) isOn ? next.set(row.id, row) : next.delete(row.id);
    setChosen(next);
  };
  const all = useAction(async () => choose(await readAll(order.id, wanted), true));
  const rows = list.data.value?.samples ?? [];
  // What is shown is newer than what was chosen.
  const fresh = new Map(rows.map((row) => [row.id, row]));
  // What is chosen on other pages is read again after it was changed.
  const refresh = useAction(async () => {
    const now = new Map((await readAll(order.id, {})).map((row) => [row.id, row]));
    setChosen(new Map([...chosen.keys()].map((id) => [id, now.get(id)] as const).filter(isThere)));
  });
  useEffect(() => {
    const isElsewhere = [...chosen.keys()].some((id) => !fresh.has(id));
    if (actionCount > 0 && isElsewhere) void refresh.run();
  }, [actionCount]);
  const problem = all.problem.value ?? refresh.problem.value;
  const chosenRows = [...chosen.values()].map((row) => fresh.get(row.id) ?? row);
  const subjects = subjectsOf(chosenRows);
  return (
    <div class="stack-tight reads-table">
      <Filters wanted={wanted} onChange={onChange}>
        {menu}
        <SaveList file={`${order.orderNumber}-reads.csv`} columns={shown} rows={rows} />
      </Filters>
      {chosen.size > 0 && (
        <SelectionBar
          chosen={chosen.size}
          subjects={subjects}
          onAction={(action) => onAction(action, subjects)}
          onNone={() => setChosen(new Map())}
        />
      )}
      <p class="muted" role="status">
        {status}
      </p>
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={list}>
        {({ samples, total = samples.length }) =>
          samples.length === 0 ? (
            <Empty
              title={text.noneFits}
              action={total > 0 && <Button onClick={() => onChange({ page: null })}>{text.firstPage}</Button>}
            />
          ) : (
            <>
              <div class="line">
                <label class="check">
                  <input
                    type="checkbox"
                    checked={samples.every(({ id }) => chosen.has(id))}
                    onChange={(event) => choose(samples, event.currentTarget.checked)}
                  />
                  {text.chooseShown}
                </label>
                {total > samples.length && (
                  <Button look="quiet" isBusy={all.isRunning.value} onClick={() => void all.run()}>
                    {text.chooseAll(total)}
                  </Button>
                )}
              </div>
              <Table
                key={page}
                label={text.table}
                columns={[chooseColumn(chosen, choose), ...shown]}
                rows={samples}
                rowId={({ id }) => id}
                selected={new Set(chosen.keys())}
              />
              <Pager
                page={page}
                pageSize={PAGE_SIZE}
                total={total}
                onPage={(next) => onChange({ page: next === 1 ? null : String(next) })}
              />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

const isThere = (entry: readonly [string, Row | undefined]): entry is [string, Row] => entry[1] !== undefined;

function chooseColumn(
  chosen: ReadonlyMap<string, Row>,
  choose: (rows: readonly Row[], isOn: boolean) => void,
): ReadsColumn {
  return {
    id: "choose",
    label: text.chosenColumn,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={text.choose(labelOf(row))}
        checked={chosen.has(row.id)}
        onChange={(event) => choose([row], event.currentTarget.checked)}
      />
    ),
  };
}
