import { addressWith } from "../../parts/address";
import { Chip, type Tone } from "../../parts/chip";
import type { SavedColumn } from "../../parts/saved-list";
import { Time } from "../../parts/time";
import { peopleText as text } from "../../text/en/people";
import { nameOf, type Person, stateOf } from "./state";

const TONES: Record<ReturnType<typeof stateOf>, Tone> = { active: "ok", waiting: "wait", inactive: "calm" };

/** The name of a person opens what can be done with the account. */
export function columnsOf(path: string, words: Readonly<Record<string, string>>): SavedColumn<Person>[] {
  return [
    {
      id: "name",
      label: text.name,
      sort: "name",
      cell: (person) => (
        <a class="roomy" href={addressWith(path, words, { person: person.id })} aria-haspopup="dialog">
          {nameOf(person)}
        </a>
      ),
      saved: nameOf,
    },
    {
      id: "email",
      label: text.email,
      cell: ({ email }) => <span title={email}>{email}</span>,
      isLong: true,
      isMinor: true,
      saved: ({ email }) => email,
    },
    {
      id: "role",
      label: text.role,
      cell: ({ role }) => <span class="short">{text.roles[role]}</span>,
      isMinor: true,
      saved: ({ role }) => text.roles[role],
    },
    {
      id: "department",
      label: text.department,
      cell: ({ department }) =>
        department && (
          <a
            class="person"
            title={department.name}
            href={addressWith(path, words, { department: department.id })}
          >
            {department.name}
          </a>
        ),
      isMinor: true,
      saved: ({ department }) => department?.name ?? "",
    },
    {
      id: "institution",
      label: text.institution,
      cell: ({ institution }) => institution,
      isMinor: true,
      isExtra: true,
      saved: ({ institution }) => institution ?? "",
    },
    {
      id: "state",
      label: text.state,
      cell: (person) => <Chip tone={TONES[stateOf(person)]}>{text.states[stateOf(person)]}</Chip>,
      saved: (person) => text.states[stateOf(person)],
    },
    {
      id: "seen",
      label: text.lastSignIn,
      sort: "seen",
      cell: ({ lastSignInAt }) => (lastSignInAt ? <Time at={lastSignInAt} /> : text.never),
      isMinor: true,
      saved: ({ lastSignInAt }) => lastSignInAt ?? "",
    },
    {
      id: "since",
      label: text.since,
      sort: "created",
      cell: ({ createdAt }) => <Time at={createdAt} />,
      isMinor: true,
      isExtra: true,
      saved: ({ createdAt }) => createdAt,
    },
  ];
}
