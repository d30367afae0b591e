import type { Readiness } from "../../analyses/state";
import { isNoticed } from "../../analyses/version-notices";
import { useList } from "../../api/resource";
import { LinkButton } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { type Column, Table } from "../../parts/table";
import { pipelineText as text } from "../../text/en/pipelines";
import { addressOf, type Installed, readAllReadiness, readInstalled } from "./state";

/** What runs can be made of, and whether it could run now. */
export function InstalledTab() {
  const installed = useList(readInstalled, []);
  const readiness = useList(readAllReadiness, []);
  const problem = readiness.problem.value;
  return (
    <Loaded of={installed}>
      {(pipelines) =>
        pipelines.length === 0 ? (
          <Empty
            title={text.noneInstalled}
            action={<LinkButton href="/facility/pipelines?tab=store">{text.toStore}</LinkButton>}
          >
            {text.noneInstalledWhy}
          </Empty>
        ) : (
          <div class="stack-tight">
            {problem && <p class="muted">{problem.message}</p>}
            <Table
              label={text.title}
              columns={columnsOf(readiness.data.value ?? [])}
              rows={pipelines}
              rowId={({ id }) => id}
            />
          </div>
        )
      }
    </Loaded>
  );
}

function columnsOf(readiness: readonly Readiness[]): Column<Installed>[] {
  return [
    {
      id: "name",
      label: text.pipeline,
      cell: ({ id, name }) => (
        <a class="roomy" href={addressOf(id)}>
          {name}
        </a>
      ),
    },
    { id: "version", label: text.version, cell: ({ version }) => <span class="short">{version}</span> },
    { id: "state", label: text.state, cell: (pipeline) => <StateChip pipeline={pipeline} /> },
    {
      id: "ready",
      label: text.ready,
      cell: ({ id }) => <ReadyChip of={readiness.find((one) => one.id === id)} />,
      isMinor: true,
    },
    {
      id: "says",
      label: text.says,
      cell: (pipeline) => isNoticed(pipeline) && <Chip tone="bad">{text.noticed}</Chip>,
      isMinor: true,
    },
    {
      id: "from",
      label: text.from,
      cell: ({ origin }) => <span class="short">{text.origins[origin]}</span>,
      isMinor: true,
    },
  ];
}

export function StateChip({ pipeline: { enabled, problems } }: { pipeline: Installed }) {
  if (problems.length > 0) return <Chip tone="bad">{text.broken}</Chip>;
  return enabled ? <Chip tone="ok">{text.enabled}</Chip> : <Chip>{text.disabled}</Chip>;
}

function ReadyChip({ of }: { of: Readiness | undefined }) {
  if (of === undefined) return null;
  if (of.ready) return <Chip tone="ok">{text.isReady}</Chip>;
  const missing = of.checks.filter(({ verdict }) => verdict === "fail").length;
  return <Chip tone="wait">{text.lacks(missing)}</Chip>;
}
