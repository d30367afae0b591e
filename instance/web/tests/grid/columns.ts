import type { Column, Kind, Row } from "../../src/grid/table";

export function column(label: string, kind: Kind = "text", more: Partial<Column> = {}): Column {
  return {
    key: label.toLowerCase(),
    label,
    names: [],
    kind,
    options: [],
    required: false,
    isUnique: false,
    ...more,
  };
}

export function row(...cells: string[]): Row {
  return { id: cells.join("|") || crypto.randomUUID(), cells };
}

export const SAMPLE_COLUMNS = [
  column("Organism", "organism", { required: true }),
  column("Sample alias", "text", { isUnique: true, names: ["sampleAlias"] }),
  column("Volume", "number", { unit: "µl" }),
  column("Collection date", "date"),
  column("Comment", "longText"),
];
