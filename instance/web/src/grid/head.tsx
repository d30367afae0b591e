import { text } from "../text/en/grid";
import type { Column } from "./table";

/** The names of the columns as the form's labels; unit, help and what is required stand beside them. */
export function GridHead({ columns }: { columns: readonly Column[] }) {
  return (
    <div role="rowgroup" class="grid-head" data-grouped={columns.some(({ group }) => group) || undefined}>
      <div role="row" class="grid-row" aria-rowindex={1}>
        <div role="columnheader" class="grid-number" aria-colindex={1} data-corner>
          <span class="unseen">{text.row}</span>
        </div>
        {columns.map((column, index) => (
          <div
            key={column.key}
            role="columnheader"
            class="grid-column"
            aria-colindex={index + 2}
            aria-label={column.label}
            aria-description={column.help}
            title={column.help}
            data-header={index}
          >
            {column.group !== undefined && <span class="grid-group">{column.group}</span>}
            <span class="grid-label">{column.label}</span>
            {column.unit !== undefined && <span class="muted">{column.unit}</span>}
            {column.required && (
              <span class="grid-required" aria-hidden="true">
                *
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
