/** Where to go after signing in: the place that was asked for, if it is one of ours. */
export function placeAfterSignIn(next: string | undefined): string {
  // A browser reads `/\host` as `//host`, and leaves tabs and line breaks out before it does.
  const isPlain = next !== undefined && /^\/(?![/\\])[^\t\n\r]*$/.test(next);
  return isPlain && !next.startsWith("/sign-in") ? next : "/";
}
