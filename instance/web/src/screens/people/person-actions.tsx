import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ProblemNotice } from "../../parts/problem";
import { ShownOnce } from "../../parts/shown-once";
import { demoRefusal, user } from "../../session";
import { peopleText as text } from "../../text/en/people";
import {
  aboutDecline,
  aboutFactor,
  aboutRole,
  aboutSessions,
  aboutSwitchingOff,
  type Question,
} from "./questions";
import { changePerson, makeResetLink, nameOf, type Person, stateOf } from "./state";

interface Props {
  person: Person;
  onAsk: (question: Question) => void;
  onEdit: () => void;
  onChange: () => Promise<void>;
}

/** What an admin does with an account: first what helps its person to sign in, then what changes the account. */
export function PersonActions({ person, onAsk, onEdit, onChange }: Props) {
  const switching = useAction(async () => {
    await changePerson(person, { isActive: true });
    await onChange();
  });
  const problem = switching.problem.value;
  const isWaiting = stateOf(person) === "waiting";
  const isOwn = person.id === user.value?.id;
  const refusal = demoRefusal.value ?? (isOwn ? text.self : null);
  const ask = (about: (person: Person) => Question) => {
    const question = about(person);
    return (
      <Button refusal={refusal} onClick={() => onAsk(question)}>
        {question.verb}
      </Button>
    );
  };
  const switchOn = (verb: string, look?: "main") => (
    <Button
      look={look}
      isBusy={switching.isRunning.value}
      refusal={refusal}
      onClick={() => void switching.run()}
    >
      {verb}
    </Button>
  );
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      {isOwn && <p class="muted">{text.self}</p>}
      {person.isActive && !isWaiting && (
        <div class="line">
          <ResetLink person={person} />
          {ask(aboutSessions)}
          {ask(aboutFactor)}
        </div>
      )}
      <div class="line">
        <Button refusal={demoRefusal.value} onClick={onEdit}>
          {text.edit}
        </Button>
        {isWaiting ? (
          <>
            {switchOn(text.approve, "main")}
            {ask(aboutDecline)}
          </>
        ) : (
          <>
            {ask(aboutRole)}
            {person.isActive ? ask(aboutSwitchingOff) : switchOn(text.switchOn)}
          </>
        )}
      </div>
    </>
  );
}

function ResetLink({ person }: { person: Person }) {
  const [link, setLink] = useState<string | null>(null);
  const making = useAction(async () => setLink(await makeResetLink(person)));
  const problem = making.problem.value;
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Button isBusy={making.isRunning.value} refusal={demoRefusal.value} onClick={() => void making.run()}>
        {text.resetLink}
      </Button>
      {link !== null && (
        <ShownOnce
          title={text.resetLinkOf(nameOf(person))}
          what={text.resetLinkWhat}
          value={link}
          label={text.link}
          onClose={() => setLink(null)}
        />
      )}
    </>
  );
}
