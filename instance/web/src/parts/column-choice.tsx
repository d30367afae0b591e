import { useState } from "preact/hooks";
import { storeText } from "../api/storage";
import { text } from "../text/en/common";
import { Icon } from "./icon";
import { Menu } from "./menu";

const keyOf = (list: string): string => `seqfacility:columns:${list}`;

/** What somebody chose otherwise than it is meant, by the id of the column; on this computer. */
type Choice = Readonly<Record<string, boolean>>;

function stored(list: string): Choice {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? "{}");
    if (typeof found !== "object" || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
    );
  } catch {
    return {};
  }
}

interface Choosable {
  id: string;
  label: string;
  isExtra?: boolean | undefined;
}

interface ColumnChoice<C> {
  shown: readonly C[];
  /** The menu in which they are chosen. The first column tells the rows apart, and stays. */
  menu: preact.JSX.Element;
}

/** The columns of a list that somebody wants to see; the choice is remembered by the list's name. */
export function useColumns<C extends Choosable>(list: string, columns: readonly C[]): ColumnChoice<C> {
  const [choice, setChoice] = useState(() => stored(list));
  const isShown = (column: C): boolean => choice[column.id] ?? !column.isExtra;
  const toggle = (column: C): void => {
    const next = { ...choice, [column.id]: !isShown(column) };
    setChoice(next);
    storeText(localStorage, keyOf(list), JSON.stringify(next));
  };
  const [first, ...others] = columns;
  const menu = (
    <div class="wide-only">
      <Menu
        label={text.columns}
        align="end"
        groups={[
          {
            items: others.map((column) => ({
              label: column.label,
              isOn: isShown(column),
              onChoose: () => toggle(column),
            })),
          },
        ]}
      >
        <Icon name="columns" />
        {text.columns}
      </Menu>
    </div>
  );
  return { shown: columns.filter((column) => column === first || isShown(column)), menu };
}
