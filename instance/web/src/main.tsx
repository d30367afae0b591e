import { render } from "preact";
import { askAhead } from "./ahead";
import { App } from "./app";
import { keepFocus } from "./frame/keep-focus";
import { applyLook } from "./look";
import { placesAt } from "./place";
import { readBoot, user } from "./session";
import "./style/main.css";

const PATIENCE_MS = 150;

const page = document.getElementById("page");

applyLook();
keepFocus();
// The screen comes while the service says who is asking: one way to the server less before anything is shown.
const [likely] = placesAt(location.pathname);
const screen = likely && location.pathname !== "/" ? likely.screen.preload() : null;
// WHY no `await` at the top: what screens share could then not be in this chunk, and would be one request more.
void readBoot().then(async () => {
  const asked = user.value && !user.value.mustChangePassword ? askAhead(location) : null;
  // One drawing in place of two, where the screen is about to come; and what is asked for comes meanwhile.
  await Promise.race([Promise.all([screen, asked]), new Promise((go) => setTimeout(go, PATIENCE_MS))]);
  if (page) render(<App />, page);
});
