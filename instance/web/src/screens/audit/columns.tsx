import { addressWith } from "../../parts/address";
import type { SavedColumn } from "../../parts/saved-list";
import { Time } from "../../parts/time";
import { auditText as text } from "../../text/en/audit";
import { type AuditEvent, placeOf } from "./state";

export const whoOf = ({ actor }: AuditEvent): string =>
  actor === null ? text.command : `${actor.firstName} ${actor.lastName}`;

/** What was done opens the row with all that it notes. */
export function columnsOf(path: string, words: Readonly<Record<string, string>>): SavedColumn<AuditEvent>[] {
  return [
    {
      id: "action",
      label: text.action,
      cell: ({ id, action }) => (
        <a href={addressWith(path, words, { row: id })} aria-haspopup="dialog">
          {text.actionOf(action)}
        </a>
      ),
      saved: ({ action }) => action,
    },
    {
      id: "who",
      label: text.who,
      cell: (event) =>
        event.actor === null ? (
          <span class="muted">{text.command}</span>
        ) : (
          <span title={event.actor.email}>{whoOf(event)}</span>
        ),
      saved: ({ actor }) => actor?.email ?? "",
    },
    {
      id: "object",
      label: text.object,
      cell: (event) => {
        const place = placeOf(event);
        const words = text.objectOf(event.objectType);
        return place ? <a href={place}>{words}</a> : words;
      },
      isMinor: true,
      saved: ({ objectType, objectId }) => `${objectType} ${objectId ?? ""}`.trim(),
    },
    {
      id: "address",
      label: text.address,
      cell: ({ address }) => address && <code>{address}</code>,
      isMinor: true,
      saved: ({ address }) => address ?? "",
    },
    {
      id: "when",
      label: text.when,
      cell: ({ at }) => <Time at={at} />,
      saved: ({ at }) => at,
    },
  ];
}
