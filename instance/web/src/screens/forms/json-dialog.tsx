import { useSignal } from "@preact/signals";
import { Button } from "../../parts/button";
import { saveText } from "../../parts/csv";
import { Dialog } from "../../parts/dialog";
import { TextArea } from "../../parts/field";
import { toast } from "../../parts/toast";
import { isRecord } from "../../questions/form";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import type { Form } from "./form";

/** The form as JSON, out and in. What comes in is looked at by the service before it can be saved. */
export function JsonDialog({ builder }: { builder: Builder }) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button icon="file" onClick={() => (isOpen.value = true)}>
        {text.json}
      </Button>
      {isOpen.value && <Opened builder={builder} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function Opened({ builder, onClose }: { builder: Builder; onClose: () => void }) {
  const typed = useSignal(JSON.stringify(shown(builder), null, 2));
  const error = useSignal<string | undefined>(undefined);
  const take = (): void => {
    const read = readForm(typed.value, builder.form.value);
    if (typeof read === "string") {
      error.value = read;
      return;
    }
    builder.change(read);
    builder.chosen.value = null;
    toast(text.jsonTaken, () => builder.undo());
    onClose();
  };
  return (
    <Dialog
      title={text.jsonTitle}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            icon="download"
            onClick={() =>
              saveText(
                builder.source.isOrder ? "order-form.json" : "study-form.json",
                typed.value,
                "application/json",
              )
            }
          >
            {text.jsonSave}
          </Button>
          <Button look="main" onClick={take}>
            {text.jsonTake}
          </Button>
        </>
      }
    >
      <div class="stack form-json">
        <p>{text.jsonHelp}</p>
        <label class="stack-tight">
          <span class="field-label">{text.jsonFile}</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              void event.currentTarget.files?.[0]?.text().then((words) => (typed.value = words));
            }}
          />
        </label>
        <TextArea
          name="json"
          label={text.json}
          rows={16}
          error={error.value}
          value={typed.value}
          onInput={(words) => {
            typed.value = words;
            error.value = undefined;
          }}
        />
      </div>
    </Dialog>
  );
}

/** What a form is saved with: studies choose among all checklists. */
function shown({ form: { value }, source }: Builder): Partial<Form> {
  return source.isOrder ? value : { fields: value.fields, groups: value.groups };
}

/** Read a form, or say why it is none; without a list of checklists those of the page stay. */
function readForm(words: string, now: Form): Form | string {
  let read: unknown;
  try {
    read = JSON.parse(words);
  } catch {
    return text.jsonNot;
  }
  if (!isRecord(read) || !isList(read.fields) || !isList(read.groups)) return text.jsonNoForm;
  const offered = read.enabledMixsChecklists;
  const enabledMixsChecklists = Array.isArray(offered) ? offered.map(String) : now.enabledMixsChecklists;
  return {
    fields: filled(read.fields, (field) => ({ ...DEFAULTS, label: field.name })),
    groups: filled(read.groups, () => ({ icon: "" })),
    enabledMixsChecklists,
  } as unknown as Form;
}

/** What the service takes for granted of a question. */
const DEFAULTS = { options: [], required: false, visible: true, perSample: false, groupId: null };

type Item = Readonly<Record<string, unknown>>;

function filled(items: readonly Item[], defaults: (item: Item) => Item): Item[] {
  return items.map((item, order) => ({ ...defaults(item), order, ...item }));
}

/** Whether it is a list of things with an id: what else they are the service looks at. */
function isList(value: unknown): value is Item[] {
  return Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.id === "string");
}
