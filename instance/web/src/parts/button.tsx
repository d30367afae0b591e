import type { ComponentChildren, Ref } from "preact";
import { Icon } from "./icon";
import type { IconName } from "./icons";

type Look = "plain" | "main" | "quiet" | "danger" | "link";

const LOOKS: Record<Look, string> = {
  plain: "button",
  main: "button button-main",
  quiet: "button button-quiet",
  danger: "button button-danger",
  link: "",
};

interface Shared {
  children?: ComponentChildren;
  look?: Look | undefined;
  icon?: IconName | undefined;
  /** The name, where the button shows a drawing only. */
  label?: string | undefined;
  /** Why it can't be used now: shown as its description, and the button stays reachable by keyboard. */
  refusal?: string | null | undefined;
}

interface ButtonProps extends Shared {
  type?: "button" | "submit";
  onClick?: ((event: MouseEvent) => void) | undefined;
  isBusy?: boolean | undefined;
  isPressed?: boolean | undefined;
  /** What it opens in the page is open. */
  isExpanded?: boolean | undefined;
  form?: string | undefined;
  innerRef?: Ref<HTMLButtonElement> | undefined;
}

export function Button(props: ButtonProps) {
  const {
    children,
    look = "plain",
    icon,
    label,
    type = "button",
    onClick,
    refusal,
    isBusy,
    isPressed,
    form,
  } = props;
  const isOff = Boolean(refusal) || Boolean(isBusy);
  const press = (event: MouseEvent): void => {
    if (isOff) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      ref={props.innerRef ?? null}
      type={type}
      class={LOOKS[look]}
      form={form}
      aria-label={label}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      aria-pressed={isPressed}
      aria-expanded={props.isExpanded}
      aria-description={refusal ?? undefined}
      title={refusal ?? (children ? undefined : label)}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface LinkButtonProps extends Shared {
  href: string;
  /** The file is saved, under this name if it is given one. */
  download?: string | true | undefined;
}

/** A link that looks like a button, or may be refused like one: it leads somewhere, or saves a file. */
export function LinkButton(props: LinkButtonProps) {
  const { children, look = "plain", icon, label, href, download, refusal } = props;
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  );
  if (refusal) {
    return (
      // biome-ignore lint/a11y/useValidAnchor: without an address it leads nowhere, and its role still names it.
      <a
        class={LOOKS[look]}
        role="link"
        tabIndex={0}
        aria-label={label}
        aria-disabled
        aria-description={refusal}
        title={refusal}
      >
        {inside}
      </a>
    );
  }
  return (
    <a class={LOOKS[look]} href={href} aria-label={label} download={download === true ? "" : download}>
      {inside}
    </a>
  );
}
