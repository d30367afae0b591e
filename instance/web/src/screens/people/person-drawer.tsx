import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Copy } from "../../parts/copy";
import { DemoNote } from "../../parts/demo-note";
import { Dialog } from "../../parts/dialog";
import { Time } from "../../parts/time";
import { peopleText as text } from "../../text/en/people";
import { Acts } from "./person-acts";
import type { Question } from "./questions";
import { isErased, nameOf, type Person, stateOf } from "./state";
import { Tokens } from "./tokens";

interface Props {
  person: Person;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** One account, and everything that an admin does with it. */
export function PersonDrawer({ person, onChange, onClose }: Props) {
  const [asked, setAsked] = useState<Question | null>(null);
  return (
    <Dialog title={nameOf(person)} onClose={onClose} isDrawer>
      <div class="stack">
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
              <dd>{person.department.name}</dd>
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
        <DemoNote />
        {isErased(person) ? (
          <p class="muted">{text.erased}</p>
        ) : (
          <>
            <Acts person={person} onAsk={setAsked} onChange={onChange} />
            {stateOf(person) !== "waiting" && <Tokens person={person} />}
          </>
        )}
        {asked && (
          <ConfirmDialog
            title={asked.title}
            verb={asked.verb}
            isDanger
            onConfirm={async () => {
              await asked.act();
              await onChange();
            }}
            onClose={() => setAsked(null)}
          >
            {asked.what}
          </ConfirmDialog>
        )}
      </div>
    </Dialog>
  );
}
