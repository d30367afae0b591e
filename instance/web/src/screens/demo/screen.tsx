import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { ErrorSummary } from "../../parts/error-summary";
import { PageHead } from "../../parts/page-head";
import { boot, startDemo } from "../../session";
import { demoText as words } from "../../text/en/demo";

export function Screen() {
  const { route } = useLocation();
  const starting = useAction(async (as: "researcher" | "admin") => {
    await startDemo(as);
    route("/");
  });
  if (!boot.value?.site.demo) {
    return (
      <>
        <PageHead title={words.title} />
        <Empty title={words.off} />
      </>
    );
  }
  return (
    <>
      <PageHead title={words.title} />
      <p>{words.what}</p>
      <ErrorSummary problem={starting.problem.value} labels={{}} />
      <div class="radio-cards">
        <section class="card stack" aria-labelledby="researcher">
          <h2 id="researcher">{words.researcher}</h2>
          <p>{words.researcherWhat}</p>
          <div>
            <Button look="main" onClick={() => void starting.run("researcher")}>
              {words.asResearcher}
            </Button>
          </div>
        </section>
        <section class="card stack" aria-labelledby="admin">
          <h2 id="admin">{words.admin}</h2>
          <p>{words.adminWhat}</p>
          <div>
            <Button look="main" onClick={() => void starting.run("admin")}>
              {words.asAdmin}
            </Button>
          </div>
        </section>
      </div>
    </>
  );
}
