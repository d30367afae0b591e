import { api, given } from "../api/client";
import type { components, paths } from "../api/schema";
import type { PickGroup } from "../parts/pick-menu";

export type Person = components["schemas"]["instance.users"]["users"][number];
type Role = NonNullable<paths["/api/admin/users"]["get"]["parameters"]["query"]>["role"];

/** Those whom a list can be narrowed to, by name; as many as the service gives at a time. */
export async function readPeople(signal: AbortSignal, role?: Role): Promise<Person[]> {
  const query = { limit: 500, sort: "name", ...(role && { role }) } as const;
  return (await given(api.GET("/api/admin/users", { params: { query }, signal }))).users;
}

export const lastNameFirst = ({ lastName, firstName }: Person): string => `${lastName}, ${firstName}`;

export const choicesOf = (people: readonly Person[]): PickGroup[] => [
  { choices: people.map((person) => ({ value: person.id, label: lastNameFirst(person) })) },
];

/** Where an account is looked after. */
export const pageOf = (id: string): string => `/facility/people?person=${id}`;
