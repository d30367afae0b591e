import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { density } from "../look";
import { text } from "../text/en/common";
import { Icon } from "./icon";

export interface Column<R> {
  id: string;
  label: string;
  cell: (row: R) => ComponentChildren;
  isNumber?: boolean | undefined;
  /** What the server or the screen sorts by; without it the column is not sorted. */
  sort?: string | undefined;
  /** Left out on narrow screens. */
  isMinor?: boolean | undefined;
  /** Shown to those who choose it, see `useColumns`. */
  isExtra?: boolean | undefined;
  /** One line, cut short where there is no room; the cell says the whole in its title. */
  isLong?: boolean | undefined;
}

interface Props<R> {
  /** The name of the table: `Orders`. */
  label: string;
  columns: readonly Column<R>[];
  rows: readonly R[];
  rowId: (row: R) => string;
  /** `number` or `-number`. */
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
  /** What Enter does on a row that has no link. */
  onOpen?: ((row: R) => void) | undefined;
  selected?: ReadonlySet<string> | undefined;
}

const VIRTUAL_FROM = 120;
const SPARE_ROWS = 10;
const ROW_HEIGHTS = { compact: 28, normal: 36, comfortable: 44 } as const;

/**
 * Rows of one height. `j`, `k` and the arrow keys move between them, Enter opens the row's link.
 * From 120 rows on only those near the window are in the page.
 */
export function Table<R>(props: Props<R>) {
  const { label, columns, rows, rowId, sort, onSort, onOpen, selected } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(0);
  const isVirtual = rows.length >= VIRTUAL_FROM;
  const height = ROW_HEIGHTS[density.value];
  const shown = isVirtual
    ? Math.ceil((box.current?.clientHeight ?? 720) / height) + 2 * SPARE_ROWS
    : rows.length;
  const first = isVirtual
    ? Math.max(0, Math.min(Math.floor(top / height) - SPARE_ROWS, rows.length - shown))
    : 0;
  const last = Math.min(rows.length, first + shown);

  const focusRow = (place: number): void => {
    const next = Math.max(0, Math.min(place, rows.length - 1));
    setActive(next);
    if (isVirtual) box.current?.scrollTo({ top: Math.max(0, (next - 4) * height) });
    requestAnimationFrame(() => {
      box.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${next + 2}"]`)?.focus();
    });
  };

  const keys = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLTableRowElement)) return;
    const row = rows[active];
    if (event.key === "j" || event.key === "ArrowDown") focusRow(active + 1);
    else if (event.key === "k" || event.key === "ArrowUp") focusRow(active - 1);
    else if (event.key === "Enter") {
      const link = event.target.querySelector("a");
      if (link) link.click();
      else if (row && onOpen) onOpen(row);
    } else return;
    event.preventDefault();
  };

  return (
    <section
      class={isVirtual ? "table-box table-box-long" : "table-box"}
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      onScroll={(event) => isVirtual && setTop(event.currentTarget.scrollTop)}
    >
      <table class="table" aria-label={label} aria-rowcount={rows.length + 1} onKeyDown={keys}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap columns={columns.length} height={first * height} />
          {rows.slice(first, last).map((row, offset) => {
            const place = first + offset;
            const id = rowId(row);
            return (
              <tr
                key={id}
                aria-rowindex={place + 2}
                class={selected?.has(id) ? "row-selected" : undefined}
                tabIndex={place === active ? 0 : -1}
                onFocus={() => setActive(place)}
              >
                {columns.map((column) => (
                  <td key={column.id} class={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap columns={columns.length} height={(rows.length - last) * height} />
        </tbody>
      </table>
    </section>
  );
}

function cellClass<R>({ isNumber, isMinor, isLong }: Column<R>): string | undefined {
  const words = [isNumber && "number", isMinor && "minor", isLong && "long"].filter(Boolean);
  return words.length > 0 ? words.join(" ") : undefined;
}

/** The rows that are not in the page, as empty space. */
function Gap({ columns, height }: { columns: number; height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row has nothing that takes the focus.
    <tr aria-hidden="true" class="table-gap">
      <td colSpan={columns} style={{ blockSize: `${height}px` }} />
    </tr>
  );
}

interface HeadProps<R> {
  column: Column<R>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Head<R>({ column, sort, onSort }: HeadProps<R>): JSX.Element {
  const { label, sort: key } = column;
  if (key === undefined || !onSort) {
    return (
      <th scope="col" class={cellClass(column)}>
        {label}
      </th>
    );
  }
  const isUp = sort === key;
  const isDown = sort === `-${key}`;
  return (
    <th scope="col" class={cellClass(column)} aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}>
      <button
        type="button"
        class="sort"
        title={text.sortBy(label)}
        onClick={() => onSort(isUp ? `-${key}` : key)}
      >
        {label}
        {(isUp || isDown) && <Icon name={isUp ? "up" : "down"} />}
      </button>
    </th>
  );
}
