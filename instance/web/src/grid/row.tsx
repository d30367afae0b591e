import { Component } from "preact";
import { text } from "../text/en/grid";
import type { Column, Row } from "./table";

interface Props {
  grid: string;
  columns: readonly Column[];
  row: Row;
  /** The place among the rows that are shown, from 0. */
  place: number;
  /** Its number among all rows, from 1: what hints and the check call it. */
  number: number;
  problems: ReadonlyMap<string, string> | undefined;
  /** The selected columns, -1 for none. */
  left: number;
  right: number;
  /** The active column, -1 in any other row. */
  active: number;
  isBlank: boolean;
}

export function cellId(grid: string, row: Row | undefined, column: number): string {
  return `${grid}-${row?.id}-${column}`;
}

/** One row of a grid. It is drawn again only when something in it has changed. */
export class GridRow extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { props } = this;
    return (
      next.row !== props.row ||
      next.place !== props.place ||
      next.number !== props.number ||
      next.problems !== props.problems ||
      next.left !== props.left ||
      next.right !== props.right ||
      next.active !== props.active ||
      next.columns !== props.columns
    );
  }

  override render({ grid, columns, row, place, number, problems, left, right, active, isBlank }: Props) {
    return (
      <div role="row" class="grid-row" aria-rowindex={place + 2} data-blank={isBlank || undefined}>
        <div role="rowheader" class="grid-number" aria-colindex={1} data-row={place}>
          {number}
        </div>
        {columns.map((column, index) => {
          const problem = problems?.get(column.key);
          const unit = column.unitOf?.(row);
          return (
            <div
              key={column.key}
              id={cellId(grid, row, index)}
              role="gridcell"
              class="grid-cell"
              aria-colindex={index + 2}
              aria-selected={index >= left && index <= right}
              aria-invalid={problem === undefined ? undefined : true}
              aria-description={problem}
              title={problem === undefined ? undefined : `${text.place(number, column.label)} ${problem}`}
              data-row={place}
              data-column={index}
              data-active={index === active || undefined}
              data-kind={column.kind}
              data-fixed={column.isFixed}
              data-wanted={(column.required && column.mayWait && row.cells[index] === "") || undefined}
            >
              {column.shows?.(row) ?? row.cells[index]}
              {unit !== undefined && <span class="muted"> {unit}</span>}
            </div>
          );
        })}
      </div>
    );
  }
}
