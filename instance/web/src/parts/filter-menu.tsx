import { Icon } from "./icon";
import { Menu, type MenuItem } from "./menu";

interface Props {
  label: string;
  /** What it is called when nothing is chosen. */
  any: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  onChoose: (value: string | null) => void;
}

/** A menu above a list that narrows it to one of a few values, or to none of them. */
export function FilterMenu({ label, any, value, choices, onChoose }: Props) {
  const items: MenuItem[] = [
    { label: any, isChosen: value === undefined, onChoose: () => onChoose(null) },
    ...choices.map((choice) => ({
      label: choice.label,
      isChosen: choice.value === value,
      onChoose: () => onChoose(choice.value),
    })),
  ];
  return (
    <Menu label={label} groups={[{ items }]}>
      {label}
      <Icon name="down" />
    </Menu>
  );
}
