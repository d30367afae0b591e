import { signal } from "@preact/signals";

/** Since when the service cannot be reached; null while it can. */
export const offlineSince = signal<Date | null>(null);

/** Set while a request waits for the password of somebody whose session ended. */
export const passwordAsked = signal(false);

/** Set once somebody did not want to enter it: from then on they are told, and asked when they want to be. */
export const passwordDeclined = signal(false);

/** Set once the service refused somebody who must set up a second factor first. */
export const secondFactorWanted = signal(false);

let waiting: Array<(isSignedIn: boolean) => void> = [];

/** Wait until the person signed in again over the page, or gave up; who gave up is not asked at every request. */
export function signedInAgain(): Promise<boolean> {
  if (passwordDeclined.value) return Promise.resolve(false);
  return askPassword();
}

export function askPassword(): Promise<boolean> {
  passwordAsked.value = true;
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

export function answerPasswordAsked(isSignedIn: boolean): void {
  const asked = waiting;
  waiting = [];
  passwordAsked.value = false;
  passwordDeclined.value = !isSignedIn;
  for (const resolve of asked) resolve(isSignedIn);
}

/** Note whether the service answered what was asked at `begun`; an answer that was on its way says nothing of now. */
export function seen(isReachable: boolean, begun = new Date()): void {
  const since = offlineSince.value;
  if (!isReachable) offlineSince.value = since ?? new Date();
  else if (since === null || begun >= since) offlineSince.value = null;
}

addEventListener("offline", () => seen(false));
addEventListener("online", () => seen(true));
