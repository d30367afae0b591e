import { api, given } from "../../api/client";
import { type Pages, type ReadRows, usePages } from "../../api/pages";
import type { components, paths } from "../../api/schema";
import { demoRefusal } from "../../session";

type Schemas = components["schemas"];
export type Person = Schemas["instance.users"]["users"][number];
export type Invite = Schemas["instance.invites"]["invites"][number];
export type Department = Schemas["instance.departments"]["departments"][number];
export type PersonChange = Schemas["instance.requests.user"];
export type Token = Schemas["instance.tokens"]["tokens"][number];
export type Machine = Schemas["instance.machines"]["machines"][number];
export type Scope = Machine["scopes"][number];
export type MachineSave = Schemas["instance.requests.new-machine"];
export type Query = NonNullable<paths["/api/admin/users"]["get"]["parameters"]["query"]>;

/** How many people come at once. */
const PAGE = 100;

export const ROLES = ["RESEARCHER", "FACILITY_ADMIN"] as const satisfies readonly Person["role"][];
export const STATES = ["active", "waiting", "inactive"] as const satisfies readonly Query["state"][];
const SORTS = [
  "-created",
  "created",
  "name",
  "-name",
  "-seen",
  "seen",
] as const satisfies readonly Query["sort"][];

/** Read what an address asks for; a word that is none is left out. */
export function queryOf(words: Readonly<Record<string, string>>): Query {
  const role = ROLES.find((known) => known === words.role);
  const state = STATES.find((known) => known === words.state);
  const sort = SORTS.find((known) => known === words.sort);
  return {
    ...(words.q && { q: words.q }),
    ...(role && { role }),
    ...(state && { state }),
    ...(words.department && { department: words.department }),
    ...(sort && { sort }),
  };
}

/** The people of a query. */
export function usePeople(query: Query): Pages<Person> {
  const read: ReadRows<Person> = async (range, signal) => {
    const params = { query: { ...query, ...range } };
    const { users, total } = await given(api.GET("/api/admin/users", { params, signal }));
    return { rows: users, total };
  };
  return usePages(read, query, PAGE);
}

export async function readPerson(id: string, signal?: AbortSignal): Promise<Person> {
  const params = { path: { user_id: id } };
  return (await given(api.GET("/api/admin/users/{user_id}", { params, signal: signal ?? null }))).user;
}

export const nameOf = ({ firstName, lastName }: Pick<Person, "firstName" | "lastName">): string =>
  `${firstName} ${lastName}`;

export function stateOf({ isActive, pendingApproval }: Person): "active" | "waiting" | "inactive" {
  if (pendingApproval) return "waiting";
  return isActive ? "active" : "inactive";
}

/** What an erased account has in the place of an email; RFC 2606 keeps the domain from everybody. */
export const isErased = ({ email }: Person): boolean => email.endsWith("@invalid");

const pathOf = (person: Person) => ({ path: { user_id: person.id } });

export async function changePerson(person: Person, body: PersonChange): Promise<void> {
  await given(api.PATCH("/api/admin/users/{user_id}", { params: pathOf(person), body }));
}

export async function decline(person: Person): Promise<void> {
  await given(api.DELETE("/api/admin/users/{user_id}/registration", { params: pathOf(person) }));
}

export async function endSessions(person: Person): Promise<void> {
  await given(api.DELETE("/api/admin/users/{user_id}/sessions", { params: pathOf(person) }));
}

export async function resetFactor(person: Person): Promise<void> {
  await given(api.DELETE("/api/admin/users/{user_id}/totp", { params: pathOf(person) }));
}

export async function readTokens(person: Person, signal: AbortSignal): Promise<Token[]> {
  return (await given(api.GET("/api/admin/users/{user_id}/tokens", { params: pathOf(person), signal })))
    .tokens;
}

export async function revokeToken(person: Person, token: Token): Promise<void> {
  const params = { path: { user_id: person.id, token_id: token.id } };
  await given(api.DELETE("/api/admin/users/{user_id}/tokens/{token_id}", { params }));
}

export async function readMachines(signal: AbortSignal): Promise<Machine[]> {
  return (await given(api.GET("/api/admin/machines", { signal }))).machines;
}

/** Make a machine, and return its token, which is told once. */
export async function makeMachine(body: MachineSave): Promise<string> {
  return (await given(api.POST("/api/admin/machines", { body }))).token;
}

export async function deleteMachine({ id }: Machine): Promise<void> {
  await given(api.DELETE("/api/admin/machines/{machine_id}", { params: { path: { machine_id: id } } }));
}

/** Make a link that sets a password once, and return its whole address. */
export async function makeResetLink(person: Person): Promise<string> {
  const made = await given(api.POST("/api/admin/users/{user_id}/reset-link", { params: pathOf(person) }));
  return `${location.origin}${made.path}`;
}

export async function readInvites(signal: AbortSignal): Promise<Invite[]> {
  return (await given(api.GET("/api/admin/invites", { signal }))).invites;
}

export const INVITE_STATES = ["open", "used", "ended"] as const;

export function inviteStateOf({ usedAt, expiresAt }: Invite): (typeof INVITE_STATES)[number] {
  if (usedAt !== null) return "used";
  return new Date(expiresAt) > new Date() ? "open" : "ended";
}

/** The addresses to which mail could not be sent; visitors of a demonstration are not told. */
export async function readFailedAddresses(signal: AbortSignal): Promise<ReadonlySet<string>> {
  if (demoRefusal.value !== null) return new Set();
  const { failed } = await given(api.GET("/api/admin/mail", { signal }));
  return new Set(failed.map(({ to }) => to));
}

export async function deleteInvite({ id }: Invite): Promise<void> {
  await given(api.DELETE("/api/admin/invites/{invite_id}", { params: { path: { invite_id: id } } }));
}

export async function readDepartments(signal?: AbortSignal): Promise<Department[]> {
  return (await given(api.GET("/api/admin/departments", { signal: signal ?? null }))).departments;
}

/** What the form of a department has; without a department that of a new one. */
export const departmentValues = (department: Department | null) => ({
  name: department?.name ?? "",
  description: department?.description ?? "",
  isActive: department?.isActive ?? true,
});

export type DepartmentSave = ReturnType<typeof departmentValues>;

export async function makeDepartment(body: DepartmentSave): Promise<void> {
  await given(api.POST("/api/admin/departments", { body }));
}

export async function changeDepartment({ id }: Department, body: Partial<DepartmentSave>): Promise<void> {
  const params = { path: { department_id: id } };
  await given(api.PUT("/api/admin/departments/{department_id}", { params, body }));
}

export async function deleteDepartment({ id }: Department): Promise<void> {
  const params = { path: { department_id: id } };
  await given(api.DELETE("/api/admin/departments/{department_id}", { params }));
}
