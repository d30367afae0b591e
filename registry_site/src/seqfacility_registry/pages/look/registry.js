// Filter of tables and search over search.json. Without it every page is complete.
"use strict";

const MAX_FOUND = 20;

function words(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function plural(count, one, many) {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

// Each input wants its words in its part of a row, or in all but what is another's.
function textOf(row, part) {
  if (part) return [...row.querySelectorAll(part)].map((one) => one.textContent).join(" ").toLowerCase();
  const copy = row.cloneNode(true);
  copy.querySelectorAll(".names").forEach((one) => one.remove());
  return copy.textContent.toLowerCase();
}

function filterTable(bar) {
  const table = document.getElementById(bar.dataset.filter);
  const inputs = [...bar.querySelectorAll("input")];
  const status = bar.querySelector("[role=status]");
  const rows = [...table.querySelectorAll("tbody tr:not(.group)")].map((row) => [row, inputs.map((input) => textOf(row, input.dataset.part))]);

  function show() {
    const wanted = inputs.map((input) => words(input.value));
    let shown = 0;
    for (const [row, texts] of rows) {
      row.hidden = !wanted.every((some, place) => some.every((word) => texts[place].includes(word)));
      shown += row.hidden ? 0 : 1;
    }
    for (const group of table.querySelectorAll("tr.group")) {
      group.hidden = ![...group.parentElement.rows].some((row) => row !== group && !row.hidden);
    }
    status.textContent = wanted.every((some) => some.length === 0) ? "" : plural(shown, "row", "rows");
  }

  // A search leads here: ?field=depth fills the input of that name.
  const asked = new URLSearchParams(location.search);
  for (const input of inputs) {
    input.value = asked.get(input.name) ?? "";
    input.addEventListener("input", show);
  }
  bar.hidden = false;
  show();
}

// How well a row fits: it is named so, begins so, is named with all words, or mentions them.
function rank(row, asked, wanted) {
  const title = row.title.toLowerCase();
  if (title === asked) return 0;
  if (title.startsWith(asked)) return 1;
  return wanted.every((word) => title.includes(word)) ? 2 : 3;
}

function search(bar) {
  const root = document.body.dataset.root;
  const input = bar.querySelector("input");
  const found = bar.querySelector("#found");
  const status = found.querySelector("[role=status]");
  const list = found.querySelector("ul");
  let index = null;

  async function load() {
    const answer = await fetch(`${root}search.json`);
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const rows = await answer.json();
    return rows.map((row) => ({ ...row, text: `${row.title} ${row.kind} ${row.words}`.toLowerCase() }));
  }

  function close() {
    found.hidden = true;
  }

  async function show() {
    const wanted = words(input.value);
    if (wanted.length === 0) return close();
    index ??= load();
    let rows;
    try {
      rows = await index;
    } catch {
      index = null;
      status.textContent = "The search can't be reached. The pages above list everything.";
      list.replaceChildren();
      found.hidden = false;
      return;
    }
    if (input.value.trim() === "" || words(input.value).join(" ") !== wanted.join(" ")) return;
    const hits = rows.filter((row) => wanted.every((word) => row.text.includes(word)));
    const asked = wanted.join(" ");
    hits.sort((one, other) => rank(one, asked, wanted) - rank(other, asked, wanted));
    list.replaceChildren(
      ...hits.slice(0, MAX_FOUND).map((row) => {
        const link = Object.assign(document.createElement("a"), { href: root + row.path, textContent: row.title });
        const item = document.createElement("li");
        item.append(link, ` ${row.kind}`);
        return item;
      }),
    );
    status.textContent = hits.length > MAX_FOUND ? `The first ${MAX_FOUND} of ${hits.length}` : plural(hits.length, "place", "places");
    found.hidden = false;
  }

  input.addEventListener("input", show);
  bar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    input.focus();
  });
  bar.addEventListener("focusout", (event) => {
    if (!bar.contains(event.relatedTarget)) close();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  bar.hidden = false;
}

document.querySelectorAll("[data-filter]").forEach(filterTable);
search(document.getElementById("search"));
