import { Icon } from "../parts/icon";
import { boot } from "../session";
import { frame } from "../text/en/frame";
import { count } from "../text/format";

export function Bell() {
  const unread = boot.value?.unread?.notifications ?? 0;
  const label = frame.notifications(unread);
  return (
    <a class="bare bell" href="/notifications" aria-label={label} title={label}>
      <Icon name="bell" />
      {unread > 0 && (
        <span class="bell-count" aria-hidden="true">
          {count(Math.min(unread, 99))}
        </span>
      )}
    </a>
  );
}
