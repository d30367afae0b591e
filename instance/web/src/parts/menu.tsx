import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "./icon";
import type { IconName } from "./icons";
import { Popover } from "./popover";

export interface MenuItem {
  label: string;
  icon?: IconName | undefined;
  /** Where it leads, or what it does. */
  href?: string | undefined;
  onChoose?: (() => void) | undefined;
  /** One of several: whether it is the chosen one. */
  isChosen?: boolean | undefined;
  /** On or off by itself: the menu stays open for the next one. */
  isOn?: boolean | undefined;
  /** Why it can't be used: shown once below the items of its group. */
  refusal?: string | null | undefined;
}

export interface MenuGroup {
  label?: string | undefined;
  items: readonly MenuItem[];
}

interface Props {
  label: string;
  groups: readonly MenuGroup[];
  icon?: IconName | undefined;
  /** What the button shows, if more than its label. */
  children?: ComponentChildren;
  align?: "start" | "end" | undefined;
  isBare?: boolean | undefined;
}

/** A button with a list of things to do: arrow keys, Home, End, first letters. */
export function Menu({ label, groups, icon, children, align, isBare }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const items = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>("[data-item]") ?? [])];

  const move = (event: KeyboardEvent): void => {
    const all = items();
    const now = all.findIndex((item) => item.matches(":focus"));
    const target = targetOf(event.key, now, all);
    if (!target) return;
    event.preventDefault();
    target.focus();
  };

  return (
    <Popover
      role="menu"
      label={label}
      align={align}
      innerRef={box}
      onToggle={(isOpen) => isOpen && items()[0]?.focus()}
      opener={(anchor) => (
        <button
          type="button"
          class={isBare ? "bare" : "button button-quiet"}
          aria-haspopup="menu"
          aria-label={label}
          {...anchor}
        >
          {icon && <Icon name={icon} />}
          {children}
        </button>
      )}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the items, which have the roles. */}
      <div class="menu" role="presentation" onKeyDown={move}>
        {groups.map((group, place) => (
          <fieldset key={place} aria-label={group.label} class="menu-group">
            {group.label && (
              <span class="menu-label" aria-hidden="true">
                {group.label}
              </span>
            )}
            {group.items.map((item) => (
              <Item key={item.label} item={item} close={() => box.current?.hidePopover()} />
            ))}
            {refusalsOf(group).map((refusal) => (
              <span key={refusal} class="menu-label" aria-hidden="true">
                {refusal}
              </span>
            ))}
          </fieldset>
        ))}
      </div>
    </Popover>
  );
}

/** Why items can't be used, each reason once; one that is the name of its item needs no second line. */
function refusalsOf({ items }: MenuGroup): string[] {
  const refusals = items.flatMap(({ label, refusal }) => (refusal && refusal !== label ? [refusal] : []));
  return [...new Set(refusals)];
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  const { label, icon, href, onChoose, isChosen, isOn, refusal } = item;
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      <span>{label}</span>
      {(isChosen || isOn) && <Icon name="check" />}
    </>
  );
  if (href) {
    return (
      <a class="menu-item" role="menuitem" data-item tabIndex={-1} href={href} onClick={close}>
        {inside}
      </a>
    );
  }
  const choose = (): void => {
    if (refusal) return;
    if (isOn === undefined) close();
    onChoose?.();
  };
  const shared = {
    type: "button",
    class: "menu-item",
    "data-item": true,
    tabIndex: -1,
    "aria-disabled": refusal ? true : undefined,
    "aria-description": refusal ?? undefined,
    onClick: choose,
  } as const;
  if (isOn !== undefined) {
    return (
      <button role="menuitemcheckbox" aria-checked={isOn} {...shared}>
        {inside}
      </button>
    );
  }
  if (isChosen === undefined) {
    return (
      <button role="menuitem" {...shared}>
        {inside}
      </button>
    );
  }
  return (
    <button role="menuitemradio" aria-checked={isChosen} {...shared}>
      {inside}
    </button>
  );
}

function targetOf(key: string, now: number, all: HTMLElement[]): HTMLElement | undefined {
  if (key === "ArrowDown") return all[(now + 1) % all.length];
  if (key === "ArrowUp") return all.at(now - 1);
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  if (!/^\p{L}$/u.test(key)) return undefined;
  const after = [...all.slice(now + 1), ...all.slice(0, now + 1)];
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()));
}
