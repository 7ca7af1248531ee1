// Relative times that renew themselves. No DOM; clock and timer are injected.

/** The units of an age: their milliseconds and letters. */
const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
];

/**
 * Returns an age as text, and the age at which the text is no longer true.
 *
 * "just now" below 5 s, then such as "5s ago", "2m ago", "3h ago" or "4d ago".
 * @param {number} age milliseconds; a negative age, of something in the future, is "just now"
 */
export function relativeAge(age) {
  if (!(age >= 5_000)) return { text: "just now", until: 5_000 };
  const [unit, letter] = units.find(([unit]) => age >= unit) ?? units[3];
  const count = Math.floor(age / Number(unit));
  return { text: `${count}${letter} ago`, until: (count + 1) * Number(unit) };
}

/** The ages of many things, kept true by one timer that wakes only when a text changes. */
export class Ages {
  #entries = new Map();
  #cancel = () => {};
  #wakesAt = Infinity;
  #clock;

  /** @param {{ now: () => number, after: (ms: number, run: () => void) => () => void }} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /** The number of watched things. */
  get size() {
    return this.#entries.size;
  }

  /**
   * Shows the age of something that happened at `at`, now and whenever its text changes.
   * @param {object} key replaces what was watched under the same key
   * @param {number} at
   * @param {(text: string) => void} show
   */
  watch(key, at, show) {
    const entry = { at, show, text: "", staleAt: 0 };
    this.#entries.set(key, entry);
    this.#renew(entry, this.#clock.now());
    this.#schedule(entry.staleAt);
  }

  /** @param {object} key */
  unwatch(key) {
    this.#entries.delete(key);
  }

  /** Renews every text that is no longer true; needed only after a sleep. */
  renew() {
    const now = this.#clock.now();
    let next = Infinity;
    for (const entry of this.#entries.values()) {
      // A clock that was set back makes every text wrong.
      if (now >= entry.staleAt || now < entry.renewedAt) this.#renew(entry, now);
      next = Math.min(next, entry.staleAt);
    }
    this.#cancel();
    this.#wakesAt = Infinity;
    this.#schedule(next);
  }

  #renew(entry, now) {
    const { text, until } = relativeAge(now - entry.at);
    entry.staleAt = entry.at + until;
    entry.renewedAt = now;
    if (text !== entry.text) entry.show((entry.text = text));
  }

  #schedule(at) {
    if (at >= this.#wakesAt || at === Infinity) return;
    this.#cancel();
    this.#wakesAt = at;
    // At least 50 ms, so that ages that end at nearly the same time share one wake.
    const delay = Math.min(Math.max(50, at - this.#clock.now()), 86_400_000);
    this.#cancel = this.#clock.after(delay, () => this.renew());
  }
}
