import { Button, LinkButton } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { auditText as text } from "../../text/en/audit";
import { exactTime } from "../../text/format";
import { whoOf } from "./columns";
import { type AuditEvent, placeOf } from "./state";

interface Props {
  event: AuditEvent;
  onFilter: (changes: Record<string, string | null>) => void;
  onClose: () => void;
}

/** All that one row notes, with what was before and after. */
export function EventDrawer({ event, onFilter, onClose }: Props) {
  const { action, at, actor, address, objectType, objectId, detail } = event;
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
            {whoOf(event)}
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
          <dd>{text.objectOf(objectType)}</dd>
          {objectId && (
            <>
              <dt>{text.objectId}</dt>
              <dd>
                <Copy value={objectId} label={text.objectId.toLowerCase()} />
              </dd>
            </>
          )}
          <dt>{text.id}</dt>
          <dd>
            <Copy value={event.id} label={text.id.toLowerCase()} />
          </dd>
        </dl>
        <section class="stack-tight" aria-labelledby="audit-detail">
          <h3 id="audit-detail">{text.detail}</h3>
          <Detail detail={detail} />
        </section>
        <div class="line">
          {place && <LinkButton href={place}>{text.openObject}</LinkButton>}
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

/** What changed stands side by side; the rest as it was noted. */
function Detail({ detail }: { detail: Values }) {
  const { before, after, ...others } = detail;
  const isChange = "before" in detail || "after" in detail;
  const keys = Object.entries(others);
  if (!isChange && keys.length === 0) return <p class="muted">{text.noDetail}</p>;
  return (
    <>
      {isChange && <Change before={before} after={after} />}
      {keys.length > 0 && (
        <dl class="facts">
          {keys.map(([key, value]) => (
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

function Change({ before, after }: { before: unknown; after: unknown }) {
  const [old, now] = [isValues(before) ? before : { "": before }, isValues(after) ? after : { "": after }];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return (
    <div class="table-box">
      <table class="table" aria-label={text.detail}>
        <thead>
          <tr>
            {names.some(Boolean) && <th scope="col">{text.value}</th>}
            <th scope="col">{text.before}</th>
            <th scope="col">{text.after}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              {names.some(Boolean) && <th scope="row">{name}</th>}
              <td>
                <Noted value={old[name]} />
              </td>
              <td>
                <Noted value={now[name]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Noted({ value }: { value: unknown }) {
  if (value === undefined || value === null || value === "") return <span class="muted">{text.nothing}</span>;
  return <span class="noted">{typeof value === "string" ? value : JSON.stringify(value)}</span>;
}
