// SPDX-License-Identifier: MIT
// What lies over what in a picture? measure(text) draws an <svg> and returns complaints; texts that
// touch by less than SLACK pixels do not overlap.
const SLACK = 1;

const boxOf = (e) => {
  const r = e.getBoundingClientRect();
  return { left: r.left, right: r.right, top: r.top, bottom: r.bottom };
};
const overlap = (a, b, slack = SLACK) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
const inside = (a, b, slack = SLACK) =>
  a.left >= b.left - slack && a.right <= b.right + slack && a.top >= b.top - slack && a.bottom <= b.bottom + slack;
const union = (boxes) => boxes.reduce((a, b) => ({
  left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), top: Math.min(a.top, b.top), bottom: Math.max(a.bottom, b.bottom) }));

/* The outline of a node: all its shapes; of a frame, the border around it; of a node that is but text, nothing. */
function outline(node) {
  if (node.classList.contains("frame")) return boxOf([...node.ownerSVGElement.querySelectorAll(".cluster")].find((c) => c.id + ".frame" === node.id));
  const shapes = [...node.querySelectorAll("polygon,ellipse,path,polyline")].map(boxOf);
  return shapes.length ? union(shapes) : null;
}

/* Points of a line, closely enough that no letter fits between two. */
function pointsOf(path) {
  const out = [], length = path.getTotalLength(), to = path.getScreenCTM();
  for (let at = 0; at <= length; at += 2) out.push(path.getPointAtLength(at).matrixTransform(to));
  return out;
}

function measure(text) {
  document.body.innerHTML = text.slice(text.indexOf("<svg"));
  const root = document.body.querySelector("svg"), problems = [];
  const view = boxOf(root);
  const texts = [...root.querySelectorAll("text")].map((e) => ({ text: e.textContent.trim(), box: boxOf(e), node: e.closest(".node") }))
    .filter((t) => t.text !== "");
  const say = (what, ...names) => problems.push(`${what}: ${names.map((n) => JSON.stringify(n)).join(", ")}`);
  for (const t of texts) {
    if (t.box.right - t.box.left < 1) say("text without a width", t.text);
    if (!inside(t.box, view)) say("text leaves the picture", t.text);
  }
  texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => overlap(a.box, b.box) && say("texts overlap", a.text, b.text)));
  const nodes = [...root.querySelectorAll(".node")].map((e) => ({ e, box: outline(e) })).filter((n) => n.box);
  for (const n of nodes) {
    for (const t of texts) {
      if (t.node === n.e && !inside(t.box, n.box)) say("text leaves its node", t.text);
      if (t.node !== n.e && overlap(t.box, n.box)) say("text over a node", t.text, n.e.id);
    }
  }
  nodes.forEach((a, i) => nodes.slice(i + 1).forEach((b) => overlap(a.box, b.box) && say("nodes overlap", a.e.id, b.e.id)));
  for (const c of root.querySelectorAll(".cluster")) {
    const border = c.querySelector("path,polygon");
    const box = border && boxOf(border);
    for (const t of box ? texts : []) if (overlap(t.box, box, 0) && !inside(t.box, box, 0)) say("text over a border", t.text);
  }
  const lines = [...root.querySelectorAll(".edge")].flatMap((e) => [...e.querySelectorAll("path")].map((p) => ({ id: e.id, at: pointsOf(p) })));
  /* A hexagon's corners are not the hexagon. */
  const covers = (n, p) => within(p, n.box, 4) && [...n.e.querySelectorAll("polygon,ellipse")].some((s) => {
    const q = p.matrixTransform(s.getScreenCTM().inverse());
    return [[-4, 0], [4, 0], [0, -4], [0, 4]].every(([x, y]) => s.isPointInFill(new DOMPoint(q.x + x, q.y + y)));
  });
  const within = (p, b, slack) => p.x > b.left + slack && p.x < b.right - slack && p.y > b.top + slack && p.y < b.bottom - slack;
  for (const l of lines) {
    for (const t of texts) if (l.at.some((p) => within(p, t.box, SLACK))) say("a line over text", l.id, t.text);
    for (const n of nodes) if (l.at.some((p) => covers(n, p))) say("a line over a node", l.id, n.e.id);
  }
  return { problems: [...new Set(problems)], texts: texts.length };
}
