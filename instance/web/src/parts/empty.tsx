import type { ComponentChildren } from "preact";

interface Props {
  /** Why there is nothing. */
  title: string;
  children?: ComponentChildren;
  /** The one thing that fills it. */
  action?: ComponentChildren;
}

export function Empty({ title, children, action }: Props) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="muted">{children}</div>}
      {action}
    </div>
  );
}
