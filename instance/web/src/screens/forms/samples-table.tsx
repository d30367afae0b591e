import { useMemo } from "preact/hooks";
import { GridModel } from "../../grid/model";
import { Sheet } from "../../grid/sheet";
import { newRowId } from "../../grid/table";
import { columnsOf } from "../../questions/sample-columns";
import { text } from "../../text/en/forms";
import type { Form } from "./form";
import { fieldsOf } from "./form";

const ROWS = 3;

/** The table of the samples as a researcher has it, empty. */
export function SamplesTable({ form }: { form: Form }) {
  const perSampleFields = fieldsOf(form, true).filter(({ visible, adminOnly }) => visible && !adminOnly);
  const columns = columnsOf({ perSampleFields, groups: form.groups });
  const model = useMemo(() => {
    const rows = Array.from({ length: ROWS }, () => ({ id: newRowId(), cells: columns.map(() => "") }));
    return new GridModel(columns, rows, navigator.language);
  }, [JSON.stringify(columns)]);
  return (
    <>
      <p class="muted">{text.tableHelp}</p>
      <Sheet key={columns.map(({ key }) => key).join(" ")} label={text.table} model={model} />
    </>
  );
}
