// What the chart shows of one lot: prices, bids and joins by the time since the lot opened. No DOM.

/** Bounds of what is kept; beyond them neighbours are merged, and the oldest joins are dropped. */
const most = { steps: 4_096, bins: 1_024, joins: 256, gaps: 64 };

/** The milliseconds over which the rate of bids is measured. */
export const windowMilliseconds = 5_000;

/** The prices, bids and joins of one lot; every time is in milliseconds since it opened. */
export class Series {
  /** The accepted prices, in order of time; the price is null after a void without an earlier bid. */
  steps = [];
  /** The bids in each interval of `binMilliseconds`. */
  bins = [];
  binMilliseconds = 1_000;
  /** Who joined when: `{ at, name }`. */
  joins = [];
  /** Intervals of which bids are missing: `{ from, to }`. */
  gaps = [];
  /** Grows when the past changes, so that what was drawn of it is wrong. */
  epoch = 0;
  /** Until when no bid was missed, apart from the gaps; 0 if that is not known. */
  known = 0;
  /** The number of the newest bid. */
  #newest = 0;

  /** The time of the newest entry. */
  get end() {
    return Math.max(this.steps.at(-1)?.at ?? 0, this.joins.at(-1)?.at ?? 0);
  }

  /** Whether nothing has happened. */
  get isEmpty() {
    return this.steps.length === 0 && this.joins.length === 0;
  }

  /** Adds an accepted bid; if the bids before it are missing, a gap ends with it. */
  addBid(lap) {
    if (lap.bid <= this.#newest) return;
    if (lap.bid > this.#newest + 1) {
      const from = Math.max(this.steps.at(-1)?.at ?? 0, this.known);
      this.#addGap(Math.min(from, lap.elapsed), lap.elapsed);
    }
    this.#newest = lap.bid;
    this.#count(lap.elapsed);
    this.#addStep(lap.elapsed, lap.amount, lap.bid);
  }

  /** Adds the fall of the price, to null without an earlier bid, when bid `bid` was voided. */
  void(at, bid, price) {
    if (bid > this.#newest) return;
    this.#newest = bid - 1;
    this.#addStep(at, price, bid - 1);
  }

  /** Adds somebody who joined; only for news, whose time is known. */
  addJoin(at, name) {
    if (at < (this.joins.at(-1)?.at ?? 0)) return;
    this.joins.push({ at, name });
    if (this.joins.length > most.joins) this.joins.shift();
  }

  /** Replaces what is known from the first of these bids on; they are all of them, in order. */
  load(laps) {
    if (laps.length === 0 || this.#contains(laps)) return;
    const first = laps[0];
    const bin = Math.floor(first.elapsed / this.binMilliseconds);
    this.steps = this.steps.filter((step) => step.bid < first.bid && step.at <= first.elapsed);
    this.gaps = this.gaps.filter((gap) => gap.to < first.elapsed);
    this.bins.length = Math.min(this.bins.length, bin);
    this.#newest = this.steps.at(-1)?.bid ?? 0;
    for (const step of this.steps) {
      if (Math.floor(step.at / this.binMilliseconds) === bin) this.#count(step.at);
    }
    for (const lap of laps) this.addBid(lap);
    this.epoch += 1;
  }

  /** The bids per second over the 5 s window that ends with bin `index`. */
  rate(index) {
    const width = Math.max(1, Math.round(windowMilliseconds / this.binMilliseconds));
    let count = 0;
    for (let at = Math.max(0, index - width + 1); at <= index; at += 1) {
      count += this.bins[at] ?? 0;
    }
    return (count * 1_000) / (width * this.binMilliseconds);
  }

  /** The bids per second over the 5 s before `at`. */
  rateAt(at) {
    const bin = Math.floor(at / this.binMilliseconds);
    return this.rate(this.binMilliseconds < windowMilliseconds ? bin : bin - 1);
  }

  /** The highest rate so far. */
  get highestRate() {
    let highest = 0;
    for (let index = 0; index < this.bins.length; index += 1) {
      highest = Math.max(highest, this.rate(index));
    }
    return highest;
  }

  /** Whether these bids are all known already, and nothing is missing among them. */
  #contains(laps) {
    return this.#newest >= (laps.at(-1)?.bid ?? 0) && this.steps.length > 0 &&
      !this.gaps.some((gap) => gap.to >= laps[0].elapsed);
  }

  #addGap(from, to) {
    this.gaps.push({ from, to });
    this.epoch += 1;
    if (this.gaps.length > most.gaps) this.gaps.shift();
  }

  #addStep(at, price, bid) {
    this.steps.push({ at: Math.max(at, this.steps.at(-1)?.at ?? 0), price, bid });
    if (this.steps.length > most.steps) this.#mergeSteps();
  }

  /** Keeps the last price of each of 1,024 equal intervals, so that the list halves at least. */
  #mergeSteps() {
    const width = Math.max(1, this.end / (most.steps / 4));
    this.steps = this.steps.filter((step, index) => {
      const next = this.steps[index + 1];
      return !next || Math.floor(next.at / width) !== Math.floor(step.at / width);
    });
  }

  #count(at) {
    while (at / this.binMilliseconds >= most.bins) this.#mergeBins();
    const index = Math.floor(Math.max(0, at) / this.binMilliseconds);
    while (this.bins.length <= index) this.bins.push(0);
    this.bins[index] += 1;
  }

  /** Widens the bins: from 1 s to the 5 s of the window, and then twice as wide each time. */
  #mergeBins() {
    const factor = this.binMilliseconds < windowMilliseconds ? 5 : 2;
    const bins = new Array(Math.ceil(this.bins.length / factor)).fill(0);
    this.bins.forEach((count, index) => (bins[Math.floor(index / factor)] += count));
    this.bins = bins;
    this.binMilliseconds *= factor;
    this.epoch += 1;
  }
}
