import { useRoute } from "preact-iso";
import { NotFound } from "../../parts/out-of-reach";
import { PageHead } from "../../parts/page-head";
import { isAdmin } from "../../session";
import { firstHourText } from "../../text/en/first-hour";
import { type HelpTopic, help } from "../../text/en/help";
import "../../style/screens/help.css";

/** `/help` and one short page a topic. */
export function Screen() {
  const { topic } = useRoute().params;
  if (!topic) return <Topics />;
  const found = help.topics.find(({ id }) => id === topic);
  return found ? <Page key={found.id} topic={found} /> : <NotFound />;
}

function Topics() {
  return (
    <>
      <PageHead title={help.title} />
      <p>{help.intro}</p>
      <ul class="topics">
        {help.topics.map(({ id, title, about }) => (
          <li key={id} class="card">
            <a href={`/help/${id}`}>{title}</a>
            <p class="muted">{about}</p>
          </li>
        ))}
        {isAdmin.value && (
          <li class="card">
            <a href="/facility/first-hour">{firstHourText.title}</a>
            <p class="muted">{firstHourText.about}</p>
          </li>
        )}
        <li class="card">
          <a href="/accessibility">{help.accessibilityTitle}</a>
        </li>
      </ul>
    </>
  );
}

function Page({ topic }: { topic: HelpTopic }) {
  return (
    <>
      <PageHead title={topic.title} crumbs={[{ label: help.title, href: "/help" }]} />
      {topic.parts.map(({ title, paragraphs, steps }) => (
        <section key={paragraphs[0]} class="stack-tight reading">
          {title && <h2>{title}</h2>}
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {steps && (
            <ol class="steps">
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          )}
        </section>
      ))}
      {topic.id === "keys" && <Keys />}
    </>
  );
}

function Keys() {
  return (
    <table class="table keys">
      <thead>
        <tr>
          <th scope="col">{help.keysTitle}</th>
          <th scope="col">{help.doesTitle}</th>
        </tr>
      </thead>
      <tbody>
        {help.keys.map(([key, does]) => (
          <tr key={key}>
            <td>
              <kbd>{key}</kbd>
            </td>
            <td>{does}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
