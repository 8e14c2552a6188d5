// The run of a violation: its rows, the moments at which one can stop, and the values at each.
//
// A moment is a step that people are shown, with the steps after it that they are not shown. The first moment is the start.

const EVERY = 512;

class Run {
  /** With `all`, every step is shown with all its statements. */
  constructor(violation, all) {
    this.steps = violation.steps ?? [];
    this.names = violation.threads ?? [];
    this.internal = new Set(violation.internal ?? []);
    this.initial = violation.initial ?? {};
    this.lassoStart = violation.lasso_start ?? null;
    this.rows = [];
    this.moments = [{ label: "start", thread: -1, firstRow: 0, lastRow: -1, upto: 0, number: 0 }];
    this.lassoMoment = -1;
    this.#tell(violation, all);
    this.#number(violation);
    this.used = [...new Set(this.rows.map((row) => row.thread))].sort((a, b) => a - b);
    this.rowsOf = new Map(this.used.map((thread) => [thread, []]));
    this.rows.forEach((row, at) => this.rowsOf.get(row.thread).push(at));
    this.#reset();
  }

  #tell(violation, all) {
    let number = 0;
    this.steps.forEach((step, at) => {
      const thread = Math.max(0, this.names.indexOf(step.thread));
      const first = this.rows.length;
      if (step.left_out) {
        const text = `… ${count(step.left_out, "step")} left out`;
        this.rows.push({ thread, text, values: [], gap: true });
        number += step.left_out;
      } else {
        number += 1;
        for (const told of all ? allOf(step) : (step.told ?? [])) {
          this.rows.push({ thread, location: told.location, text: told.text, values: told.values ?? [], mark: told.mark });
        }
      }
      if (this.rows.length > first) this.#stop(first, thread, at, number);
      this.moments.at(-1).upto = at + 1;
      this.moments[0].upto = this.moments.length === 1 ? at + 1 : this.moments[0].upto;
      if (this.lassoStart !== null && at >= this.lassoStart && this.lassoMoment < 0 && this.rows.length > first) {
        this.lassoMoment = this.moments.length - 1;
      }
    });
    this.last = number;
    const first = this.rows.length;
    for (const standing of violation.end ?? []) {
      const thread = Math.max(0, this.names.indexOf(standing.thread));
      this.rows.push({ thread, location: standing.location, text: standing.text, values: [], mark: standing.mark, end: true });
    }
    if (this.rows.length > first) {
      this.#stop(first, this.rows[first].thread, this.steps.length, number);
      this.moments.at(-1).end = true;
      this.moments.at(-1).upto = this.steps.length;
    }
  }

  #stop(first, thread, step, number) {
    const moment = this.moments.length;
    for (let row = first; row < this.rows.length; row++) {
      this.rows[row].moment = moment;
      this.rows[row].leads = row === first;
      this.rows[row].number = number;
    }
    this.moments.push({ thread, firstRow: first, lastRow: this.rows.length - 1, step, upto: step, number });
  }

  /** Gives the accesses of a race or of a violation of atomicity their numbers. */
  #number(violation) {
    this.accesses = (violation.accesses ?? []).map((access, at) => {
      const thread = this.names.indexOf(access.thread);
      const moment = access.step === null ? this.moments.length - 1 : this.momentOf(access.step);
      const { firstRow, lastRow } = this.moments[moment];
      const row = this.#accessRow(firstRow, lastRow, thread, access.location);
      const found = this.rows[row];
      if (found) found.access = [...(found.access ?? []), at + 1];
      return { number: at + 1, thread, moment, row, location: access.location };
    });
  }

  /** The row of a moment that tells of an access, or the one before: a statement is told where it begins, and may take more steps. */
  #accessRow(firstRow, lastRow, thread, location) {
    const tells = (row) => row.thread === thread && sameLine(row.location, location);
    for (let row = firstRow; row <= lastRow; row++) if (tells(this.rows[row])) return row;
    for (let row = firstRow - 1; row >= 0 && this.rows[row].thread === thread; row--) if (tells(this.rows[row])) return row;
    for (let row = firstRow; row <= lastRow; row++) if (this.rows[row].thread === thread) return row;
    return firstRow;
  }

  /** The moment that a step belongs to. */
  momentOf(step) {
    let [low, high] = [0, this.moments.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.moments[middle].upto > step) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The last row of a thread at a moment. */
  rowAt(thread, moment) {
    const rows = this.rowsOf.get(thread) ?? [];
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[rows[middle]].moment <= moment) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? null : this.rows[rows[low - 1]];
  }

  /** All values at a moment, and for what changed in it, the values before. Locals are under their thread. */
  valuesAt(moment) {
    const from = moment === 0 ? 0 : this.moments[moment - 1].upto;
    this.#seek(from);
    const before = new Map();
    while (this.position < this.moments[moment].upto) {
      for (const [key, value] of changesOf(this.steps[this.position])) {
        if (!before.has(key)) before.set(key, this.values.get(key));
        this.values.set(key, value);
      }
      this.#passed();
    }
    return { values: this.values, before };
  }

  #reset() {
    this.values = new Map(Object.entries(this.initial).map(([name, value]) => [globalKey(name), value]));
    this.position = 0;
    this.kept = [new Map(this.values)];
  }

  #seek(target) {
    if (target < this.position) {
      const at = Math.min(Math.floor(target / EVERY), this.kept.length - 1);
      this.values = new Map(this.kept[at]);
      this.position = at * EVERY;
    }
    while (this.position < target) {
      for (const [key, value] of changesOf(this.steps[this.position])) this.values.set(key, value);
      this.#passed();
    }
  }

  #passed() {
    this.position += 1;
    if (this.position % EVERY === 0 && this.kept.length === this.position / EVERY) this.kept.push(new Map(this.values));
  }
}

function globalKey(name) {
  return `\u0000${name}`;
}

function localKey(thread, name) {
  return `${thread}\u0000${name}`;
}

function* changesOf(step) {
  const locals = new Set(step.locals ?? []);
  for (const [name, value] of Object.entries(step.values ?? {})) {
    yield [locals.has(name) ? localKey(step.thread, name) : globalKey(name), value];
  }
  for (const [thread, values] of Object.entries(step.values_of ?? {})) {
    for (const [name, value] of Object.entries(values)) yield [localKey(thread, name), value];
  }
}

/** All that a step runs. */
function allOf(step) {
  const statements = step.statements ?? [{ location: step.location, source: step.source }];
  const rows = statements.map((s) => ({ location: s.location, text: s.source || (step.delay ? "(delayed)" : "(waits)"), values: [] }));
  rows[0].values = Object.entries(step.values ?? {}).map(([name, value]) => `${name} = ${value}`);
  const mark = (step.told ?? []).map((told) => told.mark).find(Boolean);
  rows.at(-1).mark = mark;
  return rows;
}

function sameLine(a, b) {
  return Boolean(a && b && a.file === b.file && a.line === b.line);
}
