// The source, with the line that runs and where the other threads are.

const WORDS = new Set(("assert assume async atomic await axiom bool break call case char const continue default do double else ensures enum " +
  "exists extern false float for forall fork free function goto havoc if implementation int invariant join long modifies mutex " +
  "old procedure release acquire requires return returns short signed sizeof static struct switch task then true type typedef union " +
  "unique unsigned var void volatile wait where while yield bool class namespace new delete nullptr public private template this using " +
  "_Atomic _Bool inline register").split(" "));
const TOKEN = /(\/\*.*?(?:\*\/|$)|\/\/.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*')|(^\s*#.*$)|([A-Za-z_$][\w$.]*)|(\b\d[\w.]*)/g;

class Source {
  constructor(sources) {
    this.files = new Map();
    for (const source of sources ?? []) this.files.set(source.file, { source });
    this.current = null;
    this.text = el("div", { class: "source-text", tabindex: "0", role: "region", "aria-label": "Source" });
    this.name = this.files.size > 1
      ? el("select", { "aria-label": "File", change: () => this.#open(this.name.value) },
        [...this.files.keys()].map((file) => el("option", { value: file }, file)))
      : el("span", {}, [...this.files.keys()][0] ?? "");
    this.element = el("section", { class: "pane source", "aria-label": "Source" }, el("div", { class: "pane-head" }, el("h3", {}, "Source"), this.name), this.text);
  }

  /** Marks where threads are: the one that runs, and the others. */
  show(run, moment) {
    const { thread, end } = run.moments[moment];
    const now = run.rows.slice(run.moments[moment].firstRow, run.moments[moment].lastRow + 1).filter((row) => row.location);
    // Of several lines that one step runs, the one that does something is where the thread is.
    const at = (of) => {
      const rows = now.filter((row) => row.thread === of);
      return rows.find((row) => row.mark || row.access || row.values.length) ?? rows[0] ?? run.rowAt(of, moment);
    };
    const places = run.used.map((of) => ({ of, row: at(of) })).filter(({ row }) => row?.location);
    const main = places.find(({ of }) => of === thread) ?? null;
    if (main) this.#open(main.row.location.file);
    else if (!this.current) this.#open(this.files.keys().next().value);
    this.#unmark();
    for (const { of, row } of places) {
      const line = this.#line(row.location);
      if (!line) continue;
      const runs = of === thread || (end && row.end);
      if (runs) line.classList.add(row.mark ? "fails" : "runs");
      line.classList.add("marked");
      if (runs || !line.style.getPropertyValue("--thread")) line.style.setProperty("--thread", threadColor(of));
      line.append(el("span", { class: runs ? "tag runs" : "tag", style: `--thread:${threadColor(of)}`, title: `${run.names[of]} is here` }, run.names[of]));
      this.marked.push(line);
    }
    for (const row of now) {
      const line = this.#line(row.location);
      if (!line || line.classList.contains("fails")) continue;
      line.classList.add("runs");
      line.style.setProperty("--thread", threadColor(row.thread));
      this.marked.push(line);
    }
    const shown = main && this.#line(main.row.location);
    if (shown) this.#center(shown);
  }

  #unmark() {
    for (const line of this.marked ?? []) {
      line.classList.remove("runs", "fails", "marked");
      line.style.removeProperty("--thread");
      line.querySelectorAll(".tag").forEach((tag) => tag.remove());
    }
    this.marked = [];
  }

  #line(location) {
    return this.files.get(location.file)?.lines?.get(location.line) ?? null;
  }

  #center(line) {
    const box = this.text;
    const top = line.offsetTop;
    if (top < box.scrollTop + 24 || top > box.scrollTop + box.clientHeight - 48) box.scrollTop = top - box.clientHeight / 2;
    box.scrollLeft = 0;
  }

  #open(file) {
    if (this.current === file) return;
    const known = this.files.get(file);
    if (!known) return;
    this.current = file;
    if (!known.element) this.#make(known);
    this.text.replaceChildren(known.element);
    if (this.name.tagName === "SELECT") this.name.value = file;
  }

  #make(known) {
    known.lines = new Map();
    const parts = [];
    let next = 1;
    const { source } = known;
    const digits = String(source.lines ?? 1).length;
    for (const part of source.parts ?? []) {
      if (part.first_line > next) parts.push(leftOut(part.first_line - next));
      let inComment = false;
      part.text.split("\n").forEach((text, at) => {
        const number = part.first_line + at;
        const code = el("code");
        inComment = paint(code, text, inComment);
        const line = el("div", { class: "line" }, el("span", { class: "number", style: `width:${digits + 1}ch` }, String(number)), code);
        known.lines.set(number, line);
        parts.push(line);
        next = number + 1;
      });
    }
    if (source.lines >= next) parts.push(leftOut(source.lines - next + 1));
    known.element = el("div", { class: "file" }, parts);
  }
}

function leftOut(lines) {
  return el("div", { class: "note" }, `… ${count(lines, "line")} left out`);
}

/** Puts a line into an element, in colors. Whether a comment goes on after it. */
function paint(code, text, inComment) {
  let from = 0;
  if (inComment) {
    const end = text.indexOf("*/");
    from = end < 0 ? text.length : end + 2;
    code.append(el("span", { class: "comment" }, text.slice(0, from)));
    if (end < 0) return true;
  }
  let open = false;
  TOKEN.lastIndex = from;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token, comment, string, directive, word] = match;
    code.append(text.slice(from, match.index));
    from = match.index + token.length;
    const kind = comment ? "comment" : string ? "string" : directive ? "directive" : word ? (WORDS.has(word) ? "keyword" : null) : "numeral";
    code.append(kind ? el("span", { class: kind }, token) : token);
    open = Boolean(comment && comment.startsWith("/*") && !comment.endsWith("*/"));
  }
  code.append(text.slice(from));
  return open;
}
