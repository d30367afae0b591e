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
  ended: "Your session has ended. It ran out, or it was ended from somewhere else.",

  codeWhy: (email: string): string => `The account ${email} asks for a second factor.`,
  back: "Back",
} as const;
