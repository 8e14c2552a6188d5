// Swim lanes: one line per thread from top to bottom, a dot for each row, and a line from dot to dot where the turn goes over.
//
// Only what is in view is in the page, so that runs can be long. Where there is room for a column per thread, texts stand beside their
// dots; else lanes move together, and texts stand to the right of all of them.

const ROW_HEIGHT = 30;
const LINE_HEIGHT = 20;
const VALUES_HEIGHT = 22;
/** A statement, and what it changes, take no more lines than this. */
const MOST_LINES = 4;
const NUMBERS = 46;
const LOOP = 30;
const NARROWEST = 200;
const CLOSE = 18;
/** However many threads there are, texts need room, too. */
const MOST_FOR_LANES = 0.22;

class Lanes {
  constructor(run, select) {
    this.run = run;
    this.select = select;
    this.moment = 0;
    this.tops = new Float64Array(run.rows.length + 1);
    this.lines = new Uint8Array(run.rows.length);
    this.head = el("div", { class: "lane-names", "aria-hidden": "true" });
    this.drawing = svg("svg", { class: "lane-drawing", "aria-hidden": "true" });
    this.rows = el("div", { class: "lane-rows" });
    this.body = el("div", { class: "lane-body" }, this.drawing, this.rows);
    this.list = el("div", {
      class: "lane-list", role: "listbox", tabindex: "0", "aria-label": "Steps of the run",
      scroll: () => this.#later(),
    }, this.body);
    this.element = el("div", { class: "lanes" }, this.head, this.list);
    // Not the list: how high it is depends on what is measured.
    new ResizeObserver(() => this.#measure()).observe(this.element);
  }

  #later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  #measure(again = true) {
    const { run } = this;
    const width = this.list.clientWidth;
    if (width === 0) return;
    this.left = NUMBERS + (run.lassoMoment >= 0 ? LOOP : 0);
    const room = width - this.left - 8;
    const threads = Math.max(1, run.used.length);
    this.close = room / threads < NARROWEST;
    this.step = this.close ? Math.min(CLOSE, (room * MOST_FOR_LANES) / threads) : room / threads;
    this.width = width;
    this.element.classList.toggle("close", this.close);
    this.#stack();
    this.body.style.height = `${this.tops[run.rows.length] + 8}px`;
    this.head.replaceChildren(...run.used.map((thread, at) => {
      const name = el("span", { class: "lane-name", style: `--thread: ${threadColor(thread)}` }, el("i"), run.names[thread] ?? "");
      if (!this.close) {
        name.style.position = "absolute";
        name.style.left = `${this.x(at) - 5}px`;
        name.style.maxWidth = `${this.step - 12}px`;
      }
      return name;
    }));
    // A bar for scrolling that comes or goes changes the width.
    if (again && this.list.clientWidth !== width) {
      this.#measure(false);
      return;
    }
    this.draw();
    this.#keepInView();
  }

  /** How high each row is: what does not fit into a line goes on in the next. Rows are many, so widths are estimated. */
  #stack() {
    const { run } = this;
    const probe = el("code", { class: "probe" }, "x".repeat(100));
    this.rows.replaceChildren(probe);
    const letter = probe.getBoundingClientRect().width / 100 || 8;
    probe.remove();
    const most = (lines) => Math.min(Math.max(1, lines), MOST_LINES);
    run.rows.forEach((row, at) => {
      const room = this.width - this.#cardLeft(row) - 20;
      const beside = 30 + (row.access?.length ?? 0) * 26 + (this.#tellsWho(at) ? (run.names[row.thread] ?? "").length * letter + 10 : 0);
      const lines = most(Math.ceil((row.text.length * letter) / Math.max(room - beside, 60)));
      let [below, used] = [row.mark || row.values.length > 0 ? 1 : 0, row.mark ? row.mark.length * letter : 0];
      for (const value of row.values) {
        const wide = value.length * letter + 18;
        if (used > 0 && used + wide > room) [below, used] = [below + 1, 0];
        used += wide;
      }
      this.lines[at] = lines;
      this.tops[at + 1] = this.tops[at] + ROW_HEIGHT + (lines - 1) * LINE_HEIGHT + Math.min(below, MOST_LINES) * VALUES_HEIGHT;
    });
  }

  /** Where the text of a row begins. */
  #cardLeft(row) {
    const { used } = this.run;
    return this.close ? this.x(used.length - 1) + 14 : this.x(row.gap ? 0 : used.indexOf(row.thread)) + 12;
  }

  /** Whether a row names its thread: where lanes are close together, and the turn has gone over. */
  #tellsWho(at) {
    const { rows } = this.run;
    return this.close && !rows[at].gap && (at === 0 || rows[at - 1].thread !== rows[at].thread);
  }

  /** Where the line of a thread is. */
  x(at) {
    return this.left + 10 + at * this.step;
  }

  /** Selects a moment. */
  show(moment) {
    this.moment = moment;
    this.draw();
    this.#keepInView();
  }

  #keepInView() {
    const { firstRow, lastRow } = this.run.moments[this.moment];
    const [top, bottom] = lastRow < firstRow ? [0, 0] : [this.tops[firstRow], this.tops[lastRow + 1]];
    const height = this.list.clientHeight;
    if (height === 0) return;
    const margin = Math.min(70, height / 4);
    if (top - margin < this.list.scrollTop) this.list.scrollTop = top - margin;
    else if (bottom + margin > this.list.scrollTop + height) this.list.scrollTop = bottom + margin - height;
  }

  /** Draws what is in view. */
  draw() {
    if (!this.width) return;
    const { run } = this;
    const [from, to] = [this.list.scrollTop - 300, this.list.scrollTop + this.list.clientHeight + 300];
    let first = lowerBound(this.tops, from);
    first = Math.max(0, first - 1);
    let last = first;
    while (last < run.rows.length && this.tops[last] < to) last += 1;
    const rows = [];
    for (let at = first; at < last; at++) rows.push(this.#row(at));
    this.rows.replaceChildren(...rows);
    this.#drawLines(first, last, Math.max(0, from), Math.min(to, this.tops[run.rows.length]));
    const { lastRow, firstRow } = run.moments[this.moment];
    const active = lastRow >= firstRow && firstRow >= first && firstRow < last ? `row-${firstRow}` : null;
    if (active) this.list.setAttribute("aria-activedescendant", active);
    else this.list.removeAttribute("aria-activedescendant");
  }

  #row(at) {
    const { run } = this;
    const row = run.rows[at];
    const current = row.moment === this.moment;
    const inLasso = run.lassoMoment >= 0 && row.moment >= run.lassoMoment;
    const classes = ["row", current && "current", inLasso && "in-lasso", row.mark && "bad", row.access && "access", row.gap && "gap", row.end && "end", this.lines[at] > 1 && "long"];
    const left = this.#cardLeft(row);
    // There is one text in a row: it may go on where other threads have theirs.
    const width = this.width - left - 4;
    const who = this.#tellsWho(at) ? el("span", { class: "who" }, run.names[row.thread] ?? "") : null;
    const below = row.mark || row.values.length > 0
      ? el("div", { class: "below" },
        row.mark ? el("span", { class: "mark" }, row.mark) : null,
        row.values.map((value) => el("span", { class: "value" }, value)))
      : null;
    const card = el("div", { class: "card", style: this.close ? `left:${left}px;width:${width}px` : `left:${left}px;max-width:${width}px` },
      el("div", { class: "what", style: this.lines[at] > 1 ? `height:${22 + (this.lines[at] - 1) * LINE_HEIGHT}px` : null },
        (row.access ?? []).map((number) => el("span", { class: "access-number" }, String(number))),
        row.location ? el("span", { class: "line-number" }, String(row.location.line)) : null,
        el("code", { title: row.text }, row.text), who),
      below);
    const number = row.leads && !row.end && !row.gap ? el("span", { class: "step-number" }, String(row.number)) : null;
    return el("div", {
      id: `row-${at}`, role: "option", "aria-selected": current, "aria-label": this.#label(row),
      "aria-posinset": at + 1, "aria-setsize": run.rows.length,
      class: classes.filter(Boolean).join(" "),
      style: `top:${this.tops[at]}px;height:${this.tops[at + 1] - this.tops[at]}px;--thread:${threadColor(row.thread)}`,
      click: () => this.select(row.moment),
    }, number, card);
  }

  #label(row) {
    const parts = [row.end ? "At the end" : `Step ${row.number}`, this.run.names[row.thread]];
    parts.push(row.location ? `line ${row.location.line}: ${row.text}` : row.text);
    return [...parts, ...row.values, row.mark, ...(row.access ?? []).map((number) => `access ${number}`)].filter(Boolean).join(", ");
  }

  #drawLines(first, last, from, to) {
    const { run } = this;
    const parts = [];
    const middle = (at) => this.tops[at] + 15;
    const lane = (at) => run.used.indexOf(run.rows[at].thread);
    run.used.forEach((thread, at) => {
      const rows = run.rowsOf.get(thread);
      const [start, end] = [Math.max(from, middle(rows[0])), Math.min(to, middle(rows.at(-1)))];
      if (end > start) parts.push(svg("path", { class: "life", d: `M${this.x(at)} ${start}V${end}`, style: `stroke:${threadColor(thread)}` }));
    });
    for (let at = Math.max(1, first); at < Math.min(last + 1, run.rows.length); at++) {
      const [before, now] = [lane(at - 1), lane(at)];
      if (before === now || run.rows[at].end) continue;
      const [x1, y1, x2, y2] = [this.x(before), middle(at - 1), this.x(now), middle(at)];
      const turn = y2 - 15;
      const side = Math.sign(x2 - x1) * 6;
      parts.push(svg("path", { class: "switch", d: `M${x1} ${y1}V${turn - 6}Q${x1} ${turn} ${x1 + side} ${turn}H${x2 - side}Q${x2} ${turn} ${x2} ${turn + 6}V${y2}` }));
    }
    this.#drawBlock(parts, from, to, middle);
    this.#drawLoop(parts, from, to, middle);
    for (let at = first; at < last; at++) {
      const row = run.rows[at];
      const current = row.moment === this.moment;
      if (row.gap) continue;
      parts.push(svg("circle", {
        class: current ? "dot current" : "dot", cx: this.x(lane(at)), cy: middle(at), r: current ? 6.5 : 4.5,
        style: `--thread:${row.mark ? "var(--bad)" : threadColor(row.thread)}`,
      }));
    }
    this.drawing.setAttribute("width", this.width);
    this.drawing.setAttribute("height", this.tops[run.rows.length] + 8);
    this.drawing.replaceChildren(...parts);
  }

  /** What is meant to be indivisible: from the first access to the third. */
  #drawBlock(parts, from, to, middle) {
    const { accesses } = this.run;
    if (accesses.length !== 3) return;
    const x = this.x(this.run.used.indexOf(accesses[0].thread));
    const [start, end] = [Math.max(from, middle(accesses[0].row)), Math.min(to, middle(accesses[2].row))];
    if (end > start) parts.push(svg("path", { class: "block", d: `M${x} ${start}V${end}` }));
  }

  /** The way back from the last row of a lasso to its first. */
  #drawLoop(parts, from, to, middle) {
    const { run } = this;
    if (run.lassoMoment < 0) return;
    const [top, bottom] = [middle(run.moments[run.lassoMoment].firstRow), middle(run.rows.length - 1)];
    const [start, end] = [Math.max(from, top), Math.min(to, bottom)];
    if (end < start) return;
    const [x, inner] = [NUMBERS + 4, NUMBERS + LOOP - 4];
    const high = top >= from ? `M${inner} ${top}H${x + 8}Q${x} ${top} ${x} ${top + 8}` : `M${x} ${start}`;
    const low = bottom <= to ? `V${bottom - 8}Q${x} ${bottom} ${x + 8} ${bottom}H${inner}` : `V${end}`;
    parts.push(svg("path", { class: "loop", d: top === bottom ? `M${inner} ${top}h-8` : high + low }));
    if (top >= from) parts.push(svg("path", { class: "loop-head", d: `M${inner + 4} ${top}l-8 -5v10z` }));
  }
}

/** The first position whose value is not below. */
function lowerBound(values, wanted) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
