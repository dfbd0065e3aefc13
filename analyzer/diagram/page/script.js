"use strict";
const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const sources = JSON.parse($("sources").textContent);
const state = { fn: 0, view: "states", cancel: false, pick: null, part: null };
const view = { x: 0, y: 0, k: 1 };
const bytes = (n) => Number(n).toLocaleString("en") + " B";
const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const isState = (n) => n.kind === "state";
const make = (tag, props, ...kids) => {
  const e = Object.assign(document.createElement(tag), props || {});
  e.append(...kids);
  return e;
};

/* ---- the list ---- */
const most = Math.max(1, ...data.functions.map((f) => f.frame.bytes));
function matches(f, words) {
  const all = [f.name, f.file, f.signature, ...f.nodes.map((n) => `${n.title} ${n.text || ""}`)].join(" ").toLowerCase();
  return words.every((w) => all.includes(w));
}
function drawList() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = $("list");
  list.replaceChildren();
  let file = null, shown = 0;
  data.functions.forEach((f, i) => {
    if (!matches(f, words)) return;
    shown++;
    if (f.file !== file) list.append(make("div", { className: "file", textContent: (file = f.file) }));
    const count = f.nodes.filter(isState).length;
    const bar = make("span", {});
    bar.style.width = (100 * f.frame.bytes) / most + "%";
    const b = make("button", { className: "fn", title: f.signature },
      make("b", { textContent: f.name }),
      make("i", { textContent: `${count} · ${bytes(f.frame.bytes)}` }),
      make("span", { className: "size" }, bar));
    b.dataset.fn = i;
    b.setAttribute("aria-current", i === state.fn);
    b.onclick = () => show({ fn: i, pick: null, part: null });
    list.append(b);
    const own = i === state.fn && state.view !== "calls";
    for (const n of f.nodes.filter(isState)) {
      const hit = words.length && words.some((w) => `${n.title} ${n.text}`.toLowerCase().includes(w));
      if (!(own || hit)) continue;
      const s = make("button", { className: "st", textContent: `${n.number}  ${n.title}`, title: n.text });
      s.setAttribute("aria-current", i === state.fn && n.id === state.pick);
      s.onclick = () => show({ fn: i, pick: n.id, part: partOf(i, n) });
      list.append(s);
    }
  });
  if (!shown) list.append(make("p", { textContent: "Nothing matches." }));
  $("count").textContent = words.length ? `${shown} of ${data.functions.length}` : "";
}

/* A function of that name, one that begins so, a state, any function. */
function firstHit() {
  const word = $("search").value.trim().toLowerCase();
  const functions = [...document.querySelectorAll("nav .fn")];
  const name = (b) => data.functions[+b.dataset.fn].name.toLowerCase();
  return functions.find((b) => name(b) === word) || (word && functions.find((b) => name(b).startsWith(word))) ||
    (word && document.querySelector("nav .st")) || functions[0];
}

/* ---- the picture ---- */
function templateId() {
  if (state.view === "calls") return "calls";
  if (state.view === "frame") return `frame-${state.fn}`;
  if (state.part && $(`part-${state.fn}-${state.part}`)) return `part-${state.fn}-${state.part}`;
  const cancel = `cancel-${state.fn}`;
  return state.cancel && $(cancel) ? cancel : `states-${state.fn}`;
}
function partOf(fn, node) {
  for (const t of document.querySelectorAll(`template[data-part="${fn}"]`)) {
    const [a, b] = t.dataset.range.split("-").map(Number);
    if (isState(node) && node.number >= a && node.number <= b) return t.dataset.range;
  }
  return null;
}
let shownId = null;
function drawPicture() {
  const id = templateId(), isNew = id !== shownId;
  if (isNew) {
    const t = $(id);
    $("canvas").replaceChildren(t ? t.content.cloneNode(true) : make("p", { textContent: "There is no such picture." }));
    shownId = id;
    prepare();
    fit(READABLE);
  }
  const crumb = $("crumb");
  crumb.replaceChildren();
  if (state.part && state.view === "states")
    crumb.append(make("button", { textContent: "↑ whole function", onclick: () => show({ part: null, pick: null }) }));
  mark();
  return isNew;
}
function nodeOf(g) {
  if (g.classList.contains("word")) return {};
  const id = (g.id || "").split(".");
  if (id[0] === "call") return { call: data.calls.nodes.find((n) => n.id === id[1]) };
  const f = data.functions[state.fn];
  return { id: id.pop(), node: f && f.nodes.find((n) => n.id === g.id.slice(f.name.length + 1)) };
}
function edgeOf(g) {
  const m = /\.e(\d+)(\.tail|\.word)?$/.exec(g.id || "");
  const f = data.functions[state.fn];
  return m && state.view === "states" ? f.edges[+m[1]] : null;
}
function prepare() {
  for (const e of $("canvas").querySelectorAll("title")) e.remove();
  for (const a of $("canvas").querySelectorAll("a")) {
    const text = a.getAttribute("xlink:title") || a.getAttributeNS("http://www.w3.org/1999/xlink", "title");
    const g = a.closest(".node,.edge,.cluster");
    if (g && text) g.dataset.tip = text.replace(/\u00a0/g, " ");
    for (const name of [...a.getAttributeNames()]) if (name.includes("title")) a.removeAttribute(name);
  }
  for (const g of $("canvas").querySelectorAll(".node")) {
    const { node, call, id } = nodeOf(g);
    if (!node && !call && !/^fold/.test(id || "")) continue;
    g.setAttribute("tabindex", "0");
    g.setAttribute("role", "button");
    g.setAttribute("aria-label", call ? call.name : node ? `${node.number || ""} ${node.title}` : "states");
  }
}
function choose(g) {
  const { node, call, id } = nodeOf(g);
  if (call) {
    const i = data.functions.findIndex((f) => f.name === call.name && f.file === call.file && f.line === call.line);
    if (i >= 0) show({ fn: i, view: "states", pick: null, part: null });
    return;
  }
  const fold = /^fold(\d+)$/.exec(id || "");
  if (fold) {
    const t = [...document.querySelectorAll(`template[data-part="${state.fn}"]`)].find((p) => p.dataset.range.startsWith(fold[1] + "-"));
    if (t) show({ part: t.dataset.range, pick: null });
    return;
  }
  if (node) show({ pick: node.id });
}
/* The function's box in the calls. */
function ownCall(f) {
  const is = (c) => c && c.name === f.name && c.file === f.file && c.line === f.line;
  return [...$("canvas").querySelectorAll(".function")].find((g) => is(nodeOf(g).call));
}
function mark() {
  const f = data.functions[state.fn];
  const canvas = $("canvas");
  canvas.querySelectorAll(".picked,.hot").forEach((e) => e.classList.remove("picked", "hot"));
  if (f && state.view === "calls") ownCall(f)?.classList.add("picked");
  if (!f || state.view !== "states" || !state.pick) return;
  for (const g of canvas.querySelectorAll(".node")) if (nodeOf(g).id === state.pick) g.classList.add("picked");
  for (const g of canvas.querySelectorAll(".edge,.word")) {
    const e = edgeOf(g);
    if (e && (e.from === state.pick || e.to === state.pick)) g.classList.add("hot");
  }
}

/* ---- the details ---- */
function link(text, to) {
  return make("a", { textContent: text, tabIndex: 0, role: "button", onclick: () => show(to), onkeydown: (e) => e.key === "Enter" && show(to) });
}
function nameOf(f, id) {
  const n = f.nodes.find((m) => m.id === id);
  return isState(n) ? `${n.number} ${n.title}` : n.kind === "start" ? "start" : n.title;
}
function table(head, rows) {
  const t = make("table", {}, make("tr", {}, ...head.map((h) => make("th", { textContent: h }))));
  for (const r of rows) t.append(make("tr", {}, ...r.map((c) => make("td", { className: typeof c === "number" ? "n" : "" }, typeof c === "number" ? bytes(c) : c))));
  return t;
}
function edgesTable(f, edges, far, title) {
  return edges.length ? table([title, "when", "runs"], edges.map((e) => [
    link((e.back ? "↺ " : e.cancel ? "✕ " : "") + nameOf(f, e[far]), { pick: e[far], part: partOf(state.fn, f.nodes.find((n) => n.id === e[far])) }),
    e.when ? make("code", { textContent: e.when }) : "always", e.cleanups.join(", then ")])) : "";
}
function drawFunction(f, d) {
  d.append(make("h2", { textContent: f.name }), make("div", {}, make("code", { textContent: f.signature })),
    make("p", { textContent: `${f.file}:${f.line}. ${counted(f.nodes.filter(isState).length, "state")}. The frame has ${bytes(f.frame.bytes)}, ${bytes(Math.max(f.frame.need_bytes, f.frame.bytes))} with what it awaits.` }));
  const big = f.frame.rows.filter((r) => r.kind === "local").sort((a, b) => b.size - a.size).slice(0, 5);
  if (big.length) d.append(table(["largest locals", "", "type", "kept by"], big.map((r) => [
    make("code", { textContent: r.name }), r.size, r.type,
    r.states.length ? link(`${r.states[0]}`, { pick: `s${r.states[0]}`, part: null }) : ""])));
}
function drawNode(f, n, d) {
  d.append(make("h2", { textContent: nameOf(f, n.id) }));
  if (n.text) d.append(make("div", {}, make("code", { textContent: n.text })));
  const facts = [`${n.file}:${n.line}`];
  if (isState(n)) facts.push(n.what, `keeps ${bytes(n.kept_bytes)}`, `room for what it awaits: ${bytes(n.room_bytes || 0)}`);
  if (!n.reachable) facts.push("nothing leads here");
  d.append(make("p", { textContent: facts.join(" · ") }));
  for (const x of n.findings || []) d.append(make("p", { className: "mark", textContent: `! ${x.message} [${x.rule}]` }));
  d.append(edgesTable(f, f.edges.filter((e) => e.from === n.id), "to", "goes on to"),
    edgesTable(f, f.edges.filter((e) => e.to === n.id), "from", "comes from"));
  if ((n.keeps || []).length)
    d.append(table(["keeps", "", "at", "because"], n.keeps.map((k) => [make("code", { textContent: k.name }), k.size, String(k.offset), k.why])));
}
function drawDetail() {
  const d = $("detail"), f = data.functions[state.fn];
  d.replaceChildren();
  if (!f) return;
  const n = state.pick && f.nodes.find((m) => m.id === state.pick);
  if (n && n.kind !== "start") drawNode(f, n, d);
  else drawFunction(f, d);
  d.scrollTop = 0;
}

/* ---- the source ---- */
const WORDS = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\b(?:async|await|defer)\b|\b(?:auto|bool|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while)\b|^[ \t]*#[ \t]*\w+/gm;
function kindOfWord(w) {
  if (w.startsWith("/*") || w.startsWith("//")) return "comment";
  if (/^["']/.test(w)) return "text";
  return /^(async|await|defer)$/.test(w) ? "wait" : "word";
}
/* The lines of a file, each as a list of texts and marked-up words. */
function linesOf(text) {
  const lines = [[]];
  const add = (part, kind) => part.split("\n").forEach((piece, i) => {
    if (i) lines.push([]);
    if (piece) lines[lines.length - 1].push(kind ? make("span", { className: kind, textContent: piece }) : piece);
  });
  let at = 0;
  for (const m of text.matchAll(WORDS)) {
    add(text.slice(at, m.index), "");
    add(m[0], kindOfWord(m[0]));
    at = m.index + m[0].length;
  }
  add(text.slice(at), "");
  return lines;
}
let shownFile = null;
function drawSource() {
  const f = data.functions[state.fn], box = $("source");
  if (!f) return;
  const n = f.nodes.find((m) => m.id === state.pick);
  const file = (n && n.file) || f.file;
  if (file !== shownFile) {
    shownFile = file;
    box.replaceChildren();
    const at = {};
    for (const g of data.functions) for (const m of g.nodes) if (isState(m) && m.file === file) (at[m.line] = at[m.line] || []).push([g, m]);
    linesOf(sources[file] || "(the source could not be read)").forEach((parts, i) => {
      const marks = at[i + 1] || [];
      const row = make("div", { className: "row" + (marks.length ? " has" : "") },
        marks.length ? make("span", { className: "tag", textContent: marks.map((m) => m[1].number).join(" ") }) : make("span"),
        make("span", { className: "no", textContent: i + 1 }), make("span", {}, ...(parts.length ? parts : [" "])));
      row.dataset.line = i + 1;
      row.onclick = () => {
        const own = marks.find((m) => m[0] === data.functions[state.fn]) || marks[0];
        if (own) show({ fn: data.functions.indexOf(own[0]), view: "states", pick: own[1].id, part: partOf(data.functions.indexOf(own[0]), own[1]) });
      };
      box.append(row);
    });
  }
  const line = n ? n.line : f.line;
  for (const row of box.querySelectorAll(".here,.in")) row.classList.remove("here", "in");
  for (let i = f.line; file === f.file && i <= f.last_line; i++) box.querySelector(`[data-line="${i}"]`)?.classList.add("in");
  const here = box.querySelector(`[data-line="${line}"]`);
  if (here) {
    here.classList.add("here");
    box.scrollTop = here.offsetTop - box.clientHeight / 3;
  }
}

/* ---- zoom and pan ---- */
function place() {
  $("canvas").style.transform = `translate(${view.x}px,${view.y}px) scale(${view.k})`;
}
/* All of the picture; or as much as can be read, from its start. Below it the buttons have their place. */
const READABLE = 0.62, BUTTONS = 56;
function fit(least) {
  const svg = $("canvas").querySelector("svg"), box = $("picture");
  if (!svg) return;
  const w = svg.width.baseVal.value, h = svg.height.baseVal.value;
  const width = box.clientWidth - 24, height = box.clientHeight - 24 - BUTTONS;
  view.k = Math.min(1.25, Math.max(Math.min(width / w, height / h), least || 0));
  view.x = Math.max(12, (box.clientWidth - w * view.k) / 2);
  view.y = Math.max(12, (box.clientHeight - BUTTONS - h * view.k) / 2);
  place();
}
function zoomBy(factor, cx, cy) {
  const box = $("picture");
  cx = cx ?? box.clientWidth / 2;
  cy = cy ?? box.clientHeight / 2;
  const k = Math.min(8, Math.max(0.05, view.k * factor));
  view.x = cx - ((cx - view.x) * k) / view.k;
  view.y = cy - ((cy - view.y) * k) / view.k;
  view.k = k;
  place();
}
function bringIn(g) {
  if (!g) return;
  const r = g.getBoundingClientRect(), b = $("picture").getBoundingClientRect();
  if (r.left < b.left || r.right > b.right) view.x += b.left + b.width / 2 - (r.left + r.width / 2);
  if (r.top < b.top || r.bottom > b.bottom) view.y += b.top + b.height / 2 - (r.top + r.height / 2);
  place();
}
const pic = $("picture");
let drag = null;
pic.addEventListener("wheel", (e) => {
  e.preventDefault();
  const r = pic.getBoundingClientRect();
  zoomBy(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0015)), e.clientX - r.left, e.clientY - r.top);
}, { passive: false });
pic.addEventListener("pointerdown", (e) => {
  if (e.target.closest("button")) return;
  drag = { x: e.clientX, y: e.clientY, moved: false };
});
addEventListener("pointermove", (e) => {
  if (!drag) return;
  const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
  if (!drag.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
  drag = { x: e.clientX, y: e.clientY, moved: true };
  pic.classList.add("drag");
  view.x += dx;
  view.y += dy;
  place();
});
addEventListener("pointerup", (e) => {
  const moved = drag && drag.moved, own = drag;
  drag = null;
  pic.classList.remove("drag");
  if (!own || moved) return;
  const g = e.target.closest && e.target.closest(".node:not(.word)");
  if (g && pic.contains(g)) choose(g);
});
pic.addEventListener("dblclick", () => fit());

/* ---- hover ---- */
const tip = $("tip");
pic.addEventListener("pointerover", (e) => {
  const g = e.target.closest(".node,.edge");
  if (!g) return;
  const edge = edgeOf(g), f = data.functions[state.fn];
  const text = edge ? `${nameOf(f, edge.from)} → ${nameOf(f, edge.to)}\n${edge.when || "always"}${edge.cleanups.map((c) => "\nruns " + c).join("")}` : g.dataset.tip;
  g.classList.add("hot");
  if (!text) return;
  tip.textContent = text;
  tip.hidden = false;
});
pic.addEventListener("pointermove", (e) => {
  tip.style.left = Math.min(innerWidth - tip.offsetWidth - 8, e.clientX + 14) + "px";
  tip.style.top = Math.min(innerHeight - tip.offsetHeight - 8, e.clientY + 16) + "px";
});
pic.addEventListener("pointerout", (e) => {
  tip.hidden = true;
  const g = e.target.closest(".node,.edge");
  if (g) g.classList.remove("hot");
  mark();
});

/* ---- everything ---- */
function show(change) {
  const before = state.fn;
  Object.assign(state, change);
  if (state.fn !== before && !("pick" in change)) state.pick = null;
  for (const b of document.querySelectorAll("[data-view]")) b.setAttribute("aria-selected", b.dataset.view === state.view);
  $("cancel").setAttribute("aria-pressed", state.cancel);
  document.body.dataset.shows = state.view;
  drawList();
  drawDetail();
  drawSource();
  const isNew = drawPicture();
  bringIn($("canvas").querySelector(".picked") || (isNew && $("canvas").querySelector(".start,.state")));
  const f = data.functions[state.fn];
  const hash = "#" + [f ? encodeURIComponent(f.name) : "", state.view, state.pick || ""].join("/");
  if (location.hash !== hash) history.replaceState(null, "", hash);
  document.querySelector('nav [aria-current="true"]')?.scrollIntoView({ block: "nearest" });
}
function fromHash() {
  const [name, v, pick] = decodeURIComponent(location.hash.slice(1)).split("/");
  const fn = data.functions.findIndex((f) => f.name === name);
  show({ fn: fn < 0 ? 0 : fn, view: ["states", "frame", "calls"].includes(v) ? v : "states", pick: pick || null, part: null });
}
function step(by) {
  const f = data.functions[state.fn];
  const all = f.nodes.filter(isState);
  if (!all.length) return;
  const at = all.findIndex((n) => n.id === state.pick);
  const n = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length];
  show({ view: state.view === "calls" ? "states" : state.view, pick: n.id, part: partOf(state.fn, n) });
}
function stepFunction(by) {
  const shown = [...document.querySelectorAll("nav .fn")].map((b) => +b.dataset.fn);
  if (!shown.length) return;
  const at = shown.indexOf(state.fn);
  show({ fn: shown[(at + by + shown.length) % shown.length], pick: null, part: null });
}
const dark = matchMedia("(prefers-color-scheme: dark)");
let chosen = null;
try { chosen = localStorage.getItem("awaitc-graph-theme"); } catch { chosen = null; }
function drawTheme() {
  document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light");
}
function setTheme(t) {
  chosen = t;
  drawTheme();
  try { localStorage.setItem("awaitc-graph-theme", t); } catch { /* a page from a file may have no storage */ }
}
const keys = {
  "/": () => $("search").focus(), j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
  "]": () => stepFunction(1), "[": () => stepFunction(-1), ArrowRight: () => stepFunction(1), ArrowLeft: () => stepFunction(-1),
  1: () => show({ view: "states" }), 2: () => show({ view: "frame" }), 3: () => show({ view: "calls" }),
  c: () => show({ cancel: !state.cancel }), "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: () => fit(),
  t: () => $("theme").click(), "?": () => $("help").showModal(), Escape: () => show({ pick: null, part: null }),
};
addEventListener("keydown", (e) => {
  if (e.target.closest("dialog") || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.target === $("search")) {
    if (e.key === "Escape") { $("search").value = ""; drawList(); $("search").blur(); }
    if (e.key === "Enter") { firstHit()?.click(); $("search").blur(); }
    return;
  }
  if (e.key === "Enter" && e.target.classList?.contains("node")) { choose(e.target); return; }
  if (e.target.closest("aside") && e.key.startsWith("Arrow")) return;
  const act = keys[e.key];
  if (act) { e.preventDefault(); act(); }
});
$("search").addEventListener("input", drawList);
for (const b of document.querySelectorAll("[data-view]")) b.onclick = () => show({ view: b.dataset.view });
$("cancel").onclick = () => show({ cancel: !state.cancel });
$("theme").onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
$("helpkey").onclick = () => $("help").showModal();
$("plus").onclick = () => zoomBy(1.25);
$("minus").onclick = () => zoomBy(0.8);
$("whole").onclick = () => fit();
addEventListener("resize", () => fit(READABLE));
addEventListener("hashchange", fromHash);
dark.addEventListener("change", drawTheme);
drawTheme();
fromHash();
