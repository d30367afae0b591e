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

/** Asking for a link to set a new password. */
export const forgottenText = {
  title: "Forgot your password?",
  why: "Enter the email of your account. You get a link to set a new password.",
  send: "Send link",
  sent: "Look into your mail",
  sentWhy: (email: string): string =>
    `If ${email} has an account here with a password, a link is on its way. It works once, for a short time.`,
  toSignIn: "Back to sign in",
} as const;

/** Why a sign-in through a provider was refused, by the word in the address. */
export const refusalText = {
  title: "You are not signed in",
  why: {},
  other: "The sign-in did not succeed. Try again, or ask the facility.",
} as const;
