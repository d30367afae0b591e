import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { useKeptText } from "../../kept-text";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { DemoNote } from "../../parts/demo-note";
import { Empty } from "../../parts/empty";
import { SelectField, TextArea } from "../../parts/field";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { demoRefusal, isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { addNote, type Order } from "./state";

interface Props {
  order: Order;
  onChange: () => Promise<void>;
}

export function NotesTab({ order, onChange }: Props) {
  return (
    <div class="with-side">
      {order.notes.length === 0 ? (
        <Empty title={text.noNotes}>{text.noNotesWhy}</Empty>
      ) : (
        <ol class="card notes">
          {order.notes.map((note) => (
            <li key={note.id} class="stack-tight">
              <p class="note-text">{note.content}</p>
              <p class="muted line">
                <Chip tone={note.noteType === "INTERNAL" ? "wait" : "calm"}>
                  {text.noteKind[note.noteType]}
                </Chip>
                <span>{note.user ? `${note.user.firstName} ${note.user.lastName}` : text.service}</span>
                <Time at={note.createdAt} />
              </p>
            </li>
          ))}
        </ol>
      )}
      {order.status !== "DRAFT" && <NewNote order={order} onChange={onChange} />}
    </div>
  );
}

/** Who writes a note: the facility for itself or about the samples, a researcher about the samples. */
function NewNote({ order, onChange }: Props) {
  const kinds = isAdmin.value ? (["INTERNAL", "SAMPLES_SENT"] as const) : (["SAMPLES_SENT"] as const);
  const [kind, setKind] = useState<(typeof kinds)[number]>(kinds[0]);
  const [content, type] = useKeptText(`note:${order.id}`);
  const add = useAction(async (noteType: (typeof kinds)[number], words: string) => {
    await addNote(order.id, noteType, words);
    type("");
    await onChange();
  });
  const problem = add.problem.value;
  return (
    <form
      class="card stack"
      aria-label={text.addNote}
      onSubmit={(event) => {
        event.preventDefault();
        void add.run(kind, content.trim());
      }}
    >
      {kinds.length > 1 && (
        <SelectField
          name="noteType"
          label={text.noteAbout}
          value={kind}
          choices={kinds.map((value) => ({ value, label: text.noteKind[value] }))}
          onInput={(value) => setKind(kinds.find((known) => known === value) ?? kinds[0])}
        />
      )}
      <TextArea
        name="content"
        label={kinds.length > 1 ? text.note : text.noteKind.SAMPLES_SENT}
        help={kinds.length > 1 ? undefined : text.sentHint}
        value={content}
        onInput={type}
        rows={4}
        required
      />
      {problem && <ProblemNotice problem={problem} />}
      <DemoNote />
      <div>
        <Button
          type="submit"
          isBusy={add.isRunning.value}
          refusal={demoRefusal.value ?? (content.trim() === "" ? text.writeFirst : null)}
        >
          {text.addNote}
        </Button>
      </div>
    </form>
  );
}
