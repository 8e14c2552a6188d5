// The page: what there is to see, one thing at a time, and the keys.

const KEYS = [
  [["→", "l"], "one step forwards; in the list of steps also ↓"],
  [["←", "h"], "one step back; in the list of steps also ↑"],
  [["Home", "End"], "to the start, to the end"],
  [["Space", "p"], "play, and stop"],
  [["[", "]"], "the finding or schedule before, and the next"],
  [["a"], "every step, also those that tell little"],
  [["t"], "light or dark"],
  [["?"], "this help"],
  [["Esc"], "close"],
];

class FindingView {
  constructor(result, violation, announce, suspicion = false) {
    this.violation = violation;
    this.suspicion = suspicion;
    this.announce = announce;
    this.moment = 0;
    this.all = false;
    this.source = new Source(result.sources);
    this.values = new Values(violation.kind === "deadlock");
    this.slider = el("input", { type: "range", min: "0", step: "1", "aria-label": "Step", input: () => this.go(Number(this.slider.value)) });
    this.where = el("output", { class: "where-now" });
    this.playButton = iconButton("play", "Play", "space", () => this.play());
    const detail = el("input", { type: "checkbox", change: () => this.toggleAll() });
    this.detail = detail;
    this.controls = el("div", { class: "controls", role: "toolbar", "aria-label": "Steps" },
      iconButton("first", "To the start", "Home", () => this.go(0)),
      iconButton("back", "One step back", "←", () => this.step(-1)),
      this.playButton,
      iconButton("forward", "One step forwards", "→", () => this.step(1)),
      iconButton("last", "To the end", "End", () => this.go(this.run.moments.length - 1)),
      this.slider, this.where,
      el("label", { class: "detail" }, detail, "every step"));
    this.holder = el("section", { class: "pane lanes-pane", "aria-label": "Schedule" });
    this.chips = el("div", { class: "chips" });
    this.element = el("div", { class: "finding" }, this.#title(), this.chips, this.controls,
      el("div", { class: "panes" }, this.holder, el("div", { class: "aside" }, this.source.element, this.values.element)));
    this.#make();
    this.go(0, true);
  }

  #title() {
    const { violation } = this;
    const times = violation.count > 1 ? `, ${violation.count} times` : "";
    const known = [];
    if (this.suspicion) known.push("Wrong only if this code is meant to be indivisible, which nobody has said.");
    if (violation.found_by) known.push(`Found by ${violation.found_by.join(", ")}, and replayed step by step on the reference interpreter.`);
    if (violation.compiled) known.push(`On the compiled program: ${violation.compiled.reproduced ? "reproduced" : "not reproduced"}: ${violation.compiled.message}.`);
    const again = violation.witness ? `raddle replay ${violation.witness}` : violation.shown_by;
    const why = violation.explanation
      ? el("div", { class: "why" }, el("h3", {}, sentence(violation.explanation.title)), violation.explanation.lines.map((line) => el("p", {}, sentence(line))))
      : null;
    return el("div", { class: "title" },
      el("p", {}, el("span", { class: this.suspicion ? "badge unsure" : "badge bad" }, KINDS[violation.kind] ?? violation.kind), el("span", { class: "place" }, placeText(violation.location) + times)),
      el("h2", {}, sentence(violation.message ?? "")), known.map((text) => el("p", { class: "known" }, sentence(text))),
      violation.found_by && again ? el("p", { class: "known" }, "See it again: ", el("code", {}, again)) : null, why);
  }

  /** Makes what depends on which steps are shown. */
  #make() {
    this.run = new Run(this.violation, this.all);
    this.lanes = new Lanes(this.run, (moment) => this.go(moment));
    this.holder.replaceChildren(el("div", { class: "pane-head" }, el("h3", {}, "Schedule"), this.#note()), this.lanes.element);
    this.slider.max = String(this.run.moments.length - 1);
    const { names } = this.run;
    this.chips.replaceChildren(...this.run.accesses.map((access) =>
      el("button", { type: "button", class: "chip", style: `--thread:${threadColor(Math.max(0, access.thread))}`, click: () => this.go(access.moment) },
        el("span", { class: "access-number" }, String(access.number)), `${names[access.thread] ?? ""}${access.location ? `, line ${access.location.line}` : ""}`)));
    if (this.run.lassoMoment >= 0) {
      this.chips.append(el("button", { type: "button", class: "chip loop", click: () => this.go(this.run.lassoMoment) }, "↻ from here on it repeats for ever"));
    }
  }

  #note() {
    const left = this.run.steps.find((step) => step.left_out);
    const text = left ? `${count(this.run.last, "step")}, ${left.left_out.toLocaleString("en")} in the middle left out` : count(this.run.last, "step");
    return el("span", { class: "note" }, text);
  }

  toggleAll() {
    const step = this.run.moments[this.moment].upto;
    this.all = !this.all;
    this.detail.checked = this.all;
    this.#make();
    this.go(step === 0 ? 0 : this.run.momentOf(step - 1));
  }

  /** Steps on or back; after the end of a lasso comes its beginning. */
  step(by) {
    const { moments, lassoMoment } = this.run;
    const next = this.moment + by;
    if (next >= moments.length && lassoMoment >= 0) this.go(lassoMoment, false, "Round again: ");
    else this.go(next);
  }

  /** Shows a moment. */
  go(wanted, quiet = false, lead = "") {
    const { run } = this;
    this.moment = Math.min(Math.max(wanted, 0), run.moments.length - 1);
    const moment = run.moments[this.moment];
    this.lanes.show(this.moment);
    this.source.show(run, this.moment);
    this.values.show(run, this.moment);
    this.slider.value = String(this.moment);
    const rows = run.rows.slice(moment.firstRow, moment.lastRow + 1);
    const place = moment.end ? "The end" : this.moment === 0 ? "The start" : `Step ${moment.number.toLocaleString("en")} of ${run.last.toLocaleString("en")}`;
    const told = rows.map((row) => [run.names[row.thread], row.location ? `line ${row.location.line}: ${row.text}` : row.text, ...row.values, row.mark].filter(Boolean).join(", "));
    const text = [place, ...told].join("; ");
    this.where.textContent = place;
    this.slider.setAttribute("aria-valuetext", text);
    if (!quiet) this.announce(lead + text);
    const atEnd = this.moment === run.moments.length - 1 && run.lassoMoment < 0;
    if (atEnd) this.stop();
  }

  play() {
    if (this.playing) return this.stop();
    if (this.moment === this.run.moments.length - 1 && this.run.lassoMoment < 0) this.go(0);
    this.playing = setInterval(() => this.step(1), 900);
    this.#showPlaying(true);
  }

  stop() {
    if (!this.playing) return;
    clearInterval(this.playing);
    this.playing = null;
    this.#showPlaying(false);
  }

  #showPlaying(plays) {
    this.playButton.setAttribute("aria-label", plays ? "Stop" : "Play");
    this.playButton.replaceChildren(icon(plays ? "pause" : "play"));
  }

  key(key) {
    const last = this.run.moments.length - 1;
    const keys = {
      ArrowRight: () => this.step(1), l: () => this.step(1), ArrowLeft: () => this.step(-1), h: () => this.step(-1),
      Home: () => this.go(0), End: () => this.go(last), " ": () => this.play(), p: () => this.play(), a: () => this.toggleAll(),
    };
    if (document.activeElement === this.lanes.list) Object.assign(keys, { ArrowDown: keys.ArrowRight, ArrowUp: keys.ArrowLeft });
    if (!Object.hasOwn(keys, key)) return false;
    keys[key]();
    return true;
  }
}

/** A safe schedule: as a drawing, and the tree that proves it. */
class ScheduleView {
  constructor(result, schedule) {
    const what = schedule.added ?? schedule.order;
    const file = schedule.file ? el("p", { class: "note" }, `Written to ${schedule.file}. Run the program on it: raddle run --schedule ${schedule.file} ${result.input}`) : null;
    this.element = el("div", { class: "schedule" },
      el("div", { class: "title" },
        el("p", {}, el("span", { class: "badge good" }, `safe schedule ${schedule.number ?? ""}`), el("span", { class: "place" }, count(schedule.nodes ?? 0, "node"))),
        el("h2", {}, what ?? ""), file,
        schedule.command ? el("p", { class: "known" }, "Keep the program on it: ", el("code", {}, schedule.command)) : null),
      schedule.graph ? new GraphView(schedule.graph, "Program schedule", "All events of a section come before those of the next. Within a section only the arrows order events, and what they imply; what is at one height may happen at once.").element : null,
      schedule.tree ? new GraphView(schedule.tree, "The tree that proves it", "Each box is a set of states: the step that leads there, where threads are, what holds. Dashed arrows lead to the box that covers another one.").element : null,
      schedule.graph || schedule.tree ? null : el("p", { class: "note" }, "This result has no drawing of the schedule."));
  }
}

class ProofView {
  constructor(result) {
    this.element = el("div", { class: "schedule" },
      el("div", { class: "title" }, el("p", {}, el("span", { class: "badge good" }, "proof")), el("h2", {}, result.summary ?? result.verdict)),
      new GraphView(result.proof, "The tree that proves it", "Each box is a set of states: the step that leads there, where threads are, what holds. Dashed arrows lead to the box that covers another one.").element);
  }
}

class PlainView {
  constructor(result) {
    const cuts = (result.reason?.cuts ?? []).map((cut) => el("li", {}, [placeText(cut.location), cut.message].filter(Boolean).join(": ")));
    this.element = el("div", { class: "title" }, el("h2", {}, result.summary ?? result.verdict ?? "This result says nothing."), cuts.length ? el("ul", {}, cuts) : null);
  }
}

/** All there is to see in the results. */
function itemsOf(results) {
  return results.flatMap((result, at) => {
    const items = [];
    const find = (violation, number, suspicion) => {
      const place = violation.location ? `line ${violation.location.line}` : `${number + 1}`;
      const label = `${suspicion ? "worth a look: " : ""}${KINDS[violation.kind] ?? violation.kind}, ${place}`;
      items.push({ result, at, kind: suspicion ? "unsure" : "bad", label, make: (announce) => new FindingView(result, violation, announce, suspicion) });
    };
    (result.violations ?? []).forEach((violation, number) => find(violation, number, false));
    (result.suspicions ?? []).forEach((violation, number) => find(violation, number, true));
    for (const schedule of result.schedules ?? []) {
      items.push({ result, at, kind: "good", label: `safe schedule ${schedule.number}`, make: () => new ScheduleView(result, schedule) });
    }
    if (result.proof) items.push({ result, at, kind: "good", label: "proof", make: () => new ProofView(result) });
    if (items.length === 0) items.push({ result, at, kind: verdictClass(result.verdict), label: result.verdict ?? "result", make: () => new PlainView(result) });
    return items;
  });
}

/** What is known about a result beyond its findings. */
function about(result) {
  const rows = [];
  const add = (name, value) => { if (value !== undefined && value !== null && value !== "") rows.push(el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, String(value)))); };
  const flat = (of, skip = []) => Object.entries(of ?? {}).filter(([name, value]) => !skip.includes(name) && value !== null && typeof value !== "object").map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "number" ? tidy(value) : value}`).join(", ");
  add("Verdict", result.summary ?? result.verdict);
  add("Command", `raddle ${result.command} ${result.input}`);
  add("Looked for", (result.checks ?? []).join(", "));
  add("Why not everything is known", result.reason?.message);
  add("On the compiled program", result.compiled && `${result.compiled.reproduced ? "reproduced" : "not reproduced"}: ${result.compiled.message}`);
  add("Bounds", flat(result.bounds));
  add("Bounds that mattered", (result.bounds?.touched ?? []).join(", "));
  (result.attempts ?? []).forEach((attempt) => add("Searched", flat(attempt)));
  add("Prediction", flat(result.prediction));
  (result.prediction?.notes ?? []).forEach((note) => add("Note", note));
  (result.values ?? []).slice(0, 100).forEach((values) => add("Final values", Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(", ")));
  for (const analysis of result.analyses ?? []) {
    const outcome = analysis.skipped ? `not needed: ${analysis.skipped}` : analysis.refused ? `not possible: ${analysis.refused}` : [analysis.verdict, analysis.reason?.message].filter(Boolean).join(": ");
    add(analysis.asks ?? "Analysis", analysis.skipped ? outcome : `${outcome} (${analysis.command})`);
  }
  add("Took", flat(result.statistics));
  add("Made by", result.producer);
  const next = result.next ?? [];
  const checked = Boolean(result.analyses);
  return el("div", { class: "foot" },
    next.length ? el("section", { class: "next" }, el("h2", {}, "What to do next"), next.map((line) => (line.startsWith("  ") ? el("pre", {}, line.trim()) : el("p", {}, sentence(line))))) : null,
    el("details", { class: "about", open: checked }, el("summary", {}, "About this result"), el("table", {}, el("tbody", {}, rows))));
}

function tidy(number) {
  return Number.isInteger(number) ? number.toLocaleString("en") : number.toLocaleString("en", { maximumFractionDigits: 3 });
}

class Page {
  constructor(results) {
    this.results = results;
    this.items = itemsOf(results);
    this.views = new Map();
    this.live = el("div", { class: "hidden", "aria-live": "polite", role: "status" });
    this.help = this.#help();
    this.nav = this.#nav();
    this.main = el("main", { id: "main" });
    this.verdict = el("span", { class: "badge" });
    this.name = el("h1");
    this.command = el("span", { class: "command" });
    const header = el("header", {},
      el("div", { class: "brand" }, "raddle"), el("div", { class: "subject" }, this.name, this.command, this.verdict),
      el("div", { class: "tools" },
        iconButton("theme", "Light or dark", "t", () => this.toggleTheme()),
        iconButton("help", "Help with keys", "?", () => this.help.showModal())));
    document.getElementById("app").append(header, ...(this.nav ? [this.nav] : []), this.main, this.live, this.help);
    this.#restoreTheme();
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("resize", () => this.fitPanes());
    this.open(0);
  }

  #nav() {
    if (this.items.length < 2) return null;
    this.buttons = this.items.map((item, at) => el("button", { type: "button", class: `tab ${item.kind}`, click: () => this.open(at) }, item.label));
    const groups = this.results.map((result, at) => {
      const buttons = this.buttons.filter((_, button) => this.items[button].at === at);
      return el("div", { class: "tabs" }, this.results.length > 1 ? el("span", { class: "group-name" }, `${result.command} ${result.input}`) : null, buttons);
    });
    return el("nav", { "aria-label": "Findings and schedules" }, groups);
  }

  #help() {
    const dialog = el("dialog", { "aria-label": "Keys" }, el("h2", {}, "Keys"),
      el("table", {}, el("tbody", {}, KEYS.map(([keys, what]) => el("tr", {}, el("th", { scope: "row" }, keys.map((key) => [el("kbd", {}, key), " "]).flat()), el("td", {}, what))))),
      el("p", { class: "note" }, "In a drawing: arrow keys move it, + and - change its size, 0 shows all of it. With the mouse: drag it; the wheel changes its size once it was clicked."),
      el("button", { type: "button", class: "plain", click: () => dialog.close() }, "Close"));
    return dialog;
  }

  /** Shows an item. */
  open(at) {
    this.current?.stop?.();
    const item = this.items[at];
    this.at = at;
    if (!this.views.has(at)) this.views.set(at, item.make((text) => { this.live.textContent = text; }));
    this.current = this.views.get(at);
    this.main.replaceChildren(this.current.element, about(item.result));
    this.fitPanes();
    this.buttons?.forEach((button, other) => {
      if (other === at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const { result } = item;
    this.name.textContent = result.input ?? "";
    this.command.textContent = `raddle ${result.command ?? ""}`;
    this.verdict.textContent = verdictText(result.verdict);
    this.verdict.className = `badge ${verdictClass(result.verdict)}`;
  }

  /** Lets the panes end where the window does, if there is room. */
  fitPanes() {
    const panes = this.main.querySelector(".panes");
    panes?.style.setProperty("--top", `${panes.getBoundingClientRect().top + scrollY}px`);
  }

  toggleTheme() {
    this.#setTheme(this.#isDark() ? "light" : "dark");
  }

  #isDark() {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  #setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("raddle-theme", theme);
    } catch {
      // Files may have no storage; then it is for this time only.
    }
  }

  #restoreTheme() {
    try {
      const theme = localStorage.getItem("raddle-theme");
      if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    } catch {
      // As above.
    }
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const { target } = event;
    const typing = target.matches?.("input[type=search], select, textarea");
    if (typing) return;
    // A slider and a button have keys of their own.
    if (target.matches?.("input[type=range]") && event.key.startsWith("Arrow")) return;
    if (target.matches?.("button, summary, input") && event.key === " ") return;
    const keys = {
      "?": () => this.help.showModal(), t: () => this.toggleTheme(),
      "[": () => this.open((this.at + this.items.length - 1) % this.items.length), "]": () => this.open((this.at + 1) % this.items.length),
    };
    if (Object.hasOwn(keys, event.key)) keys[event.key]();
    else if (!this.current.key?.(event.key)) return;
    event.preventDefault();
  }
}

new Page(JSON.parse(document.getElementById("data").textContent).results);
