import { Button, LinkButton } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { type Column, Table } from "../../parts/table";
import { pageOf } from "../../people/choices";
import { auditText as text } from "../../text/en/audit";
import { exactTime } from "../../text/format";
import { whoOf } from "./columns";
import { type AuditEvent, placeOf } from "./state";

interface Props {
  event: AuditEvent;
  /** What people call its object. */
  object: string;
  onFilter: (changes: Record<string, string | null>) => void;
  onClose: () => void;
}

/** All that one row notes, with what was before and after. */
export function EventDrawer({ event, object, onFilter, onClose }: Props) {
  const { action, at, actor, address, objectId, detail } = event;
  const place = placeOf(event);
  return (
    <Dialog title={text.actionOf(action)} onClose={onClose} isDrawer>
      <div class="stack">
        <dl class="facts">
          <dt>{text.when}</dt>
          <dd>
            <time dateTime={at}>{exactTime(new Date(at))}</time>
          </dd>
          <dt>{text.who}</dt>
          <dd>
            {actor ? <a href={pageOf(actor.id)}>{whoOf(event)}</a> : whoOf(event)}
            {actor && <span class="muted"> {actor.email}</span>}
          </dd>
          {address && (
            <>
              <dt>{text.address}</dt>
              <dd>
                <code>{address}</code>
              </dd>
            </>
          )}
          <dt>{text.object}</dt>
          <dd>{object}</dd>
          {objectId && (
            <>
              <dt>{text.objectId}</dt>
              <dd>
                <Copy value={objectId} label={text.objectId.toLowerCase()} />
              </dd>
            </>
          )}
          <dt>{text.row}</dt>
          <dd>
            <Copy value={event.id} label={text.row.toLowerCase()} />
          </dd>
        </dl>
        <section class="stack-tight" aria-labelledby="audit-detail">
          <h3 id="audit-detail">{text.detail}</h3>
          <Detail detail={detail} />
        </section>
        <div class="line">
          {place && <LinkButton href={place}>{text.openObject}</LinkButton>}
          {actor && (
            <Button onClick={() => onFilter({ actor: actor.id, action: null })}>{text.allOfPerson}</Button>
          )}
          {objectId && (
            <Button onClick={() => onFilter({ object: objectId, action: null })}>{text.allOfObject}</Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One value that changed, `key` is empty where there is but one. */
interface Changed {
  key: string;
  before: unknown;
  after: unknown;
}

const isChange = (value: unknown): value is Values =>
  isValues(value) && ("before" in value || "after" in value);

/** What changed, as a role is noted and as settings are: `{before, after}`, or one of these for each key. */
function changesIn(detail: Values): Changed[] {
  const { before, after, changed } = detail;
  const whole: [string, unknown][] = isChange(detail) ? [["", { before, after }]] : [];
  return [...whole, ...(isValues(changed) ? Object.entries(changed) : [])].flatMap(([key, value]) => {
    if (!isChange(value)) return [{ key, before: undefined, after: value }];
    if (!isValues(value.before) || !isValues(value.after))
      return [{ key, before: value.before, after: value.after }];
    const { before: old, after: now } = { before: value.before, after: value.after };
    const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return names.map((name) => ({ key: key ? `${key}.${name}` : name, before: old[name], after: now[name] }));
  });
}

/** What changed stands side by side; the rest as it was noted. */
function Detail({ detail }: { detail: Values }) {
  const changes = changesIn(detail);
  const shown = new Set(["before", "after", "changed", ...(changes.length > 0 ? ["keys"] : [])]);
  const others = Object.entries(detail).filter(([key]) => !shown.has(key));
  if (changes.length === 0 && others.length === 0) return <p class="muted">{text.noDetail}</p>;
  return (
    <>
      {changes.length > 0 && <Changes of={changes} />}
      {others.length > 0 && (
        <dl class="facts">
          {others.map(([key, value]) => (
            <Fact key={key} name={key} value={value} />
          ))}
        </dl>
      )}
    </>
  );
}

function Fact({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Noted value={value} />
      </dd>
    </>
  );
}

function Changes({ of }: { of: readonly Changed[] }) {
  const name: Column<Changed> = { id: "key", label: text.value, cell: ({ key }) => key };
  const columns: Column<Changed>[] = [
    ...(of.some(({ key }) => key !== "") ? [name] : []),
    { id: "before", label: text.before, cell: ({ before }) => <Noted value={before} /> },
    { id: "after", label: text.after, cell: ({ after }) => <Noted value={after} /> },
  ];
  return <Table label={text.changes} columns={columns} rows={of} rowId={({ key }) => key} />;
}

/** An address or a list of codes: it may break anywhere, lest the table scrolls. */
const LONG_WORD = /\S{16}/;

function Noted({ value }: { value: unknown }) {
  if (value === undefined || value === null || value === "") return <span class="muted">{text.nothing}</span>;
  const words = inWords(value);
  return <span class={LONG_WORD.test(words) ? "breaks" : undefined}>{words}</span>;
}

function inWords(value: unknown): string {
  if (typeof value === "string") return value;
  const isPlain = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return isPlain ? value.join(", ") : JSON.stringify(value);
}
