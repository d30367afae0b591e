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
