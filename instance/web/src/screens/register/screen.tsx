import { useRoute } from "preact-iso";
import { useResource } from "../../api/resource";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { boot } from "../../session";
import { account as words } from "../../text/en/account";
import { RegisterForm } from "./form";
import { isInviteValid } from "./state";

/** `/register`, and `/invite#code=…` for the staff of the facility; `/invite/{code}` is older, and logged. */
export function Screen() {
  const { path, params } = useRoute();
  if (path.startsWith("/invite")) return <Invited code={params.code ?? codeOfPage()} />;
  return (
    <>
      <PageHead title={words.registerTitle} />
      {boot.value?.site.registrationOpen ? (
        <RegisterForm inviteCode={null} />
      ) : (
        <Empty title={words.registerClosed}>{words.registerClosedWhy}</Empty>
      )}
      <p>
        {words.haveAccount} <a href="/sign-in">{words.signIn}</a>
      </p>
    </>
  );
}

const codeOfPage = () => new URLSearchParams(location.hash.slice(1)).get("code") ?? "";

function Invited({ code }: { code: string }) {
  const validity = useResource((signal) => isInviteValid(code, signal), [code]);
  return (
    <>
      <PageHead title={words.inviteTitle} />
      <Loaded of={validity}>
        {(isValid) =>
          isValid ? (
            <>
              <p>{words.inviteWhy}</p>
              <RegisterForm inviteCode={code} />
            </>
          ) : (
            <Empty title={words.inviteInvalid}>{words.inviteInvalidWhy}</Empty>
          )
        }
      </Loaded>
    </>
  );
}
