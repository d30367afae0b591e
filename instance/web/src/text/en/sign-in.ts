export const signInText = {
  title: "Sign in",
  email: "Email",
  password: "Password",
  button: "Sign in",
  demoTitle: "Look around first",
  demo: "The demonstration has orders, reads and results. Changes are switched off.",
  asResearcher: "Try as researcher",
  asAdmin: "Try as admin",
  register: "Make an account",
  registerWhy: "No account yet?",
  forgotten: "Forgotten the password? The facility sends you a link to set a new one:",
  forgottenNobody: "Forgotten the password? Ask the facility for a link to set a new one.",
  forgottenByMail: "Forgot your password?",
  ended: "Your session has ended. It ran out, or it was ended from somewhere else.",

  codeWhy: (email: string): string => `The account ${email} asks for a second factor.`,
  back: "Back",
  orWithPassword: "Or with a password of this facility",
} as const;

/** Why a sign-in through a provider was refused, by the word in the address. */
export const refusalText = {
  title: "You are not signed in",
  why: {
    "unknown-provider": "The facility doesn't know this way to sign in any more. Choose another one.",
    "provider-unreachable": "The sign-in of your institute can't be reached. Try again in a few minutes.",
    "provider-refused": "The sign-in of your institute refused. Ask the people who run it.",
    "invalid-answer":
      "The answer of your institute's sign-in can't be trusted. Try again, or ask the facility.",
    cancelled: "The sign-in was cancelled.",
    expired: "The sign-in took too long, or was begun in another browser. Begin again.",
    "not-verified":
      "Your institute has not verified your email, so it can't be used here. Ask the people who run its sign-in.",
    "not-allowed": "Your account may not be used here. Ask the facility.",
    "linked-elsewhere":
      "An account here has this email and belongs to another account of your institute. Ask the facility.",
    deactivated: "Your account here is deactivated. Ask the facility.",
    "too-many": "Too many sign-ins were begun. Try again in a few minutes.",
  } satisfies Record<string, string>,
  other: "The sign-in did not succeed. Try again, or ask the facility.",
} as const;
