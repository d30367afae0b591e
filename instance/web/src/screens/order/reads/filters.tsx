import type { Filter } from "../../../parts/active-filters";
import { FilterMenu } from "../../../parts/filter-menu";
import { ListFilters } from "../../../parts/list-filters";
import { orderText } from "../../../text/en/orders";
import { readsText as text } from "../../../text/en/reads";
import { DATA_CLASSES, MD5_STATES, type Wanted } from "./state";

interface Props {
  wanted: Wanted;
  onChange: (changes: Record<string, string | null>) => void;
  children: preact.ComponentChildren;
}

/** What narrows the table; all of it is part of the address. */
export function Filters({ wanted, onChange, children }: Props) {
  const { q, state, md5, dataClass } = wanted;
  const filters: Filter[] = [
    [["state"], text.state, state && orderText.plate[state]],
    [["md5"], text.md5, md5 && text.md5States[md5]],
    [["dataClass"], text.dataClass, dataClass && text.classes[dataClass]],
  ];
  return (
    <ListFilters
      search={{
        name: "reads",
        label: text.search,
        placeholder: text.searchHint,
        words: q ?? "",
        onSearch: (words) => onChange({ q: words }),
      }}
      filters={filters}
      onChange={onChange}
      onClear={() => onChange({ q: null, state: null, md5: null, dataClass: null })}
      tools={children}
    >
      <FilterMenu
        label={text.md5}
        any={text.anyMd5}
        value={md5}
        choices={MD5_STATES.map((value) => ({ value, label: text.md5States[value] }))}
        onChoose={(value) => onChange({ md5: value })}
      />
      <FilterMenu
        label={text.dataClass}
        any={text.anyClass}
        value={dataClass}
        choices={DATA_CLASSES.map((value) => ({ value, label: text.classes[value] }))}
        onChoose={(value) => onChange({ dataClass: value })}
      />
    </ListFilters>
  );
}
