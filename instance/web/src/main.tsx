import { render } from "preact";
import { App } from "./app";
import { keepFocus } from "./frame/keep-focus";
import { applyLook } from "./look";
import { readBoot } from "./session";
import "./style/main.css";

const page = document.getElementById("page");

applyLook();
keepFocus();
// WHY no `await` at the top: what screens share could then not be in this chunk, and would be one request more.
void readBoot().then(() => {
  if (page) render(<App />, page);
});
