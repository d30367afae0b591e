import type { ComponentChildren, Ref } from "preact";
import { Icon } from "./icon";
import type { IconName } from "./icons";

type Look = "plain" | "main" | "quiet" | "danger";

const LOOKS: Record<Look, string> = {
  plain: "button",
  main: "button button-main",
  quiet: "button button-quiet",
  danger: "button button-danger",
};

interface Shared {
  children?: ComponentChildren;
  look?: Look | undefined;
  icon?: IconName | undefined;
  /** The name, where the button shows a drawing only. */
  label?: string | undefined;
}

interface ButtonProps extends Shared {
  type?: "button" | "submit";
  onClick?: ((event: MouseEvent) => void) | undefined;
  /** Why it can't be used now: shown as its description, and the button stays reachable by keyboard. */
  refusal?: string | null | undefined;
  isBusy?: boolean | undefined;
  isPressed?: boolean | undefined;
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

/** A link that looks like a button: it leads somewhere, or saves a file. */
export function LinkButton({ children, look = "plain", icon, label, href, download }: LinkButtonProps) {
  return (
    <a class={LOOKS[look]} href={href} aria-label={label} download={download === true ? "" : download}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
