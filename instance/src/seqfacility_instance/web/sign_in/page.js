"use strict";

const part = (id) => document.getElementById(id);

async function ask(method, path, body) {
  const options = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) options.body = JSON.stringify(body);
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The service cannot be reached.");
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(said.error || `The service answered ${answer.status}.`);
  return said;
}

function show(user) {
  part("problem").textContent = "";
  part("sign-in").hidden = Boolean(user);
  part("signed-in").hidden = !user;
  if (user) part("person").textContent = `${user.firstName} ${user.lastName} (${user.email})`;
}

// Says what went wrong in the service's own words, and leaves everything as it was.
const trying = (act) => act().catch((problem) => { part("problem").textContent = problem.message; });

part("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const { email, password } = event.target.elements;
  trying(async () => {
    show((await ask("POST", "api/auth/sign-in", { email: email.value, password: password.value })).user);
    password.value = "";
  });
});

part("sign-out").addEventListener("click", () => trying(async () => {
  await ask("POST", "api/auth/sign-out");
  show(null);
}));

trying(async () => {
  show((await ask("GET", "api/auth/session")).user);
  const { siteName } = await ask("GET", "api/site");
  part("site").textContent = siteName;
  document.title = `Sign in – ${siteName}`;
});
