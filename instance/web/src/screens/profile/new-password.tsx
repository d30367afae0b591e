import { useCallback } from "preact/hooks";
import { useLocation } from "preact-iso";
import { PageHead } from "../../parts/page-head";
import { isDemo, readBoot } from "../../session";
import { account as words } from "../../text/en/account";
import { PasswordForm } from "./password-form";

/** Where somebody is led who signed in with a password that was made for them. */
export function Screen() {
  const { route } = useLocation();
  const go = useCallback(async () => {
    await readBoot();
    route("/", true);
  }, [route]);
  return (
    <>
      <PageHead title={words.mustChangeTitle} />
      <div class="card stack">
        <p>{words.mustChangeWhy}</p>
        {isDemo.value ? <p class="muted">{words.demoProfile}</p> : <PasswordForm onChanged={go} />}
      </div>
    </>
  );
}
