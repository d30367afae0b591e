import { peopleText as text } from "../../text/en/people";
import { changePerson, decline, endSessions, nameOf, type Person, resetFactor } from "./state";

/** What is asked about an account before it is done. */
export interface Question {
  title: string;
  what: string;
  verb: string;
  act: () => Promise<void>;
  /** The account is gone afterwards. */
  isLast?: true | undefined;
}

export const aboutDecline = (person: Person): Question => ({
  title: text.declineOf(nameOf(person)),
  what: text.declineWhat,
  verb: text.decline,
  act: () => decline(person),
  isLast: true,
});

/** Whether to give the rights of the facility's staff, or to take them. */
export const aboutRole = (person: Person): Question =>
  person.role === "RESEARCHER"
    ? {
        title: text.makeAdminOf(nameOf(person)),
        what: text.makeAdminWhat,
        verb: text.makeAdmin,
        act: () => changePerson(person, { role: "FACILITY_ADMIN" }),
      }
    : {
        title: text.makeResearcherOf(nameOf(person)),
        what: text.makeResearcherWhat,
        verb: text.makeResearcher,
        act: () => changePerson(person, { role: "RESEARCHER" }),
      };

export const aboutSwitchingOff = (person: Person): Question => ({
  title: text.switchOffOf(nameOf(person)),
  what: text.switchOffWhat,
  verb: text.switchOff,
  act: () => changePerson(person, { isActive: false }),
});

export const aboutSessions = (person: Person): Question => ({
  title: text.endSessionsOf(nameOf(person)),
  what: text.endSessionsWhat,
  verb: text.endSessions,
  act: () => endSessions(person),
});

export const aboutFactor = (person: Person): Question => ({
  title: text.resetFactorOf(nameOf(person)),
  what: text.resetFactorWhat,
  verb: text.resetFactor,
  act: () => resetFactor(person),
});
