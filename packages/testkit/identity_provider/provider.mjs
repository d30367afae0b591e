// Runs a certified OpenID provider on a free port of 127.0.0.1, until its standard input ends.
//
//   node provider.mjs '{"clients": [...], "people": {"login": {claims}}}'

import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const { clients, people } = JSON.parse(process.argv[2]);

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients,
    claims: {
      openid: ["sub", "groups", "department"],
      email: ["email", "email_verified"],
      profile: ["given_name", "family_name"],
    },
    cookies: { keys: ["of tests only"] },
    features: { backchannelLogout: { enabled: true } },
    findAccount: (_context, login) => ({ accountId: login, claims: () => ({ sub: login, ...people[login] }) }),
    // Its own dispatcher refuses addresses of this machine, where the instance of a test listens.
    fetch: (url, options) => globalThis.fetch(url, { ...options, dispatcher: undefined }),
  });
  for (const trouble of ["server_error", "backchannel.error"]) {
    provider.on(trouble, (_context, error) => console.error(trouble, error));
  }
  server.on("request", provider.callback());
  console.log(`listening on ${issuer}`);
});

process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
