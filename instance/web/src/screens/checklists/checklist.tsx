import { useLocation, useRoute } from "preact-iso";
import { useAction, useList, useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { SelectField } from "../../parts/field";
import { Loaded } from "../../parts/loading";
import { OutOfReach } from "../../parts/out-of-reach";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { checklistText as text } from "../../text/en/checklists";
import { StateChip } from "./checklist-table";
import { Fields } from "./fields";
import { LIST } from "./rules";
import { type Listed, readChecklist, readOverview, setAvailable } from "./state";

/** One checklist: whether it is offered, and what it asks for in each version that is kept. */
export function Screen() {
  const { params } = useRoute();
  const accession = params.accession ?? "";
  const overview = useResource(readOverview, [accession]);
  return (
    <Loaded of={overview} pageTitle={accession}>
      {({ checklists, version, versions }) => {
        const listed = checklists.find((one) => one.accession === accession);
        if (listed === undefined) return <OutOfReach />;
        return (
          <div class="stack">
            <Head of={listed} version={version} onChange={overview.reload} />
            <p>{listed.description}</p>
            <AsOf accession={accession} active={version} versions={versions} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Head({ of, version, onChange }: { of: Listed; version: number; onChange: () => Promise<void> }) {
  const { accession, name, available, fieldCount, mandatoryCount, studies } = of;
  const switching = useAction(async () => {
    await setAvailable(accession, !available);
    await onChange();
  });
  const problem = switching.problem.value;
  return (
    <>
      <PageHead
        title={name}
        crumbs={[{ label: text.title, href: LIST }]}
        here={<code>{accession}</code>}
        facts={[
          <StateChip key="state" of={of} />,
          text.activeVersion(version),
          text.fieldsOf(fieldCount, mandatoryCount),
          <a key="studies" href="/studies">
            {text.toStudies(studies)}
          </a>,
        ]}
        actions={
          <Button
            refusal={demoRefusal.value}
            isBusy={switching.isRunning.value}
            onClick={() => void switching.run()}
          >
            {available ? text.switchOff : text.switchOn}
          </Button>
        }
      />
      <DemoNote />
      <div role="status">{!available && <p class="notice notice-wait">{text.isOff}</p>}</div>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}

interface AsOfProps {
  accession: string;
  active: number;
  versions: readonly number[];
}

/** What it asks for in the version that the address names. */
function AsOf({ accession, active, versions }: AsOfProps) {
  const { path, query, route } = useLocation();
  const version = versions.find((one) => String(one) === query.version) ?? active;
  const definition = useList(
    async (signal) => ({ version, checklist: await readChecklist(accession, version, signal) }),
    [accession, version],
  );
  const isMissing = definition.problem.value?.status === 404;
  return (
    <>
      {versions.length > 1 && (
        <div class="narrow">
          <SelectField
            name="version"
            label={text.asOf}
            value={String(version)}
            choices={versions.toReversed().map((one) => ({ value: String(one), label: text.version(one) }))}
            onInput={(chosen) =>
              route(addressWith(path, query, { version: chosen === String(active) ? null : chosen }), true)
            }
          />
        </div>
      )}
      {isMissing ? (
        <Empty title={text.notInVersion(version)} />
      ) : (
        <Loaded of={definition}>{({ checklist }) => <Fields of={checklist} />}</Loaded>
      )}
    </>
  );
}
