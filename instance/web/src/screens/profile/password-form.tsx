import { useSignal } from "@preact/signals";

import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ErrorSummary } from "../../parts/error-summary";
import { TextField } from "../../parts/field";
import { changePassword, user } from "../../session";
import { accountFields, account as words } from "../../text/en/account";

/** The old password and the new one. */
export function PasswordForm({ onChanged }: { onChanged?: () => Promise<void> }) {
  const currentPassword = useSignal("");
  const newPassword = useSignal("");
  const isChanged = useSignal(false);
  const changing = useAction(async () => {
    await changePassword(currentPassword.value, newPassword.value);
    currentPassword.value = "";
    newPassword.value = "";
    isChanged.value = true;
    await onChanged?.();
  });
  const errors = fieldErrors(changing.problem.value);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void changing.run();
      }}
    >
      <ErrorSummary problem={changing.problem.value} labels={accountFields} />
      {/* Password managers want to know whose password it is. */}
      <input type="hidden" name="username" autocomplete="username" value={user.value?.email} />
      <TextField
        name="currentPassword"
        label={accountFields.currentPassword}
        type="password"
        autocomplete="current-password"
        required
        error={errors.get("currentPassword")}
        value={currentPassword.value}
        onInput={(value) => {
          currentPassword.value = value;
        }}
      />
      <TextField
        name="newPassword"
        label={accountFields.newPassword}
        help={words.passwordHelp}
        type="password"
        autocomplete="new-password"
        required
        error={errors.get("newPassword")}
        value={newPassword.value}
        onInput={(value) => {
          newPassword.value = value;
        }}
      />
      <div class="line">
        <Button type="submit" look="main" isBusy={changing.isRunning.value}>
          {words.changePassword}
        </Button>
        <span role="status">{isChanged.value ? words.passwordChanged : ""}</span>
      </div>
    </form>
  );
}
