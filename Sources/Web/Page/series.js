// What the chart shows of one lot: prices and joins by the milliseconds since it opened. No DOM.

/** Beyond these bounds neighbouring steps are merged, and the oldest joins and gaps are dropped. */
const most = { steps: 8_192, joins: 256, gaps: 64 };

export class Series {
  /** `{ at, price, bid, count }`: `count` bids so far; no price after a void of the only bid. */
  steps = [];
  /** Who joined when: `{ at, name }`. */
  joins = [];
  /** Times of which bids are missing: `{ from, to }`. */
  gaps = [];
  /** Grows when the past changes, so that what was drawn of it is wrong. */
  epoch = 0;
  /** Until when no bid was missed, apart from the gaps; 0 if that is not known. */
  known = 0;
  /** The milliseconds over which bids per second are measured; more once steps were merged. */
  window = 5_000;
  highestRate = 0;
  #newest = 0;

  /** The time of the newest entry. */
  get end() {
    return Math.max(this.steps.at(-1)?.at ?? 0, this.joins.at(-1)?.at ?? 0);
  }

  /** Adds an accepted bid; if the bids before it are missing, a gap ends with it. */
  addBid({ bid, amount, elapsed }) {
    if (bid <= this.#newest) return;
    if (bid > this.#newest + 1) {
      const from = Math.max(this.steps.at(-1)?.at ?? 0, this.known);
      this.gaps.push({ from: Math.min(from, elapsed), to: elapsed });
      this.gaps = this.gaps.slice(-most.gaps);
      this.epoch += 1;
    }
    this.#newest = bid;
    this.#addStep(elapsed, amount, 1);
    this.highestRate = Math.max(this.highestRate, this.rateAt(elapsed));
  }

  /** Adds the fall of the price, to null without an earlier bid, when bid `bid` was voided. */
  void(at, bid, price) {
    if (bid > this.#newest) return;
    this.#newest = bid - 1;
    this.#addStep(at, price, 0);
  }

  addJoin(at, name) {
    if (at < (this.joins.at(-1)?.at ?? 0)) return;
    this.joins.push({ at, name });
    if (this.joins.length <= most.joins) return;
    this.joins = this.joins.slice(-most.joins / 2);
    this.epoch += 1;
  }

  /** Replaces what is known from the first of these bids on; they are all of them, in order. */
  load(laps) {
    if (laps.length === 0) return;
    const [first, last] = [laps[0], laps.at(-1)];
    const isComplete = !this.gaps.some((gap) => gap.to >= first.elapsed);
    if (this.#newest >= last.bid && isComplete) return;
    this.steps = this.steps.filter((step) => step.bid < first.bid && step.at <= first.elapsed);
    this.gaps = this.gaps.filter((gap) => gap.to < first.elapsed);
    this.#newest = this.steps.at(-1)?.bid ?? 0;
    for (const lap of laps) this.addBid(lap);
    this.epoch += 1;
  }

  /** The bids per second over the window that ends at `at`. */
  rateAt(at) {
    return ((this.#countAt(at) - this.#countAt(at - this.window)) * 1_000) / this.window;
  }

  /** The number of bids until `at`. */
  #countAt(at) {
    let [low, high] = [0, this.steps.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.steps[middle].at <= at) low = middle + 1;
      else high = middle;
    }
    return this.steps[low - 1]?.count ?? 0;
  }

  #addStep(at, price, bids) {
    const last = this.steps.at(-1) ?? { at: 0, count: 0 };
    this.steps.push({
      at: Math.max(at, last.at), price, bid: this.#newest, count: last.count + bids,
    });
    if (this.steps.length > most.steps) this.#merge();
  }

  /** Keeps the last step of each of 2,048 equal intervals. */
  #merge() {
    const width = Math.max(1, this.end / (most.steps / 4));
    const interval = (step) => Math.floor(step.at / width);
    this.steps = this.steps.filter((step, index, all) => {
      return index === all.length - 1 || interval(step) !== interval(all[index + 1]);
    });
    this.window = Math.max(this.window, 8 * width);
    this.epoch += 1;
  }
}
