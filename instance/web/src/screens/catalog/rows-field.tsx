import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button";
import { type FieldProps, fieldId, TextField } from "../../parts/field";
import { FieldGroup } from "../../parts/field-group";
import { catalogText as text } from "../../text/en/catalog";
import { columnsOf, emptyRow, pathOf, type Row, rowsOf, rowsText } from "./entry-rows";

interface Props extends FieldProps {
  value: string;
  onInput: (value: string) => void;
  errors: ReadonlyMap<string, string>;
}

/** Figures or remarks, a row each. Rows are added and removed with the focus where one goes on. */
export function RowsField({ name, label, error, value, onInput, errors }: Props) {
  const add = useRef<HTMLButtonElement>(null);
  const next = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (next.current !== null) document.getElementById(next.current)?.focus();
    next.current = null;
  });
  const rows = rowsOf(value);
  const put = (place: number, row: Row): void => onInput(rowsText(rows.with(place, row)));
  const append = (): void => {
    next.current = fieldId(pathOf(name, rows.length, columnsOf(name)[0] ?? ""));
    onInput(rowsText([...rows, emptyRow(name)]));
  };
  const remove = (place: number): void => {
    // The button of the row that follows takes the place of this one, and the focus with it.
    if (place === rows.length - 1) add.current?.focus();
    onInput(rowsText(rows.toSpliced(place, 1)));
  };
  return (
    <FieldGroup name={name} label={label} error={error}>
      {rows.map((row, place) => (
        <fieldset key={place} class="catalog-row" aria-label={text.rowOf(name, place + 1)}>
          <OneRow name={name} place={place} row={row} errors={errors} onRow={(typed) => put(place, typed)} />
          <Button
            look="quiet"
            icon="trash"
            label={text.removeRow(name, place + 1)}
            onClick={() => remove(place)}
          />
        </fieldset>
      ))}
      <div>
        <Button icon="add" innerRef={add} onClick={append}>
          {text.addRow(name)}
        </Button>
      </div>
    </FieldGroup>
  );
}

interface RowProps {
  name: string;
  place: number;
  row: Row;
  errors: ReadonlyMap<string, string>;
  onRow: (row: Row) => void;
}

function OneRow({ name, place, row, errors, onRow }: RowProps) {
  const { cells } = row;
  if (cells === null) {
    return (
      <p class="catalog-odd">
        {text.value(row.from)} <span class="muted">{text.oddRow}</span>
      </p>
    );
  }
  return columnsOf(name).map((column) => (
    <TextField
      key={column}
      name={pathOf(name, place, column)}
      label={text.cell(name, column)}
      error={errors.get(pathOf(name, place, column))}
      value={cells[column] ?? ""}
      onInput={(typed) => onRow({ ...row, cells: { ...cells, [column]: typed } })}
    />
  ));
}
