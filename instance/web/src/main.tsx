import { render } from "preact";
import { App } from "./app";
import { keepFocus } from "./frame/keep-focus";
import { applyLook } from "./look";
import { placesAt } from "./place";
import { readBoot } from "./session";
import "./style/main.css";

const page = document.getElementById("page");

applyLook();
keepFocus();
// The screen comes while the service says who is asking: one way to the server less before anything is shown.
const [likely] = placesAt(location.pathname);
if (likely && location.pathname !== "/") void likely.screen.preload();
// WHY no `await` at the top: what screens share could then not be in this chunk, and would be one request more.
void readBoot().then(() => {
  if (page) render(<App />, page);
});
