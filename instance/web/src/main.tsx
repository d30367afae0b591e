import { render } from "preact";
import { App } from "./app";
import { applyLook } from "./look";
import { readBoot } from "./session";
import "./style/main.css";

applyLook();
await readBoot();
const page = document.getElementById("page");
if (page) render(<App />, page);
