// A runner for the tests of the page's modules. A test file imports `test` or `table`, and `equal`; a session, `run`.

const tests = [];

/** Declares a test: a sentence that says a behaviour, and a function that throws where it does not hold. */
export function test(name, body) {
  tests.push({ name, body });
}

/** Declares a test for each row of a table: the row begins with what its name says after a colon. */
export function table(name, rows, body) {
  for (const [label, ...row] of rows) test(`${name}: ${label}`, () => body(...row));
}

/** Throws unless both have the same members and values. */
export function equal(actual, expected, what = "") {
  if (isSame(actual, expected)) return;
  throw new Error(`${what && `${what}: `}${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

/** Imports the files and runs their tests; resolves to the name of each test, with its complaint if it failed. */
export async function run(files) {
  for (const file of files) await import(file);
  const results = [];
  for (const { name, body } of tests) {
    try {
      await body();
      results.push({ name });
    } catch (error) {
      results.push({ name, complaint: String(error?.stack ?? error) });
    }
  }
  return results;
}

/** Lets every promise that is settled call what waits for it. */
export async function settle() {
  for (let turn = 0; turn < 10; turn += 1) await null;
}

/** A clock that moves only when a test moves it. */
export class Clock {
  #now = 0;
  #serial = 0;
  #timers = new Map();

  now = () => this.#now;

  /** Calls back after this time; returns what cancels that. */
  after = (milliseconds, run) => {
    const id = (this.#serial += 1);
    this.#timers.set(id, { due: this.#now + milliseconds, run });
    return () => this.#timers.delete(id);
  };

  /** The milliseconds to each timer, soonest first. */
  get pending() {
    return [...this.#timers.values()].map(({ due }) => due - this.#now).sort((a, b) => a - b);
  }

  /** Lets time pass, and calls each timer at its own time. */
  advance(milliseconds) {
    const end = this.#now + milliseconds;
    for (let next = this.#next(end); next; next = this.#next(end)) {
      const [id, timer] = next;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, timer.due);
      timer.run();
    }
    this.#now = end;
  }

  /** Lets time pass as in a machine that sleeps: what was due is called afterwards, late. */
  sleep(milliseconds) {
    this.#now += milliseconds;
    this.advance(0);
  }

  #next(end) {
    const due = [...this.#timers].filter(([, timer]) => timer.due <= end);
    return due.sort(([a, first], [b, second]) => first.due - second.due || a - b)[0];
  }
}

function isSame(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}
