import { addressWith } from "../../parts/address";
import type { SavedColumn } from "../../parts/saved-list";
import { Time } from "../../parts/time";
import { type Person, pageOf } from "../../people/choices";
import { auditText as text } from "../../text/en/audit";
import { type AuditEvent, placeOf } from "./state";

export const whoOf = ({ actor }: AuditEvent): string =>
  actor === null ? text.command : `${actor.firstName} ${actor.lastName}`;

/** What people call the object of a row: a person by the name, everything else by what it is. */
export function objectNames(people: readonly Person[]): (event: AuditEvent) => string {
  const names = new Map(people.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  return ({ objectType, objectId }) =>
    (objectType === "user" && names.get(objectId ?? "")) || text.objectOf(objectType);
}

/** What was done opens the row with all that it notes. */
export function columnsOf(
  path: string,
  words: Readonly<Record<string, string>>,
  objectOf: (event: AuditEvent) => string,
): SavedColumn<AuditEvent>[] {
  return [
    {
      id: "action",
      label: text.action,
      cell: (event) => (
        <>
          <a class="short" href={addressWith(path, words, { row: event.id })} aria-haspopup="dialog">
            {text.actionOf(event.action)}
          </a>
          <span class="narrow-only muted">{whoOf(event)}</span>
        </>
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
          <a href={pageOf(event.actor.id)} title={event.actor.email}>
            {whoOf(event)}
          </a>
        ),
      isMinor: true,
      saved: ({ actor }) => actor?.email ?? "",
    },
    {
      id: "object",
      label: text.object,
      cell: (event) => {
        const place = placeOf(event);
        return place ? <a href={place}>{objectOf(event)}</a> : objectOf(event);
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
