import { useSignal } from "@preact/signals";
import { Sheet } from "../../grid/sheet";
import { Button, LinkButton } from "../../parts/button";
import { saveText, toCsv } from "../../parts/csv";
import { demoRefusal } from "../../session";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";
import { FromFile } from "./from-file";
import { suggestTaxa } from "./requests";
import { ALIAS, ORGANISM, TAX_ID } from "./samples";

/** The samples as a table, and files in and out of it. */
export function SampleSection({ draft }: { draft: Draft }) {
  const isImporting = useSignal(false);
  const id = draft.order.value?.id;
  const template = (): void => {
    const own = [ALIAS, ORGANISM, TAX_ID];
    const keys = draft.columns.map(({ key }) => key);
    const header = [...own.filter((key) => keys.includes(key)), ...keys.filter((key) => !own.includes(key))];
    saveText("samples.csv", toCsv([header]), "text/csv");
  };
  return (
    <>
      <Sheet
        key={`${draft.form.version} ${draft.columns.map(({ key }) => key).join(" ")}`}
        label={text.samples}
        model={draft.grid}
        suggest={(column, typed, signal) =>
          column.kind === "organism" ? suggestTaxa(typed, signal) : Promise.resolve([])
        }
      >
        <Button
          look="quiet"
          icon="upload"
          refusal={demoRefusal.value}
          onClick={() => (isImporting.value = true)}
        >
          {text.fromFile}
        </Button>
        {id !== undefined && (
          <LinkButton
            look="quiet"
            icon="download"
            href={`/api/orders/${id}/samples/export?format=xlsx`}
            download
          >
            {text.exportFile}
          </LinkButton>
        )}
        <Button look="quiet" icon="file" onClick={template}>
          {text.template}
        </Button>
      </Sheet>
      {isImporting.value && <FromFile draft={draft} onClose={() => (isImporting.value = false)} />}
    </>
  );
}
