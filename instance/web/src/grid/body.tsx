import { useComputed } from "@preact/signals";
import type { GridModel } from "./model";
import { GridRow } from "./row";
import { areaOf } from "./selection";
import { isBlank } from "./table";
import type { Window } from "./window";

interface Props {
  id: string;
  model: GridModel;
  window: Window;
  rowHeight: number;
}

/** The rows that are seen, at their place in a body as high as all of them. */
export function GridBody({ id, model, window, rowHeight }: Props) {
  const shown = model.shown.value;
  const rows = model.rows.value;
  const columns = model.columns.value;
  const problems = model.problems.value;
  const area = useComputed(() => areaOf(model.selection.value)).value;
  const { focus } = model.selection.value;
  const size = {
    blockSize: `${shown.length * rowHeight}px`,
    paddingBlockStart: `${window.first * rowHeight}px`,
  };
  return (
    <div role="rowgroup" class="grid-body" style={size}>
      {shown.slice(window.first, window.end).map((index, offset) => {
        const row = rows[index];
        if (row === undefined) return null;
        const place = window.first + offset;
        const isIn = place >= area.top && place <= Math.max(area.bottom, model.filling.value ?? 0);
        return (
          <GridRow
            key={row.id}
            grid={id}
            columns={columns}
            row={row}
            place={place}
            number={index + 1}
            problems={problems.get(row.id)}
            left={isIn ? area.left : -1}
            right={isIn ? area.right : -2}
            active={place === focus.row ? focus.column : -1}
            isBlank={isBlank(row)}
          />
        );
      })}
    </div>
  );
}
