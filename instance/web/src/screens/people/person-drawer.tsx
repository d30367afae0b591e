import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Copy } from "../../parts/copy";
import { DemoNote } from "../../parts/demo-note";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { ShownOnce } from "../../parts/shown-once";
import { Time } from "../../parts/time";
import { demoRefusal, user } from "../../session";
import { peopleText as text } from "../../text/en/people";
import {
  changePerson,
  decline,
  endSessions,
  isErased,
  makeResetLink,
  nameOf,
  type Person,
  type PersonChange,
  resetFactor,
  stateOf,
} from "./state";
import { Tokens } from "./tokens";

interface Props {
  person: Person;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** What is asked about before it is done. */
interface Question {
  title: string;
  what: string;
  verb: string;
  act: (person: Person) => Promise<void>;
}

const changing =
  (body: PersonChange) =>
  (person: Person): Promise<void> =>
    changePerson(person, body);

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
              await asked.act(person);
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

interface ActsProps {
  person: Person;
  onAsk: (question: Question) => void;
  onChange: () => Promise<void>;
}

function Acts({ person, onAsk, onChange }: ActsProps) {
  const [link, setLink] = useState<string | null>(null);
  const switching = useAction(async () => {
    await changePerson(person, { isActive: true });
    await onChange();
  });
  const linking = useAction(async () => setLink(await makeResetLink(person)));
  const problem = switching.problem.value ?? linking.problem.value;
  const name = nameOf(person);
  const refusal = demoRefusal.value ?? (person.id === user.value?.id ? text.self : null);
  if (stateOf(person) === "waiting") {
    return (
      <>
        {problem && <ProblemNotice problem={problem} />}
        <div class="line">
          <Button
            look="main"
            isBusy={switching.isRunning.value}
            refusal={refusal}
            onClick={() => void switching.run()}
          >
            {text.approve}
          </Button>
          <Button
            refusal={refusal}
            onClick={() =>
              onAsk({
                title: text.declineOf(name),
                what: text.declineWhat,
                verb: text.decline,
                act: decline,
              })
            }
          >
            {text.decline}
          </Button>
        </div>
      </>
    );
  }
  const role: Question =
    person.role === "RESEARCHER"
      ? {
          title: text.makeAdminOf(name),
          what: text.makeAdminWhat,
          verb: text.makeAdmin,
          act: changing({ role: "FACILITY_ADMIN" }),
        }
      : {
          title: text.makeResearcherOf(name),
          what: text.makeResearcherWhat,
          verb: text.makeResearcher,
          act: changing({ role: "RESEARCHER" }),
        };
  const off: Question = {
    title: text.switchOffOf(name),
    what: text.switchOffWhat,
    verb: text.switchOff,
    act: changing({ isActive: false }),
  };
  const sessions: Question = {
    title: text.endSessionsOf(name),
    what: text.endSessionsWhat,
    verb: text.endSessions,
    act: endSessions,
  };
  const factor: Question = {
    title: text.resetFactorOf(name),
    what: text.resetFactorWhat,
    verb: text.resetFactor,
    act: resetFactor,
  };
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      {person.id === user.value?.id && <p class="muted">{text.self}</p>}
      {person.isActive && (
        <div class="line">
          <Button
            isBusy={linking.isRunning.value}
            refusal={demoRefusal.value}
            onClick={() => void linking.run()}
          >
            {text.resetLink}
          </Button>
          <Button refusal={refusal} onClick={() => onAsk(sessions)}>
            {text.endSessions}
          </Button>
          <Button refusal={refusal} onClick={() => onAsk(factor)}>
            {text.resetFactor}
          </Button>
        </div>
      )}
      <div class="line">
        <Button refusal={refusal} onClick={() => onAsk(role)}>
          {role.verb}
        </Button>
        {person.isActive ? (
          <Button refusal={refusal} onClick={() => onAsk(off)}>
            {text.switchOff}
          </Button>
        ) : (
          <Button isBusy={switching.isRunning.value} refusal={refusal} onClick={() => void switching.run()}>
            {text.switchOn}
          </Button>
        )}
      </div>
      {link !== null && (
        <ShownOnce
          title={text.resetLinkOf(name)}
          what={text.resetLinkWhat}
          value={link}
          label={text.link}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}
