// The values at a moment, by variable; what just changed stands out, with what it was before.

const MOST_VALUES = 300;
const MANY_VALUES = 14;

class Values {
  /** With `insides`, the states of locks are shown from the beginning. */
  constructor(insides) {
    this.filter = el("input", { type: "search", placeholder: "Filter", "aria-label": "Filter variables", input: () => this.#draw() });
    this.body = el("div", { class: "values-body", tabindex: "0", role: "region", "aria-label": "Values" });
    this.element = el("section", { class: "pane values", "aria-label": "Values" }, el("div", { class: "pane-head" }, el("h3", {}, "Values"), this.filter), this.body);
    this.open = insides;
  }

  show(run, moment) {
    this.run = run;
    this.moment = moment;
    this.#draw();
  }

  #draw() {
    const { run } = this;
    const { values, before } = run.valuesAt(this.moment);
    const wanted = this.filter.value.trim().toLowerCase();
    const groups = new Map();
    for (const [key, value] of values) {
      const split = key.indexOf("\u0000");
      const [thread, name] = [key.slice(0, split), key.slice(split + 1)];
      if (wanted && !name.toLowerCase().includes(wanted)) continue;
      const group = thread ? `locals of ${thread}` : run.internal.has(name) ? "" : "globals";
      if (!groups.has(group)) groups.set(group, { thread, rows: [] });
      groups.get(group).rows.push({ name, value, changed: before.has(key), old: before.get(key) });
    }
    this.filter.hidden = values.size <= MANY_VALUES && !wanted;
    const order = (name) => (name === "globals" ? -1 : name === "" ? run.names.length + 1 : run.names.indexOf(groups.get(name).thread));
    const names = [...groups.keys()].sort((a, b) => order(a) - order(b));
    const parts = names.map((name) => this.#group(name, groups.get(name)));
    if (parts.length === 0) parts.push(el("p", { class: "note" }, wanted ? "No variable has this in its name." : "No variable has a value yet."));
    this.body.replaceChildren(...parts);
  }

  #group(name, { thread, rows }) {
    rows.sort((a, b) => byName(a.name, b.name));
    const shown = rows.slice(0, MOST_VALUES);
    const table = el("table", {}, el("caption", { class: "hidden" }, name || "locks and other insides"), el("tbody", {}, shown.map(valueRow)));
    const more = rows.length > shown.length ? el("p", { class: "note" }, `${count(rows.length - shown.length, "variable")} more: use the filter.`) : null;
    if (name === "") {
      return el("details", { open: this.open, toggle: (event) => { this.open = event.target.open; } },
        el("summary", {}, "Locks and other insides"), table, more);
    }
    const style = thread ? `--thread:${threadColor(Math.max(0, this.run.names.indexOf(thread)))}` : null;
    return el("div", { class: thread ? "group local" : "group", style }, el("h4", {}, name), table, more);
  }
}

function valueRow({ name, value, changed, old }) {
  const was = changed && old !== undefined && old !== value ? el("span", { class: "old" }, el("span", { class: "hidden" }, "was "), old) : null;
  return el("tr", { class: changed ? "changed" : null }, el("th", { scope: "row" }, name), el("td", {}, was, el("span", { class: "now" }, value)));
}
