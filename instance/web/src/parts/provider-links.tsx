import { api, given } from "../api/client";
import type { components } from "../api/schema";
import { signInElsewhere } from "../session";
import { providerText as words } from "../text/en/code";

export type Provider = components["schemas"]["instance.sign-in-providers"]["providers"][number];

export const readProviders = async (signal: AbortSignal): Promise<readonly Provider[]> =>
  (await given(api.GET("/api/auth/oidc", { signal }))).providers;

const startOf = (id: string, next: string): string =>
  `/api/auth/oidc/${encodeURIComponent(id)}/start?next=${encodeURIComponent(next)}`;

interface Props {
  providers: readonly Provider[];
  /** The place to come back to. */
  next: string;
  /** Over a page that must stay as it is. */
  isApart?: boolean;
}

/** One link to each place that vouches for its people. */
export function ProviderLinks({ providers, next, isApart }: Props) {
  return (
    <ul class="stack-tight providers">
      {providers.map(({ id, name }) => (
        <li key={id}>
          <a
            class="button"
            href={startOf(id, next)}
            onClick={signInElsewhere}
            {...(isApart && { target: "_blank", rel: "noopener", title: words.newTab })}
          >
            {words.signInWith(name)}
          </a>
        </li>
      ))}
    </ul>
  );
}
