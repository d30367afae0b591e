import { computed, signal } from "@preact/signals";
import { api, believeSignedIn, given } from "./api/client";
import { forgetAll } from "./api/kept";
import { Problem } from "./api/problem";
import type { paths } from "./api/schema";
import { choose, density, theme } from "./look";

type Answer<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer A } } } };
}
  ? A
  : never;

export type Boot = Answer<"/api/boot">;
export type User = NonNullable<Boot["user"]>;

/** What the page knows before anything is shown; null until it was read. */
export const boot = signal<Boot | null>(null);
export const bootProblem = signal<Problem | null>(null);

export const user = computed(() => boot.value?.user ?? null);
export const isAdmin = computed(() => user.value?.role === "FACILITY_ADMIN");
export const isDemo = computed(() => user.value?.isDemo ?? false);
export const siteName = computed(() => boot.value?.site.siteName ?? "SeqFacility");

/** Where somebody whose password must be changed is led first. */
export const ownPassword = "/new-password";

/** Whether a module is on; off for who is not signed in. */
export const hasModule = (id: keyof NonNullable<Boot["modules"]>): boolean =>
  boot.value?.modules?.[id] ?? false;

/** A session that ended meanwhile changes nothing that is shown: whoever acts next is asked for the password. */
export async function readBoot(): Promise<void> {
  try {
    const answer = await given(api.GET("/api/boot"));
    if (user.value && !answer.user) return;
    believeSignedIn(answer.user !== null);
    boot.value = answer;
    bootProblem.value = null;
  } catch (error) {
    bootProblem.value = error instanceof Problem ? error : new Problem(String(error), 0);
  }
}

export async function signIn(email: string, password: string): Promise<void> {
  await given(api.POST("/api/auth/sign-in", { body: { email, password } }));
  await readBoot();
}

export async function startDemo(as: "researcher" | "admin"): Promise<void> {
  await given(api.POST("/api/demo/session", { body: { as } }));
  await readBoot();
}

/** The tabs of a browser have one session: all leave when its person does. */
const leaving = new BroadcastChannel("seqfacility:signed-out");
leaving.addEventListener("message", () => user.value && leave());

/** End the session and begin with a fresh page: nothing that this person saw or typed stays. */
export async function signOut(): Promise<void> {
  await given(api.POST("/api/auth/sign-out"));
  leaving.postMessage(null);
  leave();
}

function leave(): void {
  forgetAll();
  // The service asks browsers to forget the whole storage, and how this computer shows pages is no secret.
  choose({ theme: theme.value, density: density.value });
  // Who goes back gets this page as it was, where a browser has kept it.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  location.assign("/sign-in");
}
