import { useEffect, useState } from "preact/hooks";
import { useResource } from "../../api/resource";
import { FilterChip } from "../../parts/chip";
import { TextField } from "../../parts/field";
import { Icon } from "../../parts/icon";
import { Menu, type MenuItem } from "../../parts/menu";
import { isAdmin } from "../../session";
import { listText as text } from "../../text/en/order-list";
import { orderText } from "../../text/en/orders";
import { type Query, readOwners, STAGES } from "./state";

const PLATFORMS = ["ILLUMINA", "OXFORD_NANOPORE", "PACBIO"];
/** Long enough for a word, short enough to feel immediate. */
const TYPING_MS = 250;

interface Props {
  query: Query;
  onChange: (changes: Record<string, string | null>) => void;
}

/** What narrows the list. Each filter says what it is set to, and is part of the address. */
export function Filters({ query, onChange }: Props) {
  const platforms =
    query.platform && !PLATFORMS.includes(query.platform) ? [...PLATFORMS, query.platform] : PLATFORMS;
  return (
    <search class="line filters">
      <Search words={query.q ?? ""} onChange={(q) => onChange({ q })} />
      <Choice
        label={text.stage}
        any={text.allStages}
        value={query.stage}
        choices={STAGES.map((stage) => ({ value: stage, label: orderText.stage[stage] }))}
        onChoose={(stage) => onChange({ stage })}
      />
      <Choice
        label={text.platform}
        any={text.allPlatforms}
        value={query.platform}
        choices={platforms.map((code) => ({ value: code, label: orderText.platform(code) }))}
        onChoose={(platform) => onChange({ platform })}
      />
      {isAdmin.value && <OwnerChoice owner={query.owner} onChoose={(owner) => onChange({ owner })} />}
      <FilterChip isOn={query.needs === "me"} onToggle={() => onChange({ needs: query.needs ? null : "me" })}>
        {text.needsMe}
      </FilterChip>
    </search>
  );
}

function Search({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  const [typed, setTyped] = useState(words);
  useEffect(() => {
    if (typed.trim() === words) return;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      name="q"
      type="search"
      label={orderText.search}
      placeholder={orderText.searchHint}
      value={typed}
      onInput={setTyped}
    />
  );
}

interface ChoiceProps {
  label: string;
  /** What it is called when nothing is chosen. */
  any: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  onChoose: (value: string | null) => void;
}

function Choice({ label, any, value, choices, onChoose }: ChoiceProps) {
  const chosen = choices.find((choice) => choice.value === value);
  const words = chosen ? text.isSetTo(label, chosen.label) : label;
  const items: MenuItem[] = [
    { label: any, isChosen: value === undefined, onChoose: () => onChoose(null) },
    ...choices.map((choice) => ({
      label: choice.label,
      isChosen: choice.value === value,
      onChoose: () => onChoose(choice.value),
    })),
  ];
  return (
    <Menu label={words} groups={[{ items }]}>
      {words}
      <Icon name="down" />
    </Menu>
  );
}

function OwnerChoice({
  owner,
  onChoose,
}: {
  owner: string | undefined;
  onChoose: (owner: string | null) => void;
}) {
  const owners = useResource(readOwners, []);
  const choices = (owners.data.value ?? []).map(({ id, firstName, lastName }) => ({
    value: id,
    label: `${lastName}, ${firstName}`,
  }));
  return (
    <Choice
      label={text.owner}
      any={text.allOwners}
      value={owner}
      choices={choices.sort((one, other) => one.label.localeCompare(other.label))}
      onChoose={onChoose}
    />
  );
}
