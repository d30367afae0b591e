import { useState } from "preact/hooks";
import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { RadioCards } from "../../../parts/choice-fields";
import { Dialog } from "../../../parts/dialog";
import { SelectField } from "../../../parts/field";
import { ProblemNotice } from "../../../parts/problem";
import type { Column } from "../../../parts/table";
import { text as common } from "../../../text/en/common";
import { readsText, artifactText as text, workText } from "../../../text/en/reads";
import { size } from "../../../text/format";
import type { Order } from "../state";
import { type Artifact, changeArtifact, deleteFiles } from "./state";
import { batchesOf } from "./work";
import { FileName, Warning, WorkDialog } from "./work-dialog";

interface ChangeProps {
  order: Order;
  artifact: Artifact;
  onDone: (words: string) => void;
  onClose: () => void;
}

/** What a file is, and who sees it. */
export function ArtifactDialog({ order, artifact, onDone, onClose }: ChangeProps) {
  const { originalName, isDelivered } = artifact;
  const [visibility, setVisibility] = useState<string>(artifact.visibility);
  const [kind, setKind] = useState<string>(artifact.artifactType);
  const [stage, setStage] = useState<string>(artifact.stage);
  const isPublished = order.sequencingFilesPublishedAt !== null;
  const save = useAction(async () => {
    await changeArtifact(order.id, artifact.id, {
      visibility: VISIBILITIES.find((each) => each === visibility) ?? null,
      artifactType: KINDS.find((each) => each === kind) ?? null,
      stage: STAGES.find((each) => each === stage) ?? null,
    });
    onDone(text.changed(originalName));
    onClose();
  });
  const problem = save.problem.value;
  return (
    <Dialog
      title={text.changeOf(originalName)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" isBusy={save.isRunning.value} onClick={() => void save.run()}>
            {common.save}
          </Button>
        </>
      }
    >
      <div class="stack">
        <RadioCards
          name="visibility"
          label={text.seenBy}
          value={visibility}
          choices={VISIBILITIES.map((value) => ({ value, label: text.visibilities[value] }))}
          onInput={setVisibility}
        />
        {isDelivered && visibility === "facility" && <Warning>{text.leavesRelease}</Warning>}
        {isPublished && !isDelivered && visibility === "customer" && <Warning>{text.joinsRelease}</Warning>}
        <SelectField
          name="artifactType"
          label={text.kind}
          value={kind}
          choices={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
          onInput={setKind}
        />
        <SelectField
          name="stage"
          label={text.stage}
          value={stage}
          choices={STAGES.map((value) => ({ value, label: text.stages[value] }))}
          onInput={setStage}
        />
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}

const VISIBILITIES = ["facility", "customer"] as const satisfies readonly Artifact["visibility"][];
const KINDS = [
  "qc_report",
  "multiqc_report",
  "demux_stats",
  "sample_sheet",
  "delivery_report",
  "attachment",
] as const satisfies readonly Artifact["artifactType"][];
const STAGES = [
  "sample_receipt",
  "sequencing",
  "raw_reads",
  "qc",
  "delivery",
] as const satisfies readonly Artifact["stage"][];

interface DeleteProps {
  order: Order;
  artifacts: readonly Artifact[];
  onDone: (words: string) => void;
  onClose: () => void;
}

const COLUMNS: readonly Column<Artifact>[] = [
  {
    id: "file",
    label: text.file,
    cell: ({ originalName }) => <FileName name={originalName} />,
  },
  { id: "kind", label: text.kind, cell: ({ artifactType }) => text.kinds[artifactType] },
  {
    id: "size",
    label: readsText.size,
    isNumber: true,
    cell: (artifact) => (artifact.size === null ? "–" : size(artifact.size)),
  },
];

export function DeleteArtifacts({ order, artifacts, onDone, onClose }: DeleteProps) {
  const delivered = artifacts.filter(({ isDelivered }) => isDelivered).length;
  const bytes = artifacts.reduce((sum, artifact) => sum + (artifact.size ?? 0), 0);
  return (
    <WorkDialog
      title={workText.deleteTitle(artifacts.length)}
      things={artifacts}
      columns={COLUMNS}
      verb={workText.deleteVerb(artifacts.length)}
      isDanger
      typedName={order.orderNumber}
      warnings={[delivered > 0 && workText.losesFiles(delivered)]}
      batches={(things) => batchesOf(things, { things: 50 })}
      act={async (batch) => {
        const refused = await deleteFiles(batch.map(({ path }) => path));
        return new Map(
          batch.flatMap(({ id, path }) => {
            const why = refused.get(path);
            return why === undefined ? [] : [[id, why] as const];
          }),
        );
      }}
      onDone={(done) => onDone(workText.deleteDone(done))}
      onClose={onClose}
    >
      <p>{workText.deleteWhat(artifacts.length, bytes, order.name ?? order.orderNumber)}</p>
    </WorkDialog>
  );
}
