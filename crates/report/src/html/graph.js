// Trees and program schedules, drawn. They can be moved and made larger, and a node tells more when it is chosen.

const BOX = 236;
const GAP = 28;
const LINE = 16;
const FACTS = 4;

/** A tree from top to bottom: parents stand above the middle of their children. */
function layTree(graph) {
  const children = graph.nodes.map(() => []);
  for (const edge of graph.edges) if (edge.kind === "step") children[edge.from].push(edge.to);
  const boxes = graph.nodes.map((node) => ({ w: BOX, h: 12 + LINE * treeLines(node).length }));
  const depth = graph.nodes.map(() => 0);
  const tallest = [];
  const order = graph.nodes.length > 0 ? [0] : [];
  for (const at of order) {
    tallest[depth[at]] = Math.max(tallest[depth[at]] ?? 0, boxes[at].h);
    for (const child of children[at]) {
      depth[child] = depth[at] + 1;
      order.push(child);
    }
  }
  const tops = [];
  tallest.reduce((y, height, level) => ((tops[level] = y), y + height + 44), 20);
  const leaves = countLeaves(children, order);
  boxes.forEach((box) => (box.x = 20));
  // Each node has the room that its leaves need; children share it from left to right.
  const left = graph.nodes.map(() => 0);
  for (const at of order) {
    let next = left[at];
    for (const child of children[at]) {
      left[child] = next;
      next += leaves[child];
    }
    boxes[at].x = 20 + (left[at] + (leaves[at] - 1) / 2) * (BOX + GAP);
    boxes[at].y = tops[depth[at]];
  }
  const lines = graph.edges.map((edge) => {
    const [a, b] = [boxes[edge.from], boxes[edge.to]];
    if (edge.kind === "step") {
      const [x1, y1, x2, y2] = [a.x + a.w / 2, a.y + a.h, b.x + b.w / 2, b.y];
      return { kind: "step", d: `M${x1} ${y1}C${x1} ${y1 + 22} ${x2} ${y2 - 22} ${x2} ${y2 - 6}`, head: [x2, y2, 0] };
    }
    const right = b.x >= a.x;
    const [x1, y1] = [right ? a.x + a.w : a.x, a.y + a.h / 2];
    const [x2, y2] = [b.x + b.w, b.y + b.h / 2];
    const out = Math.max(x1, x2) + 36 + Math.min(60, Math.abs(y1 - y2) / 12);
    return { kind: "cover", d: `M${a.x + a.w} ${y1}C${out} ${y1} ${out} ${y2} ${x2 + 6} ${y2}`, head: [x2, y2, 90] };
  });
  return { boxes, lines, groups: [] };
}

function countLeaves(children, order) {
  const leaves = children.map(() => 0);
  for (const at of [...order].reverse()) {
    leaves[at] = children[at].length === 0 ? 1 : children[at].reduce((sum, child) => sum + leaves[child], 0);
  }
  return leaves;
}

/** A schedule: points one below the other, and after each its sections, with a column per thread. What does not wait for each other is at one height. */
function laySchedule(graph) {
  const boxes = graph.nodes.map(() => ({ w: BOX, h: 12 + LINE * 2, x: 0, y: 0 }));
  const sections = new Map();
  const used = new Set();
  graph.nodes.forEach((node, at) => {
    if (node.section === undefined) return;
    if (!sections.has(node.section)) sections.set(node.section, { events: [], level: new Map() });
    sections.get(node.section).events.push(at);
    used.add(node.thread);
  });
  const columns = [...used].sort((a, b) => a - b);
  const waitsFor = graph.nodes.map(() => []);
  for (const edge of graph.edges) {
    if (edge.kind === "step" || edge.kind === "after") waitsFor[edge.to].push(edge.from);
    else if (graph.nodes[edge.to].section !== undefined) Object.assign(sections.get(graph.nodes[edge.to].section), { from: edge.from, guard: edge.text });
    else sections.get(graph.nodes[edge.from].section).to = edge.to;
  }
  const [left, groups, lines] = [60, [], []];
  const width = columns.length * (BOX + GAP) - GAP;
  let y = 20;
  graph.nodes.forEach((node, at) => {
    if (node.section !== undefined) return;
    Object.assign(boxes[at], { w: 34, h: 34, x: left + width / 2 - 17, y });
    y += 34 + 30;
    for (const section of [...sections.values()].filter((section) => section.from === at)) {
      const top = y + (section.guard ? 12 : 0);
      let deepest = 0;
      for (const event of section.events) {
        const level = Math.max(0, ...waitsFor[event].map((before) => section.level.get(before) + 1));
        section.level.set(event, level);
        deepest = Math.max(deepest, level);
        boxes[event].x = left + columns.indexOf(graph.nodes[event].thread) * (BOX + GAP);
        boxes[event].y = top + 14 + level * (12 + LINE * 2 + 20);
      }
      const height = (deepest + 1) * (12 + LINE * 2 + 20) + 8;
      section.box = { x: left - 16, y: top, w: width + 32, h: height };
      groups.push({ ...section.box, text: section.guard });
      y = top + height + 34;
    }
  });
  const reached = reachedFrom(waitsFor);
  for (const edge of graph.edges) {
    if (edge.kind === "next" || (edge.kind === "after" && isImplied(edge, waitsFor, reached))) continue;
    const [a, b] = [boxes[edge.from], boxes[edge.to]];
    const [x1, y1, x2, y2] = [a.x + a.w / 2, a.y + a.h, b.x + b.w / 2, b.y];
    lines.push({ kind: edge.kind, d: `M${x1} ${y1}C${x1} ${y1 + 18} ${x2} ${y2 - 18} ${x2} ${y2 - 6}`, head: [x2, y2, 0] });
  }
  let aside = left + width + 40;
  for (const section of sections.values()) {
    if (!section.box) continue;
    const [from, to, box] = [boxes[section.from], boxes[section.to], section.box];
    const x = left + width / 2;
    lines.push(between(x, from.y + from.h, box.y, left - 34));
    if (!to) continue;
    const below = box.y + box.h;
    if (to.y > below && to.y - below < 60) lines.push({ kind: "next", d: `M${x} ${below}V${to.y - 6}`, head: [x, to.y, 0] });
    else {
      const turn = to.y + to.h / 2;
      lines.push({ kind: "again", d: `M${x} ${below}v8q0 8 8 8H${aside - 8}q8 0 8 ${turn < below ? -8 : 8}V${turn < below ? turn + 8 : turn - 8}Q${aside} ${turn} ${aside - 8} ${turn}H${to.x + to.w + 6}`, head: [to.x + to.w, turn, 90] });
      aside += 14;
    }
  }
  return { boxes, lines, groups };
}

/** For each event, all events that come before it. Events stand in an order in which they can happen. */
function reachedFrom(waitsFor) {
  const reached = [];
  waitsFor.forEach((before, at) => {
    reached[at] = new Set(before);
    for (const one of before) for (const earlier of reached[one] ?? []) reached[at].add(earlier);
  });
  return reached;
}

/** Whether an event comes before another one anyway, by way of a third. */
function isImplied(edge, waitsFor, reached) {
  return waitsFor[edge.to].some((other) => other !== edge.from && reached[other].has(edge.from));
}

/** From a point to a section below it, past what may be in between. */
function between(x, from, to, side) {
  if (to - from < 60) return { kind: "next", d: `M${x} ${from}V${to - 6}`, head: [x, to, 0] };
  return { kind: "next", d: `M${x} ${from}v6q0 8 -8 8H${side + 8}q-8 0 -8 8V${to - 22}q0 8 8 8H${x - 8}q8 0 8 8`, head: [x, to, 0] };
}

function treeLines(node) {
  const facts = node.facts ?? [];
  const more = facts.length > FACTS ? [`… ${facts.length - FACTS + 1} more`] : [];
  return [node.text || "start", (node.places ?? []).join("  ").replaceAll(": line ", ":"), ...facts.slice(0, more.length ? FACTS - 1 : FACTS), ...more];
}

function fitText(text, width) {
  const most = Math.floor(width / 6.7);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

class GraphView {
  constructor(graph, title, note) {
    graph = { ...graph, threads: graph.threads ?? [], nodes: graph.nodes ?? [], edges: graph.edges ?? [] };
    this.graph = graph;
    this.layout = graph.kind === "tree" ? layTree(graph) : laySchedule(graph);
    this.view = { x: 0, y: 0, k: 1 };
    this.scene = svg("g");
    this.canvas = svg("svg", { class: "graph-canvas", "aria-hidden": "true" }, this.scene);
    this.box = el("div", {
      class: "graph-box", tabindex: "0", role: "group",
      "aria-label": `${title}. Arrow keys move it, plus and minus change its size, 0 shows all of it. It is told as text below.`,
    }, this.canvas);
    this.details = el("div", { class: "graph-details", "aria-live": "polite" }, el("p", { class: "note" }, "Choose a node to see all of it."));
    const buttons = el("div", { class: "graph-buttons" },
      iconButton("plus", "Larger", "+", () => this.zoom(1.3)),
      iconButton("minus", "Smaller", "-", () => this.zoom(1 / 1.3)),
      iconButton("fit", "Show all", "0", () => this.fit()));
    const leftOut = graph.left_out ? el("p", { class: "note" }, `${count(graph.left_out, "node")} more ${graph.left_out === 1 ? "is" : "are"} left out: the drawing has the first ${graph.nodes.length}.`) : null;
    this.element = el("section", { class: "pane graph", "aria-label": title },
      el("div", { class: "pane-head" }, el("h3", {}, title), this.#legend(), buttons),
      note ? el("p", { class: "note" }, note) : null, leftOut, this.box, this.details, this.#asText());
    this.#draw();
    this.#listen();
    new ResizeObserver(() => {
      if (this.box.clientWidth > 0 && !this.moved) this.start();
    }).observe(this.box);
  }

  #legend() {
    return el("ul", { class: "legend" }, this.graph.threads.map((name, at) => el("li", { style: `--thread:${threadColor(at)}` }, el("i"), name)));
  }

  #draw() {
    const { boxes, lines, groups } = this.layout;
    const parts = groups.map((group) => svg("g", { class: "section" },
      svg("rect", { x: group.x, y: group.y, width: group.w, height: group.h, rx: 10 }),
      group.text ? svg("text", { x: group.x + 10, y: group.y - 4 }, fitText(group.text, group.w)) : null));
    for (const line of lines) {
      parts.push(svg("path", { class: `edge ${line.kind}`, d: line.d }));
      const [x, y, turn] = line.head;
      parts.push(svg("path", { class: `head ${line.kind}`, d: "M0 0l-4 -7h8z", transform: `translate(${x} ${y}) rotate(${turn})` }));
    }
    this.nodes = this.graph.nodes.map((node, at) => this.#node(node, boxes[at], at));
    this.scene.replaceChildren(...parts, ...this.nodes);
    const right = Math.max(1, ...boxes.map((box) => box.x + box.w), ...groups.map((group) => group.x + group.w + 60));
    const bottom = Math.max(1, ...boxes.map((box) => box.y + box.h));
    this.size = { w: right + 60, h: bottom + 30 };
  }

  #node(node, box, at) {
    const style = node.thread === undefined ? null : `--thread:${threadColor(node.thread)}`;
    const group = svg("g", { class: `node ${node.kind}`, style, transform: `translate(${box.x} ${box.y})`, click: () => this.choose(at) });
    if (this.graph.kind === "schedule" && node.section === undefined) {
      group.append(svg("circle", { cx: 17, cy: 17, r: 16 }), svg("text", { x: 17, y: 21, class: "point-name" }, node.id));
      if (node.kind === "end") group.append(svg("circle", { cx: 17, cy: 17, r: 12.5, class: "inner" }));
      return group;
    }
    group.append(svg("rect", { width: box.w, height: box.h, rx: 6 }), svg("rect", { width: 5, height: box.h, rx: 2.5, class: "side" }));
    const name = node.thread === undefined ? "" : (this.graph.threads[node.thread] ?? "");
    const line = node.location ? `${node.location.line} ` : "";
    const texts = this.graph.kind === "tree" ? treeLines(node) : [name + (node.kind === "omitted" ? " (omitted)" : ""), node.text];
    const marked = this.graph.kind === "tree" ? 0 : 1;
    texts.forEach((text, row) => {
      const shown = row === marked && node.text ? line + text : text;
      const kind = row === 0 ? "who" : row === 1 && this.graph.kind === "tree" ? "places" : "plain";
      group.append(svg("text", { x: 13, y: 19 + row * LINE, class: row === marked && node.text ? "code" : kind }, fitText(shown, box.w - 22)));
    });
    if (this.graph.kind === "tree") group.append(svg("text", { x: box.w - 8, y: -5, class: "node-name" }, node.id));
    return group;
  }

  /** Tells all of a node. */
  choose(at) {
    const node = this.graph.nodes[at];
    this.nodes.forEach((element, other) => element.classList.toggle("chosen", other === at));
    this.details.replaceChildren(...this.#about(node, at));
  }

  #about(node, at) {
    const name = node.thread === undefined ? null : this.graph.threads[node.thread];
    const cover = this.graph.edges.find((edge) => edge.kind === "cover" && edge.from === at);
    const kinds = { covered: "covered", end: "an end of the program", omitted: "synchronization that the order makes superfluous: it is not performed" };
    const list = (title, items) => (items?.length ? [el("dt", {}, title), items.map((item) => el("dd", {}, item))].flat() : []);
    return [
      el("h4", {}, node.id, kinds[node.kind] ? ` – ${kinds[node.kind]}` : "", cover ? ` by ${this.graph.nodes[cover.to].id}` : ""),
      el("dl", {},
        ...list(this.graph.kind === "tree" ? "Step that leads here" : "Step", node.text ? [`${name}: ${node.text}`] : []),
        ...list("Place", node.location ? [placeText(node.location)] : []),
        ...list("Where threads are", node.places),
        ...list("What holds", node.facts)),
    ];
  }

  /** The same in words, for those who do not see drawings; made when it is opened. */
  #asText() {
    const details = el("details", {}, el("summary", {}, "As text"));
    details.addEventListener("toggle", () => {
      if (details.children.length > 1) return;
      const from = (at) => this.graph.edges.filter((edge) => edge.from === at).map((edge) => `${edge.kind} → ${this.graph.nodes[edge.to].id}`);
      details.append(el("ul", { class: "graph-text" }, this.graph.nodes.map((node, at) => {
        const who = node.thread === undefined ? [] : [`${this.graph.threads[node.thread]}: ${node.text}`];
        return el("li", {}, [node.id, ...who, ...(node.places ?? []), ...(node.facts ?? []), ...from(at)].join("; "));
      })));
    });
    return details;
  }

  /** At the beginning: the start of the graph, as large as it can be read. */
  start() {
    const { clientWidth, clientHeight } = this.box;
    const all = Math.min(clientWidth / this.size.w, clientHeight / this.size.h);
    const k = Math.min(1, Math.max(all, Math.min(0.8, clientWidth / this.size.w), 0.45));
    const root = this.layout.boxes[0] ?? { x: 0, w: 0 };
    this.view = { k, x: clientWidth / 2 - (root.x + root.w / 2) * k, y: 8 };
    if (this.size.w * k <= clientWidth) this.view.x = (clientWidth - this.size.w * k) / 2;
    this.#apply();
  }

  fit() {
    const { clientWidth, clientHeight } = this.box;
    const k = Math.min(1.5, clientWidth / this.size.w, clientHeight / this.size.h);
    this.view = { k, x: (clientWidth - this.size.w * k) / 2, y: (clientHeight - this.size.h * k) / 2 };
    this.#apply();
  }

  zoom(by, x = this.box.clientWidth / 2, y = this.box.clientHeight / 2) {
    const k = Math.min(4, Math.max(0.03, this.view.k * by));
    const real = k / this.view.k;
    this.moved = true;
    this.view = { k, x: x - (x - this.view.x) * real, y: y - (y - this.view.y) * real };
    this.#apply();
  }

  move(x, y) {
    this.moved = true;
    this.view.x += x;
    this.view.y += y;
    this.#apply();
  }

  #apply() {
    const { x, y, k } = this.view;
    this.scene.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
  }

  #listen() {
    const { box } = this;
    const keys = {
      "+": () => this.zoom(1.3), "=": () => this.zoom(1.3), "-": () => this.zoom(1 / 1.3), 0: () => this.fit(),
      ArrowLeft: () => this.move(60, 0), ArrowRight: () => this.move(-60, 0), ArrowUp: () => this.move(0, 60), ArrowDown: () => this.move(0, -60),
    };
    box.addEventListener("keydown", (event) => {
      if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      keys[event.key]();
      event.preventDefault();
      event.stopPropagation();
    });
    box.addEventListener("wheel", (event) => {
      // A page that is only scrolled past is not changed.
      if (!event.ctrlKey && document.activeElement !== box) return;
      event.preventDefault();
      const area = box.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - area.left, event.clientY - area.top);
    }, { passive: false });
    const held = new Map();
    box.addEventListener("pointerdown", (event) => held.set(event.pointerId, event));
    const release = (event) => held.delete(event.pointerId);
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) box.addEventListener(name, release);
    box.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      held.set(event.pointerId, event);
      if (held.size === 1) this.move(event.clientX - before.clientX, event.clientY - before.clientY);
      else if (held.size === 2) {
        const [other] = [...held.values()].filter((one) => one.pointerId !== event.pointerId);
        const far = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
        const area = box.getBoundingClientRect();
        if (far(before) > 0) this.zoom(far(event) / far(before), (event.clientX + other.clientX) / 2 - area.left, (event.clientY + other.clientY) / 2 - area.top);
      }
    });
  }
}
