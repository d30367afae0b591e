import { SelectField } from "../../parts/field";
import { text } from "../../text/en/studies";
import type { MetadataSheet } from "./metadata";

/** What the column of the active cell asks for, and its unit where it may be chosen. */
export function ColumnHelp({ sheet }: { sheet: MetadataSheet }) {
  const field = sheet.fieldAt(sheet.grid.value.selection.value.focus.column);
  if (field === undefined) return null;
  const { column, units } = field;
  const inUse = sheet.unitsOf(field);
  return (
    <section class="card stack-tight column-help" aria-label={text.column}>
      <div class="line">
        <h2>{column.label}</h2>
        <span class="muted">{column.group}</span>
      </div>
      {column.help && <p>{column.help}</p>}
      {units.length > 1 && (
        <SelectField
          name="unit"
          label={text.unit}
          choices={units.map((unit) => ({ value: unit, label: unit }))}
          help={text.unitOfAll}
          none={inUse.length > 1 ? text.unitsDiffer(inUse) : undefined}
          value={inUse.length > 1 ? "" : (inUse[0] ?? "")}
          onInput={(unit) => unit !== "" && sheet.chooseUnit(field, unit)}
        />
      )}
    </section>
  );
}
