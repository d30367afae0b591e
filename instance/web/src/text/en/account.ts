import type { components } from "../../api/schema";

type ResearcherRole = NonNullable<components["schemas"]["instance.profile"]["profile"]["researcherRole"]>;

/** What people call the values of an account, by their names in the API. */
export const accountFields = {
  email: "Email",
  firstName: "First name",
  lastName: "Last name",
  password: "Password",
  newPassword: "New password",
  currentPassword: "Current password",
  researcherRole: "Position",
  institution: "Institution",
  departmentId: "Department",
} as const;

/** Registering, invitations, passwords and the profile. */
export const account = {
  noChoice: "Not stated",
  passwordHelp: "Best are several words, which you use nowhere else.",
  roles: {
    PI: "Principal investigator",
    POSTDOC: "Postdoc",
    PHD_STUDENT: "PhD student",
    MASTER_STUDENT: "Master's student",
    TECHNICIAN: "Technician",
    OTHER: "Other",
  } satisfies Record<ResearcherRole, string>,

  registerTitle: "Make an account",
  register: "Make account",
  registerClosed: "Accounts are made by invitation here",
  registerClosedWhy: "Ask the facility for an invitation.",
  haveAccount: "You have an account?",
  signIn: "Sign in",
  registered: "Your account is made",
  registeredWhy: "Sign in with your email and your password.",
  pending: "Your account waits for the facility",
  pendingWhy: "Somebody at the facility looks at it before you can sign in.",

  inviteTitle: "Accept your invitation",
  inviteInvalid: "This invitation can't be used",
  inviteInvalidWhy:
    "It was used already, has run out, or is not complete. Ask whoever invited you for a new one.",
  inviteWhy: "Your account will belong to the staff of the facility.",

  resetTitle: "Set a new password",
  resetWhy: "The link works once. All your open sessions end.",
  resetDone: "Your new password is set",
  resetDoneWhy: "Sign in with it.",
  resetNoToken: "This link is not complete",
  resetNoTokenWhy: "Copy the whole link from the message, or ask the facility for a new one.",
  resetAnother: "Ask for another link",
  setPassword: "Set password",

  mustChangeTitle: "Choose your own password",
  mustChangeWhy: "Somebody else knows the one that you signed in with.",

  profileTitle: "Profile",
  tabs: {
    about: "About you",
    sessions: "Sessions",
    tokens: "Tokens",
    "second-factor": "Second factor",
    mail: "Mail",
  },
  yourData: "About you",
  save: "Save",
  saved: "Saved",
  unchangeable: "Only the facility changes email and role.",
  role: "Role",
  accountRoles: { RESEARCHER: "Researcher", FACILITY_ADMIN: "Facility staff" },
  changePassword: "Change password",
  passwordChanged: "Your password is changed. Your other sessions have ended.",
  demoProfile: "Visitors of the demonstration can't change their profile.",
} as const;
