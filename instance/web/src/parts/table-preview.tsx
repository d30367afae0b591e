import { readStart } from "../api/client";
import { useResource } from "../api/resource";
import { reportText as text } from "../text/en/common";
import { Loaded } from "./loading";
import { Table } from "./table";
import { readTableStart } from "./table-text";

const START_BYTES = 256 * 1024;

interface Props {
  name: string;
  /** Ends like the file's name. */
  file: string;
  address: string;
}

/** The first rows of a table file. */
export function TablePreview({ name, file, address }: Props) {
  const start = useResource(
    async (signal) => {
      const { text: source, isCut } = await readStart(address, START_BYTES, signal);
      return readTableStart(file, source, isCut);
    },
    [address],
  );
  return (
    <Loaded of={start}>
      {({ head, rows, hasMore }) =>
        head.length === 0 ? (
          <p class="muted">{text.emptyTable}</p>
        ) : (
          <div class="stack-tight">
            <Table
              label={text.table(name)}
              columns={head.map((label, place) => ({
                id: String(place),
                label: label || text.column(place + 1),
                cell: ({ cells }: Row) => cells[place] ?? "",
                isNumber: isOfNumbers(rows, place),
                isLong: true,
              }))}
              rows={rows.map((cells, place) => ({ id: String(place), cells }))}
              rowId={({ id }) => id}
            />
            {hasMore && <p class="muted">{text.moreRows(rows.length)}</p>}
          </div>
        )
      }
    </Loaded>
  );
}

interface Row {
  id: string;
  cells: readonly string[];
}

const NUMBER = /^-?[\d.,]+(e[+-]?\d+)?%?$/i;

const isOfNumbers = (rows: readonly string[][], place: number): boolean =>
  rows.length > 0 && rows.every((cells) => cells[place] === "" || NUMBER.test(cells[place] ?? ""));
