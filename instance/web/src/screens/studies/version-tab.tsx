import { asProblem, type Resource, useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { ProblemNotice } from "../../parts/problem";
import { Table } from "../../parts/table";
import { toast } from "../../parts/toast";
import { demoRefusal } from "../../session";
import { text } from "../../text/en/studies";
import { count } from "../../text/format";
import { sampleName } from "./columns";
import { type Impact, readChecklist, readStudy, saveStudy } from "./state";
import type { StudyProps } from "./study";
import { changesOf, isBehind, isOut, touchedBy } from "./version-impact";

/** Whether a newer version of the checklist is there, what it would mean here, and moving to it. */
export function VersionTab({
  study,
  checklists,
  of,
  impact,
}: StudyProps & { impact: Resource<Impact | null> }) {
  if (!isBehind(study, checklists)) {
    return <Empty title={text.isNewest(study.mixsVersion)}>{text.isNewestWhy}</Empty>;
  }
  if (impact.problem.value?.status === 404) {
    return <Empty title={text.gone(checklists.version)}>{text.goneWhy}</Empty>;
  }
  return (
    <Loaded of={impact}>
      {(found) => found !== null && <Coming study={study} of={of} impact={found} />}
    </Loaded>
  );
}

function Coming({ study, of, impact }: Pick<StudyProps, "study" | "of"> & { impact: Impact }) {
  const { accession, currentVersion, targetVersion } = impact;
  const labels = useResource(
    async (signal) => {
      if (accession === null) return new Map<string, string>();
      const versions = [currentVersion, targetVersion];
      const both = await Promise.all(versions.map((version) => readChecklist(accession, version, signal)));
      return new Map(
        both.flatMap((one) => one?.fields.map(({ name, label }) => [name, label] as const) ?? []),
      );
    },
    [accession, currentVersion, targetVersion],
  );
  const move = useAction(async () => {
    // Metadata that saved themselves meanwhile are no reason to refuse.
    const now = await readStudy(study.id);
    of.put(await saveStudy(now, { mixsVersion: targetVersion }));
    toast(text.moved(targetVersion), () => void moveBack());
  });
  // The page of the move is gone by then: what went wrong is told where the question was.
  const moveBack = async (): Promise<void> => {
    try {
      of.put(await saveStudy(await readStudy(study.id), { mixsVersion: currentVersion }));
      toast(text.movedBack(currentVersion));
    } catch (error) {
      toast(text.notMovedBack(asProblem(error).message));
    }
  };
  const labelOf = (name: string): string => labels.data.value?.get(name) ?? name;
  const changes = changesOf(impact);
  const touched = touchedBy(impact);
  const nameOf = new Map(study.samples.map((sample) => [sample.id, sampleName(sample)]));
  const problem = move.problem.value;
  return (
    <div class="stack">
      <div class="card spread">
        <div class="stack-tight">
          <h2>{isOut(impact)}</h2>
          <p class="muted">{text.stays(currentVersion)}</p>
        </div>
        <Button
          look="main"
          isBusy={move.isRunning.value}
          refusal={demoRefusal.value}
          onClick={() => void move.run()}
        >
          {text.move(targetVersion)}
        </Button>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      <section class="stack-tight">
        <h2>{text.fields}</h2>
        {changes.length === 0 ? (
          <p class="muted">{text.noFields}</p>
        ) : (
          <Table
            label={text.fields}
            rows={changes}
            rowId={({ field }) => field}
            columns={[
              { id: "field", label: text.field, cell: ({ field }) => labelOf(field) },
              {
                id: "change",
                label: text.change,
                cell: (row) => row.changes.map((change) => text.changes[change]).join(", "),
              },
              { id: "samples", label: text.samples, cell: ({ samples }) => count(samples), isNumber: true },
            ]}
          />
        )}
      </section>
      <section class="stack-tight">
        <h2>{text.touched}</h2>
        {touched.length === 0 ? (
          <p class="muted">{text.noneTouched}</p>
        ) : (
          <Table
            label={text.touchedTable}
            rows={touched}
            rowId={({ id }) => id}
            columns={[
              { id: "sample", label: text.sample, cell: ({ id, sampleId }) => nameOf.get(id) ?? sampleId },
              { id: "missing", label: text.missing, cell: ({ missing }) => missing.map(labelOf).join(", ") },
              {
                id: "wrong",
                label: text.wrong,
                cell: ({ wrong }) => wrong.map(({ field }) => labelOf(field)).join(", "),
                isMinor: true,
              },
              {
                id: "obsolete",
                label: text.obsolete,
                cell: ({ obsolete }) => obsolete.map(labelOf).join(", "),
                isMinor: true,
              },
            ]}
          />
        )}
      </section>
    </div>
  );
}
