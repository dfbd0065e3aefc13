// SPDX-License-Identifier: MIT
// Filters, search, keys and colours of the report. All content is in the page already: without this
// script only these are missing. What is chosen stands behind the '#' of the address, so that a
// filtered view can be sent around.
"use strict";
(() => {
const articles = [...document.querySelectorAll("article")].map(node => ({
  node,
  severity: node.dataset.severity,
  rule: node.dataset.rule,
  file: node.parentNode.dataset.file,
  text: (node.querySelector("h3").textContent + " " + node.querySelector(".at").textContent + " " +
    [...node.querySelectorAll("li > p, .fix > summary")].map(p => p.textContent).join(" ")).toLowerCase(),
}));
const sections = [...document.querySelectorAll("section.file")];
const facets = ["severity", "rule", "file"];
const chosen = { severity: new Set(), rule: new Set(), file: new Set() };
const choices = { severity: new Map(), rule: new Map(), file: new Map() };
let words = [];
let shown = articles;
let current = -1;

function make(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

const search = make("input", { type: "search", placeholder: "Search  ( / )", ariaLabel: "Search" });
const status = make("p", { className: "shown" });
status.setAttribute("role", "status");

function matches(a, except) {
  return words.every(w => a.text.includes(w)) &&
    facets.every(f => f === except || chosen[f].size === 0 || chosen[f].has(a[f]));
}

// Each count says how many findings a click on that line would show.
function recount(facet) {
  const counts = new Map();
  for (const a of articles)
    if (matches(a, facet))
      counts.set(a[facet], (counts.get(a[facet]) || 0) + 1);
  for (const [value, button] of choices[facet]) {
    const count = counts.get(value) || 0;
    button.lastChild.textContent = count;
    button.classList.toggle("empty", count === 0);
    button.setAttribute("aria-pressed", chosen[facet].has(value));
  }
}

function keepInAddress() {
  const state = new URLSearchParams();
  if (search.value)
    state.set("q", search.value);
  for (const facet of facets)
    for (const value of chosen[facet])
      state.append(facet, value);
  try {
    history.replaceState(null, "", "#" + state);
  } catch (error) { /* an address that may not change */ }
}

function update() {
  words = search.value.toLowerCase().split(/\s+/).filter(w => w);
  shown = [];
  for (const a of articles) {
    const visible = matches(a);
    a.node.hidden = !visible;
    if (visible)
      shown.push(a);
  }
  for (const section of sections) {
    const count = section.querySelectorAll("article:not([hidden])").length;
    section.hidden = count === 0;
    section.querySelector(".count").textContent = count;
  }
  facets.forEach(recount);
  status.textContent = shown.length === articles.length ? `${articles.length} findings `
    : `${shown.length} of ${articles.length} findings `;
  if (shown.length !== articles.length)
    status.append(make("button", { type: "button", textContent: "show all", onclick: clear }));
  select(-1);
  keepInAddress();
}

function clear() {
  search.value = "";
  facets.forEach(f => chosen[f].clear());
  update();
}

function toggle(facet, value) {
  if (!chosen[facet].delete(value))
    chosen[facet].add(value);
  update();
}

function addFacet(aside, facet, title) {
  const counts = new Map();
  for (const a of articles)
    counts.set(a[facet], (counts.get(a[facet]) || 0) + 1);
  let values = [...counts.keys()];
  if (facet === "severity")
    values = ["error", "warning", "note"].filter(v => counts.has(v));
  else if (facet === "rule")
    values.sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
  if (values.length < 2)
    return;
  aside.append(make("h4", { textContent: title }));
  const about = new Map([...document.querySelectorAll(".checks dt")].map(
    dt => [dt.textContent, dt.nextElementSibling.textContent]));
  for (const value of values) {
    const label = facet === "rule" ? value.replace(/^awaitc-/, "") : value;
    const button = make("button", { type: "button", className: "choice" + (facet === "file" ? " path" : ""),
      title: about.get(value) || value, onclick: () => toggle(facet, value) },
      make("span", {}, facet === "file" ? "\u2066" + label + "\u2069" : label), make("b", {}));
    choices[facet].set(value, button);
    aside.append(button);
  }
}

function select(index) {
  if (shown[current])
    shown[current].node.classList.remove("current");
  document.querySelectorAll("article.current").forEach(a => a.classList.remove("current"));
  current = index;
  if (!shown[current])
    return;
  const node = shown[current].node;
  node.classList.add("current");
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "nearest" });
}

function openAll(details) {
  const open = details.some(d => !d.open);
  details.forEach(d => { d.open = open; });
}

function copy(button) {
  navigator.clipboard?.writeText(button.textContent).then(() => {
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1200);
  }, () => {});
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  try {
    localStorage.setItem("awaitc-theme", name);
  } catch (error) { /* no storage for files */ }
}

// C in a few colours, done when a finding comes into view.
const token = /\/\/.*|\/\*[^]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|\b(?:async|await|defer|auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|bool|_Bool|NULL|true|false)\b/g;

function colourText(node) {
  const text = node.textContent;
  const out = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(token)) {
    const kind = /^\/[/*]/.test(match[0]) ? "c" : /^["']/.test(match[0]) ? "s" : "k";
    out.append(text.slice(end, match.index), make("span", { className: kind, textContent: match[0] }));
    end = match.index + match[0].length;
  }
  out.append(text.slice(end));
  node.replaceWith(out);
}

function colour(article) {
  for (const code of article.querySelectorAll("pre.src code"))
    for (const node of [...code.childNodes])
      if (node.nodeType === Node.TEXT_NODE)
        colourText(node);
}

const inView = new IntersectionObserver(entries => {
  for (const entry of entries)
    if (entry.isIntersecting) {
      inView.unobserve(entry.target);
      colour(entry.target);
    }
}, { rootMargin: "400px" });

const keyTable = [
  ["j", "next finding", () => select(Math.min(current + 1, shown.length - 1))],
  ["k", "previous finding", () => select(Math.max(current - 1, 0))],
  ["o", "open or close the chain and the fix", () => shown[current] && openAll([...shown[current].node.querySelectorAll("details")])],
  ["e", "open or close all of them", () => openAll(shown.flatMap(a => [...a.node.querySelectorAll("details")]))],
  ["c", "copy the place", () => shown[current] && copy(shown[current].node.querySelector(".place"))],
  ["/", "search", () => { search.focus(); search.select(); }],
  ["x", "show all again", clear],
  ["t", "light or dark", theme],
  ["?", "this help", () => help.showModal()],
];
const help = make("dialog", {}, make("table", {}, ...keyTable.map(([key, what]) =>
  make("tr", {}, make("td", {}, make("kbd", { textContent: key })), make("td", { textContent: what })))));
help.onclick = () => help.close();

addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || help.open)
    return;
  if (event.target === search) {
    if (event.key === "Escape" || event.key === "Enter")
      search.blur();
    return;
  }
  const entry = keyTable.find(k => k[0] === event.key);
  if (entry) {
    event.preventDefault();
    entry[2]();
  }
});
document.addEventListener("click", event => {
  if (event.target.closest(".place"))
    copy(event.target.closest(".place"));
});

function start() {
  const state = new URLSearchParams(location.hash.slice(1));
  search.value = state.get("q") || "";
  search.oninput = update;
  document.body.append(help);
  document.querySelector("header").append(make("div", { className: "tools" },
    make("button", { type: "button", textContent: "Light / dark", onclick: theme }),
    make("button", { type: "button", textContent: "Keys ( ? )", onclick: () => help.showModal() })));
  try {
    const name = localStorage.getItem("awaitc-theme");
    if (name === "light" || name === "dark")
      document.documentElement.dataset.theme = name;
  } catch (error) { /* no storage for files */ }
  if (articles.length === 0)
    return;
  const aside = document.getElementById("filters");
  aside.append(search, status);
  addFacet(aside, "severity", "Severity");
  addFacet(aside, "rule", "Check");
  addFacet(aside, "file", "File");
  for (const facet of facets)
    state.getAll(facet).filter(v => choices[facet].has(v)).forEach(v => chosen[facet].add(v));
  aside.hidden = false;
  articles.forEach(a => inView.observe(a.node));
  update();
}
start();
})();
