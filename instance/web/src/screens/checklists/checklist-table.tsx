import { useLocation } from "preact-iso";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Chip, FilterChip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { SearchField } from "../../parts/search-field";
import { type Column, Table } from "../../parts/table";
import { checklistText as text } from "../../text/en/checklists";
import { text as common } from "../../text/en/common";
import { count } from "../../text/format";
import { addressOf, isFound } from "./rules";
import type { Listed } from "./state";

/** The checklists of the active version, those that were switched off too. */
export function ChecklistTable({ checklists }: { checklists: readonly Listed[] }) {
  const { path, query, route } = useLocation();
  if (checklists.length === 0) return <Empty title={text.none}>{text.noneWhy}</Empty>;
  const words = query.q ?? "";
  const isOnlyOff = query.off === "yes";
  const show = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, changes), true);
  const found = checklists.filter((one) => isFound(one, words) && !(isOnlyOff && one.available));
  return (
    <div class="stack-tight">
      <search class="stack-tight">
        <SearchField
          name="q"
          label={text.search}
          placeholder={text.searchHint}
          words={words}
          onSearch={(q) => show({ q })}
        />
        <div class="line">
          <FilterChip isOn={isOnlyOff} onToggle={() => show({ off: isOnlyOff ? null : "yes" })}>
            {text.onlyOff}
          </FilterChip>
          <span class="muted" role="status">
            {common.rows(found.length, checklists.length)}
          </span>
        </div>
      </search>
      {found.length === 0 ? (
        <Empty
          title={text.noneFound}
          action={<Button onClick={() => show({ q: null, off: null })}>{text.clear}</Button>}
        />
      ) : (
        <Table label={text.title} columns={COLUMNS} rows={found} rowId={({ accession }) => accession} />
      )}
    </div>
  );
}

export function StateChip({ of: { available, deprecated } }: { of: Listed }) {
  if (!available) return <Chip tone="wait">{text.switchedOff}</Chip>;
  return deprecated ? <Chip>{text.deprecated}</Chip> : <Chip tone="ok">{text.offered}</Chip>;
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    id: "name",
    label: text.checklist,
    cell: ({ accession, name }) => (
      <a class="roomy" href={addressOf(accession)}>
        {name}
      </a>
    ),
  },
  {
    id: "accession",
    label: text.accession,
    cell: ({ accession }) => <code>{accession}</code>,
    isMinor: true,
  },
  {
    id: "fields",
    label: text.fieldCount,
    cell: ({ fieldCount }) => count(fieldCount),
    isNumber: true,
    isMinor: true,
  },
  {
    id: "mandatory",
    label: text.mandatoryCount,
    cell: ({ mandatoryCount }) => count(mandatoryCount),
    isNumber: true,
    isMinor: true,
  },
  { id: "studies", label: text.studyCount, cell: ({ studies }) => count(studies), isNumber: true },
  { id: "state", label: text.state, cell: (one) => <StateChip of={one} /> },
];
