/** Where to go after signing in: the place that was asked for, if it is one of ours. */
export function placeAfterSignIn(next: string | undefined): string {
  // `//host` and `/\host` lead elsewhere.
  return next && /^\/(?![/\\])/.test(next) && !next.startsWith("/sign-in") ? next : "/";
}
