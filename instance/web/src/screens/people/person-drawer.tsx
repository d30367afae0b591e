import { useState } from "preact/hooks";
import { useResource } from "../../api/resource";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Copy } from "../../parts/copy";
import { DemoNote } from "../../parts/demo-note";
import { Dialog } from "../../parts/dialog";
import { Loaded } from "../../parts/loading";
import { Time } from "../../parts/time";
import { peopleText as text } from "../../text/en/people";
import { PersonActions } from "./person-actions";
import { PersonDialog } from "./person-dialog";
import type { Question } from "./questions";
import { isErased, nameOf, type Person, readPerson, stateOf } from "./state";
import { Tokens } from "./tokens";

interface Props {
  id: string;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** One account, and everything that an admin does with it, wherever in the list it stands. */
export function PersonDrawer({ id, onChange, onClose }: Props) {
  const person = useResource((signal) => readPerson(id, signal), [id]);
  const [asked, setAsked] = useState<Question | null>(null);
  const [isEditing, setEditing] = useState(false);
  const changed = async (): Promise<void> => {
    await Promise.all([person.reload(), onChange()]);
  };
  const known = person.data.value;
  return (
    <Dialog
      title={known ? nameOf(known) : text.account}
      onClose={onClose}
      isDrawer
      isWaiting={known === null}
    >
      <Loaded of={person}>
        {(found) => (
          <div class="stack">
            <Facts person={found} />
            <Links person={found} />
            <DemoNote />
            {isErased(found) ? (
              <p class="muted">{text.erased}</p>
            ) : (
              <>
                <PersonActions
                  person={found}
                  onAsk={setAsked}
                  onEdit={() => setEditing(true)}
                  onChange={changed}
                />
                {stateOf(found) !== "waiting" && <Tokens person={found} />}
              </>
            )}
          </div>
        )}
      </Loaded>
      {known && isEditing && (
        <PersonDialog person={known} onSaved={changed} onClose={() => setEditing(false)} />
      )}
      {asked && (
        <ConfirmDialog
          title={asked.title}
          verb={asked.verb}
          isDanger
          onConfirm={async () => {
            await asked.act();
            if (!asked.isLast) return changed();
            onClose();
            await onChange();
          }}
          onClose={() => setAsked(null)}
        >
          {asked.what}
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

function Facts({ person }: { person: Person }) {
  return (
    <dl class="facts">
      <dt>{text.email}</dt>
      <dd>
        <Copy value={person.email} label={text.email.toLowerCase()} />
      </dd>
      <dt>{text.role}</dt>
      <dd>{text.roles[person.role]}</dd>
      <dt>{text.state}</dt>
      <dd>{text.states[stateOf(person)]}</dd>
      {person.department && (
        <>
          <dt>{text.department}</dt>
          <dd>
            <a href={`/facility/people?department=${person.department.id}`}>{person.department.name}</a>
          </dd>
        </>
      )}
      {person.institution && (
        <>
          <dt>{text.institution}</dt>
          <dd>{person.institution}</dd>
        </>
      )}
      <dt>{text.since}</dt>
      <dd>
        <Time at={person.createdAt} />
      </dd>
      <dt>{text.lastSignIn}</dt>
      <dd>{person.lastSignInAt ? <Time at={person.lastSignInAt} /> : text.never}</dd>
    </dl>
  );
}

/** What there is of somebody elsewhere. */
function Links({ person: { id } }: { person: Person }) {
  return (
    <ul class="line">
      <li>
        <a href={`/orders?owner=${id}`}>{text.ordersOf}</a>
      </li>
      <li>
        <a href={`/facility/audit?actor=${id}`}>{text.doneBy}</a>
      </li>
      <li>
        <a href={`/facility/audit?object=${id}`}>{text.doneTo}</a>
      </li>
    </ul>
  );
}
