import { computed, signal } from "@preact/signals";
import { api, believeSignedIn, given, holdRequests } from "./api/client";
import { answerPasswordAsked, passwordAsked, signedInAgain } from "./api/connection";
import { forgetAll } from "./api/kept";
import { Problem } from "./api/problem";
import type { paths } from "./api/schema";
import { storeText } from "./api/storage";
import { choose, density, theme } from "./look";
import { text } from "./text/en/common";
import { forgetUploads } from "./uploads-kept";

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
/** Why the service refuses whatever changes or downloads something; null for who is no visitor of the demonstration. */
export const demoRefusal = computed(() => (isDemo.value ? text.notInDemo : null));
export const siteName = computed(() => boot.value?.site.siteName ?? "SeqFacility");

/** Remembered by a tab, so that it can say after a reload that a session is over. */
const SIGNED_IN = "seqfacility:signed-in";

/** Whether somebody was signed in here, did not sign out, and is not signed in any more. */
export const hasEnded = signal(false);

/** Where somebody whose password must be changed is led first. */
export const ownPassword = "/new-password";

/** Whether a module is on; off for who is not signed in. */
export const hasModule = (id: keyof NonNullable<Boot["modules"]>): boolean =>
  boot.value?.modules?.[id] ?? false;

/** Set when somebody leaves for the sign-in of their institute: who comes back may be another person. */
const ELSEWHERE = "seqfacility:signing-in-elsewhere";

export const signInElsewhere = (): void => {
  storeText(localStorage, ELSEWHERE, "yes");
};

/** Tell the other tabs of this browser when this page is the one that a sign-in elsewhere came back to. */
function tellWhoCameBack(): void {
  if (localStorage.getItem(ELSEWHERE) === null) return;
  localStorage.removeItem(ELSEWHERE);
  tell("changed");
}

let timesRead = 0;

/**
 * Read who is asking. A page belongs to one person: when their session is over it asks for the password, and
 * when the browser has somebody else's it begins anew, so that nobody sees or sends what was theirs.
 */
export async function readBoot(next = location.href): Promise<void> {
  timesRead += 1;
  const mine = timesRead;
  try {
    const answer = await given(api.GET("/api/boot"));
    if (mine !== timesRead) return;
    if (user.value && answer.user && answer.user.id !== user.value.id) {
      beginAnew(next);
    } else if (user.value && !answer.user) {
      if (!passwordAsked.value && (await signedInAgain())) await readBoot();
    } else {
      believeSignedIn(answer.user !== null);
      if (answer.user) storeText(sessionStorage, SIGNED_IN, "yes");
      hasEnded.value = !answer.user && sessionStorage.getItem(SIGNED_IN) !== null;
      if (boot.value === null) tellWhoCameBack();
      boot.value = answer;
      bootProblem.value = null;
      answerPasswordAsked(true);
    }
  } catch (error) {
    if (boot.value) return;
    bootProblem.value = error instanceof Problem ? error : new Problem(String(error), 0);
  }
}

/** Sign in; answer whether it was done. It is not when the account wants a code besides, and none was given. */
export async function signIn(email: string, password: string, code = ""): Promise<boolean> {
  const body = { email, password, ...(code && { code }) };
  try {
    await changeSession(() => given(api.POST("/api/auth/sign-in", { body })));
    return true;
  } catch (error) {
    if (code === "" && error instanceof Problem && error.body.secondFactor === true) return false;
    throw error;
  }
}

/** The session gets another cookie: nothing of this page is sent with the old one meanwhile. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const body = { currentPassword, newPassword };
  await changeSession(() => {
    const change = given(api.POST("/api/auth/password", { body }));
    const over = (): void => {};
    holdRequests(change.then(over, over));
    return change;
  });
}

export async function startDemo(as: "researcher" | "admin"): Promise<void> {
  await changeSession(() => given(api.POST("/api/demo/session", { body: { as } })));
}

/** The tabs of a browser have one session: what one of them does to it, all hear. */
const tabs = new BroadcastChannel("seqfacility:session");
type Heard = "changing" | "changed" | "left";
const tell = (heard: Heard): void => tabs.postMessage(heard);

/** As long as the slowest sign-in: a tab that was closed meanwhile says nothing more. */
const MOST_CHANGING_MS = 30_000;

/** No other tab sends anything until it knows whose session it is. */
async function changeSession(change: () => Promise<unknown>): Promise<void> {
  tell("changing");
  try {
    await change();
  } finally {
    tell("changed");
  }
  await readBoot("/");
}

let goOn = (): void => {};

tabs.addEventListener("message", ({ data }: MessageEvent<Heard>) => {
  if (!user.value) return;
  if (data === "left") leave();
  else if (data === "changing") {
    const clear = new Promise<void>((resolve) => {
      goOn = resolve;
      setTimeout(resolve, MOST_CHANGING_MS);
    });
    holdRequests(clear);
  } else void readBoot().then(() => goOn());
});

/** Somebody else signed in: from here on this page shows nothing and sends nothing. */
function beginAnew(next: string): void {
  document.body.hidden = true;
  holdRequests(new Promise(() => {}));
  goOn = () => {};
  if (next === location.href) location.reload();
  else location.assign(next);
}

/** End the session and begin with a fresh page: nothing that this person saw or typed stays. */
export async function signOut(): Promise<void> {
  await given(api.POST("/api/auth/sign-out"));
  tell("left");
  leave();
}

function leave(): void {
  sessionStorage.removeItem(SIGNED_IN);
  forgetAll();
  forgetUploads();
  // The service asks browsers to forget the whole storage, and how this computer shows pages is no secret.
  choose({ theme: theme.value, density: density.value });
  // Who goes back gets this page as it was, where a browser has kept it.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  location.assign("/sign-in");
}
