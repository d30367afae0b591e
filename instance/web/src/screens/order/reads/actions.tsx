import { useState } from "preact/hooks";
import { RadioCards } from "../../../parts/choice-fields";
import { TextField } from "../../../parts/field";
import type { Column } from "../../../parts/table";
import { readsText, workText as text } from "../../../text/en/reads";
import { size } from "../../../text/format";
import type { Order } from "../state";
import { changeClass, computeMd5, DATA_CLASSES, type DataClass, deleteFiles, removeFromUse } from "./state";
import { type FileSubject, fileSubjects, type Subject } from "./subjects";
import { batchesOf } from "./work";
import { FileName, WorkDialog } from "./work-dialog";

/** What can be done with reads. */
export type ReadAction = "class" | "md5" | "remove" | "delete";

interface Props {
  action: ReadAction;
  subjects: readonly Subject[];
  order: Order;
  /** Whether the order is released: what is cleaned is the researcher's at once. */
  isPublished: boolean;
  onDone: (words: string) => void;
  onClose: () => void;
}

/** Files of one call: the service takes 50. */
const MOST_FILES = 50;
/** A call that hashes ends before proxies lose their patience. */
const MOST_HASHED = { things: 10, size: 4e9 };

const READ_COLUMNS: readonly Column<Subject>[] = [
  { id: "sample", label: readsText.sample, cell: ({ sample }) => <FileName name={sample} /> },
  { id: "files", label: text.files, cell: ({ files }) => files.map(({ mate }) => mate).join(", ") },
  { id: "class", label: readsText.dataClass, cell: ({ read }) => readsText.classes[read.dataClass] },
  { id: "delivered", label: text.delivered, cell: ({ isDelivered }) => text.isDelivered(isDelivered) },
];

const FILE_COLUMNS: readonly Column<FileSubject>[] = [
  { id: "sample", label: readsText.sample, cell: ({ sample }) => <FileName name={sample} /> },
  { id: "file", label: text.file, cell: ({ file }) => <FileName name={file.name} path={file.path} /> },
  {
    id: "size",
    label: readsText.size,
    isNumber: true,
    cell: ({ file }) => (file.size === null ? "–" : size(file.size)),
  },
  { id: "delivered", label: text.delivered, cell: ({ isDelivered }) => text.isDelivered(isDelivered) },
];

const deliveredOf = (things: readonly { isDelivered: boolean }[]): number =>
  things.filter(({ isDelivered }) => isDelivered).length;

const sumOfSizes = (files: readonly FileSubject[]): number =>
  files.reduce((sum, { file }) => sum + (file.size ?? 0), 0);

const NONE_REFUSED: ReadonlyMap<string, string> = new Map();

export function ActionDialog(props: Props) {
  const Shown = DIALOGS[props.action];
  return <Shown {...props} />;
}

function ClassDialog({ subjects, order, isPublished, onDone, onClose }: Props) {
  const [dataClass, setClass] = useState<DataClass | "">("");
  const [note, setNote] = useState("");
  const delivered = deliveredOf(subjects);
  const gained = subjects.length - delivered;
  return (
    <WorkDialog
      title={text.classTitle(subjects.length)}
      things={subjects}
      columns={READ_COLUMNS}
      verb={text.classVerb}
      refusal={dataClass === "" ? text.chooseClass : null}
      warnings={[
        dataClass !== "" && dataClass !== "cleaned" && delivered > 0 && text.losesReads(delivered),
        dataClass === "cleaned" && isPublished && gained > 0 && text.getsReads(gained),
      ]}
      batches={(things) => things.map((thing) => [thing])}
      act={async ([subject]) => {
        if (subject && dataClass !== "") await changeClass(order.id, subject.id, dataClass, note);
        return NONE_REFUSED;
      }}
      onDone={(done) => onDone(text.classDone(done))}
      onClose={onClose}
    >
      <RadioCards
        name="dataClass"
        label={readsText.dataClass}
        value={dataClass}
        choices={DATA_CLASSES.map((value) => ({
          value,
          label: readsText.classes[value],
          help: text.classMeans[value],
        }))}
        onInput={(value) => setClass(DATA_CLASSES.find((each) => each === value) ?? "")}
      />
      <TextField name="note" label={text.note} help={text.noteHelp} value={note} onInput={setNote} />
    </WorkDialog>
  );
}

function Md5Dialog({ subjects, onDone, onClose }: Props) {
  const files = fileSubjects(subjects);
  return (
    <WorkDialog
      title={text.md5Title(files.length)}
      things={files}
      columns={FILE_COLUMNS}
      verb={text.md5Verb}
      batches={(things) => batchesOf(things, MOST_HASHED, ({ file }) => file.size ?? 0)}
      act={(batch) => computeMd5(batch.map(({ id }) => id))}
      onDone={(done) => onDone(text.md5Done(done))}
      onClose={onClose}
    >
      <p>{text.md5What(sumOfSizes(files))}</p>
    </WorkDialog>
  );
}

function RemoveDialog({ subjects, order, onDone, onClose }: Props) {
  const [note, setNote] = useState("");
  const delivered = deliveredOf(subjects);
  return (
    <WorkDialog
      title={text.removeTitle(subjects.length)}
      things={subjects}
      columns={READ_COLUMNS}
      verb={text.removeVerb}
      warnings={[delivered > 0 && text.losesReads(delivered)]}
      batches={(things) => things.map((thing) => [thing])}
      act={async ([subject]) => {
        const clear = subject?.files.map(({ mate }) => (mate === "R1" ? "file1" : "file2"));
        if (subject && clear) await removeFromUse(order.id, subject.id, clear, note);
        return NONE_REFUSED;
      }}
      onDone={(done) => onDone(text.removeDone(done))}
      onClose={onClose}
    >
      <p>{text.removeWhat}</p>
      <TextField name="note" label={text.note} help={text.noteHelp} value={note} onInput={setNote} />
    </WorkDialog>
  );
}

function DeleteDialog({ subjects, order, onDone, onClose }: Props) {
  const files = fileSubjects(subjects);
  const delivered = deliveredOf(files);
  return (
    <WorkDialog
      title={text.deleteTitle(files.length)}
      things={files}
      columns={FILE_COLUMNS}
      verb={text.deleteVerb(files.length)}
      isDanger
      typedName={order.orderNumber}
      warnings={[delivered > 0 && text.losesFiles(delivered)]}
      batches={(things) => batchesOf(things, { things: MOST_FILES })}
      act={(batch) => deleteFiles(batch.map(({ id }) => id))}
      onDone={(done) => onDone(text.deleteDone(done))}
      onClose={onClose}
    >
      <p>{text.deleteWhat(files.length, sumOfSizes(files), order.name ?? order.orderNumber)}</p>
    </WorkDialog>
  );
}

const DIALOGS = {
  class: ClassDialog,
  md5: Md5Dialog,
  remove: RemoveDialog,
  delete: DeleteDialog,
} as const satisfies Record<ReadAction, (props: Props) => preact.JSX.Element>;
