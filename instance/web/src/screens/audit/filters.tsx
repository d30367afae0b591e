import type { ComponentChildren } from "preact";
import type { Filter } from "../../parts/active-filters";
import { DayRangeFilter, rangeInWords } from "../../parts/day-range";
import { ListFilters } from "../../parts/list-filters";
import { PickMenu } from "../../parts/pick-menu";
import { choicesOf, lastNameFirst, type Person } from "../../people/choices";
import { auditText as text } from "../../text/en/audit";
import { ACTION_GROUPS } from "./actions";
import type { Query } from "./state";

interface Props {
  query: Query;
  people: readonly Person[];
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  /** What is done with the list. */
  children: ComponentChildren;
}

/** What narrows the trail; all of it is part of the address. */
export function Filters({ query, people, onChange, onClear, children }: Props) {
  const { action, actor, objectId } = query;
  const nameOf = (id: string | undefined): string | undefined => {
    const person = people.find((known) => known.id === id);
    return person && lastNameFirst(person);
  };
  const filters: Filter[] = [
    [["action"], text.action, action && text.actionOf(action)],
    [["actor"], text.person, actor && (nameOf(actor) ?? text.onePerson)],
    [["object"], text.object, nameOf(objectId)],
    [["from", "to"], text.when, rangeInWords(query)],
  ];
  return (
    <ListFilters
      search={{
        name: "object",
        label: text.search,
        placeholder: text.searchHint,
        words: objectId ?? "",
        onSearch: (object) => onChange({ object }),
      }}
      filters={filters}
      onChange={onChange}
      onClear={onClear}
      tools={children}
    >
      <PickMenu
        label={text.action}
        any={text.anyAction}
        find={text.findAction}
        value={action}
        groups={ACTION_GROUPS}
        onChoose={(chosen) => onChange({ action: chosen })}
      />
      <PickMenu
        label={text.person}
        any={text.anybody}
        find={text.findPerson}
        value={actor}
        groups={choicesOf(people)}
        onChoose={(chosen) => onChange({ actor: chosen })}
      />
      <DayRangeFilter
        label={text.when}
        range={query}
        onChange={({ from, to }) => onChange({ from: from ?? null, to: to ?? null })}
      />
    </ListFilters>
  );
}
