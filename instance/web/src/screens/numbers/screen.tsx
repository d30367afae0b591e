import "../../style/screens/numbers.css";
import { useLocation } from "preact-iso";
import { useAction, useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button, LinkButton } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { Icon } from "../../parts/icon";
import { Loaded } from "../../parts/loading";
import { Menu } from "../../parts/menu";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { numbersText as text } from "../../text/en/numbers";
import { Definitions } from "./definitions";
import { Months } from "./months";
import { ByDepartment, ByPlatform, Totals } from "./output-tables";
import { type Numbers, readNumbers, yearOf } from "./state";
import { RunsTable, StorageTables, TurnaroundTable } from "./work-tables";

/** Visitors of a demonstration are not told the numbers of the facility. */
export function Screen() {
  if (demoRefusal.value === null) return <YearOfNumbers />;
  return (
    <div class="stack">
      <PageHead title={text.title} />
      <DemoNote />
    </div>
  );
}

function YearOfNumbers() {
  const { query } = useLocation();
  const year = yearOf(query.year);
  const numbers = useList((signal) => readNumbers(year, false, signal), [year]);
  const counting = useAction(async () => numbers.put(await readNumbers(year, true)));
  const shown = numbers.data.value;
  const problem = counting.problem.value;
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        facts={[text.zone]}
        actions={
          shown && (
            <div class="line numbers-actions">
              <YearMenu numbers={shown} />
              <Button icon="again" isBusy={counting.isRunning.value} onClick={() => void counting.run()}>
                {text.countNow}
              </Button>
              <LinkButton
                icon="download"
                label={text.savesCsv(shown.year)}
                href={`/api/admin/numbers.csv?year=${shown.year}`}
                download
              >
                {text.csv}
              </LinkButton>
            </div>
          )
        }
      />
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={numbers}>{(found) => <Year key={found.year} numbers={found} />}</Loaded>
    </div>
  );
}

function YearMenu({ numbers }: { numbers: Numbers }) {
  const { path, query } = useLocation();
  const items = numbers.years.toReversed().map((year) => ({
    label: String(year),
    isChosen: year === numbers.year,
    href: addressWith(path, query, { year: String(year) }),
  }));
  return (
    <Menu label={text.yearOf(numbers.year)} groups={[{ items }]}>
      {text.yearOf(numbers.year)}
      <Icon name="down" />
    </Menu>
  );
}

function Year({ numbers }: { numbers: Numbers }) {
  if (numbers.months.length === 0) {
    return (
      <>
        <Empty title={text.nothing(numbers.year)}>{text.nothingWhy}</Empty>
        <Definitions definitions={numbers.definitions} />
      </>
    );
  }
  return (
    <>
      <Totals numbers={numbers} />
      <Months months={numbers.months} />
      {numbers.platforms.length > 0 && (
        <>
          <ByPlatform platforms={numbers.platforms} />
          <ByDepartment departments={numbers.departments} />
        </>
      )}
      <TurnaroundTable turnaround={numbers.turnaround} />
      <RunsTable runs={numbers.runs} />
      <StorageTables storage={numbers.storage} />
      <Definitions definitions={numbers.definitions} />
    </>
  );
}
