import { useSignal } from "@preact/signals";

import { fieldErrors } from "../../api/problem";
import { useAction, useResource } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { ErrorSummary } from "../../parts/error-summary";
import { SelectField, TextField } from "../../parts/field";
import { accountFields, account as words } from "../../text/en/account";
import { listDepartments, register } from "./state";

const BLANK = {
  email: "",
  password: "",
  firstName: "",
  lastName: "",
  researcherRole: "",
  institution: "",
  departmentId: "",
};
const POSITIONS = Object.entries(words.roles).map(([value, label]) => ({ value, label }));

export function RegisterForm({ inviteCode }: { inviteCode: string | null }) {
  const typed = useSignal(BLANK);
  const outcome = useSignal<"none" | "made" | "pending">("none");
  const departments = useResource(listDepartments, []);
  const making = useAction(async () => {
    const { researcherRole, institution, departmentId, ...person } = typed.value;
    const isPending = await register({
      ...person,
      role: inviteCode === null ? "RESEARCHER" : "FACILITY_ADMIN",
      researcherRole: POSITION_WORDS.find((each) => each === researcherRole) ?? null,
      institution: institution || null,
      departmentId: departmentId || null,
      inviteCode,
    });
    outcome.value = isPending ? "pending" : "made";
  });
  if (outcome.value !== "none") return <Done isPending={outcome.value === "pending"} />;
  const errors = fieldErrors(making.problem.value);
  const field = (name: keyof typeof BLANK) => ({
    name,
    label: accountFields[name],
    error: errors.get(name),
    value: typed.value[name],
    onInput: (value: string) => {
      typed.value = { ...typed.value, [name]: value };
    },
  });
  const choices = departments.data.value ?? [];
  return (
    <form
      class="stack card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void making.run();
      }}
    >
      <ErrorSummary problem={making.problem.value} labels={accountFields} />
      <TextField {...field("email")} type="email" autocomplete="username" required />
      <TextField
        {...field("password")}
        help={words.passwordHelp}
        type="password"
        autocomplete="new-password"
        required
      />
      <TextField {...field("firstName")} autocomplete="given-name" required />
      <TextField {...field("lastName")} autocomplete="family-name" required />
      {inviteCode === null && (
        <SelectField {...field("researcherRole")} choices={POSITIONS} none={words.noChoice} sayOptional />
      )}
      <TextField {...field("institution")} autocomplete="organization" sayOptional />
      {choices.length > 0 && (
        <SelectField
          {...field("departmentId")}
          choices={choices.map(({ id, name }) => ({ value: id, label: name }))}
          none={words.noChoice}
          sayOptional
        />
      )}
      <div>
        <Button look="main" type="submit" isBusy={making.isRunning.value}>
          {words.register}
        </Button>
      </div>
    </form>
  );
}

const POSITION_WORDS = ["PI", "POSTDOC", "PHD_STUDENT", "MASTER_STUDENT", "TECHNICIAN", "OTHER"] as const;

function Done({ isPending }: { isPending: boolean }) {
  return (
    <Empty
      title={isPending ? words.pending : words.registered}
      action={
        !isPending && (
          <LinkButton href="/sign-in" look="main">
            {words.signIn}
          </LinkButton>
        )
      }
    >
      {isPending ? words.pendingWhy : words.registeredWhy}
    </Empty>
  );
}
