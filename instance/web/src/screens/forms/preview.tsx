import { useSignal } from "@preact/signals";
import { Button } from "../../parts/button";
import { text } from "../../text/en/forms";
import { addField, addGroup } from "./actions";
import type { Builder } from "./builder";
import { Dropping, type Moves, movesOf } from "./drag";
import { FieldItem } from "./field-item";
import { fieldsOf, groupsOf, laneOf } from "./form";
import { OfferedChecklists } from "./offered-checklists";
import { SamplesTable } from "./samples-table";

/** The form as researchers see it; each of its parts can be chosen and moved. */
export function Preview({ builder }: { builder: Builder }) {
  const status = useSignal("");
  const dragged = useSignal<string | null>(null);
  const moves = movesOf(builder, dragged, (words) => {
    status.value = words;
  });
  const form = builder.form.value;
  const rest = laneOf(form, { groupId: null, perSample: false });
  return (
    <section class="form-preview" aria-label={text.preview}>
      <p class="unseen" role="status">
        {status.value}
      </p>
      {groupsOf(form).map(({ id, name }) => (
        <Questions key={id} builder={builder} moves={moves} groupId={id} name={name} />
      ))}
      {rest.length > 0 && <Questions builder={builder} moves={moves} groupId={null} name={text.noGroup} />}
      <div>
        <Button icon="add" onClick={() => addGroup(builder)}>
          {text.addGroup}
        </Button>
      </div>
      <Columns builder={builder} moves={moves} />
      {builder.source.isOrder && <OfferedChecklists builder={builder} />}
    </section>
  );
}

interface QuestionsProps {
  builder: Builder;
  moves: Moves;
  groupId: string | null;
  name: string;
}

function Questions({ builder, moves, groupId, name }: QuestionsProps) {
  const lane = { groupId, perSample: false };
  const fields = laneOf(builder.form.value, lane);
  return (
    <section class="card stack-tight" aria-label={name}>
      <div class="spread one-row">
        <h2 class="form-group">{name}</h2>
        {groupId !== null && (
          <Button
            look="quiet"
            icon="edit"
            label={text.edit(name)}
            isPressed={builder.chosen.value === groupId}
            onClick={() => (builder.chosen.value = groupId)}
          />
        )}
      </div>
      {fields.length === 0 && <p class="muted">{text.noQuestions}</p>}
      <Dropping moves={moves} lane={lane}>
        {fields.map((field) => (
          <FieldItem key={field.id} builder={builder} moves={moves} field={field} />
        ))}
      </Dropping>
      <div>
        <Button
          look="quiet"
          icon="add"
          label={text.addQuestionTo(name)}
          onClick={() => addField(builder, lane)}
        >
          {text.addQuestion}
        </Button>
      </div>
    </section>
  );
}

function Columns({ builder, moves }: { builder: Builder; moves: Moves }) {
  const form = builder.form.value;
  const fields = fieldsOf(form, true);
  const last = fields.at(-1)?.groupId ?? groupsOf(form).at(-1)?.id ?? null;
  const lane = { groupId: last, perSample: true };
  return (
    <section class="card stack-tight" aria-label={text.samples}>
      <h2 class="form-group">{text.samples}</h2>
      {fields.length === 0 && <p class="muted">{text.noColumns}</p>}
      <Dropping moves={moves} lane={lane}>
        {fields.map((field) => (
          <FieldItem key={field.id} builder={builder} moves={moves} field={field} />
        ))}
      </Dropping>
      <div>
        <Button look="quiet" icon="add" onClick={() => addField(builder, lane)}>
          {text.addColumn}
        </Button>
      </div>
      {fields.length > 0 && <SamplesTable form={form} />}
    </section>
  );
}
