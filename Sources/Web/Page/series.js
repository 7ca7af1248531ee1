// What happened on one lot, by the milliseconds since it opened. No DOM.

// Beyond these bounds steps are merged, and the oldest of the others are dropped.
const most = { laps: 400, steps: 8_192, joins: 256 };

export class Series {
	// The bids `{ bid, amount, bidder, elapsed, split }`; there is no split without the one before.
	laps = [];
	count = 0;
	// Prices `{ at, price, bid, count }`: null after a void of the only bid and while bids are missing.
	steps = [];
	joins = [];
	isPartial = false;
	// Whether prices are asked and fall, as in a Dutch auction.
	isFalling = false;
	window = 5_000;
	highestRate = 0;

	get end() {
		return Math.max(this.steps.at(-1)?.at ?? 0, this.joins.at(-1)?.at ?? 0);
	}

	// Returns whether the bid is new.
	addBid(lap) {
		const { bid, amount, elapsed } = lap;
		if (this.laps.some((known) => known.bid === bid && known.amount === amount)) return false;
		// The number of a voided bid is used again.
		this.#truncate(bid);
		if (bid > this.count + 1) this.#interrupt();
		const before = bid === 1 ? { bid: 0, elapsed: 0 } : this.laps.at(-1);
		this.laps.push({ ...lap, split: before?.bid === bid - 1 ? elapsed - before.elapsed : null });
		if (this.laps.length > most.laps) this.laps = this.laps.slice(-most.laps / 2);
		this.count = bid;
		this.#addStep(elapsed, amount, 1);
		this.highestRate = Math.max(this.highestRate, this.rateAt(elapsed));
		return true;
	}

	void(at, bid, price) {
		if (bid > this.count) return;
		this.#truncate(bid);
		this.#addStep(at, price, 0);
	}

	// Adds a price that is asked in a Dutch auction; before a late one others were missed.
	addAsk(at, price, isLate) {
		const last = this.steps.at(-1);
		if (last?.price === price) return;
		this.isFalling = true;
		if (isLate) this.#interrupt();
		this.#addStep(at, price, 0);
	}

	addJoin(at, name) {
		if (at < (this.joins.at(-1)?.at ?? 0)) return;
		this.joins.push({ at, name });
		if (this.joins.length > most.joins) this.joins = this.joins.slice(-most.joins / 2);
	}

	// Replaces what is known from the first of these bids on; they are all of them, in order.
	load(laps) {
		const first = laps[0] ?? { bid: 1, elapsed: 0 };
		const last = laps.at(-1) ?? { bid: Infinity };
		if (this.count >= last.bid && !this.isPartial) return;
		const newer = this.laps.filter((lap) => lap.bid > last.bid);
		this.#truncate(first.bid);
		this.steps = this.steps.filter((step) => step.bid < first.bid && step.at <= first.elapsed);
		this.isPartial = false;
		for (const lap of [...laps, ...newer]) this.addBid(lap);
	}

	rateAt(at) {
		return ((this.#countAt(at) - this.#countAt(at - this.window)) * 1_000) / this.window;
	}

	#countAt(at) {
		let [low, high] = [0, this.steps.length];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			if (this.steps[middle].at <= at) low = middle + 1;
			else high = middle;
		}
		return this.steps[low - 1]?.count ?? 0;
	}

	#truncate(bid) {
		while (this.laps.at(-1)?.bid >= bid) this.laps.pop();
		this.count = Math.min(this.count, bid - 1);
	}

	// What follows the last price is missing.
	#interrupt() {
		this.isPartial = true;
		if (this.steps.length) this.#addStep(0, null, 0);
	}

	#addStep(at, price, bids) {
		const last = this.steps.at(-1) ?? { at: 0, count: 0 };
		this.steps.push({ at: Math.max(at, last.at), price, bid: this.count, count: last.count + bids });
		if (this.steps.length <= most.steps) return;
		// Keeps the last step of each interval.
		const width = Math.max(1, this.end / (most.steps / 4));
		const interval = (step) => Math.floor(step?.at / width);
		this.steps = this.steps.filter((step, index, all) => interval(step) !== interval(all[index + 1]));
		this.window = Math.max(this.window, 8 * width);
	}
}
