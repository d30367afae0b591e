import { PageHead } from "../../parts/page-head";
import { boot } from "../../session";
import { help } from "../../text/en/help";
import "../../style/screens/help.css";

/** What was tested, and what was not. */
export function Screen() {
  const contact = boot.value?.site.contactEmail;
  return (
    <>
      <PageHead title={help.accessibilityTitle} />
      <div class="stack reading">
        {help.accessibility.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          {contact ? (
            <>
              {help.accessibilityContact} <a href={`mailto:${contact}`}>{contact}</a>
            </>
          ) : (
            help.accessibilityNobody
          )}
        </p>
      </div>
    </>
  );
}
