/** The second factor, wherever its code is asked for. */
export const codeText = {
  code: "Code",
  codeHelp: "The six digits that your authenticator app shows now.",
  recoveryCode: "Recovery code",
  recoveryCodeHelp: "One of the ten that you kept when you set it up. Each works once.",
  useRecoveryCode: "Use a recovery code",
  useApp: "Use the authenticator app",
} as const;

/** Signing in where the account is kept, at the institute for example. */
export const providerText = {
  signInWith: (provider: string): string => `Sign in with ${provider}`,
  newTab: "opens in a new tab",
  goOn: "I have signed in",
} as const;
