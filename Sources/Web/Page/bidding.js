// What a bidder can do: bids, raises, a maximum, taking and buying, and the answer. No DOM.

import { grouped, sentence } from "./words.js";

const highest = 1_000_000_000_000;

// In milliseconds: the longest time for an answer, the shortest for a refusal, and the time to read a change.
const times = { answer: 8_000, refusal: 2_000, reading: 500 };

// An amount this many times the price may be a mistake.
const suspect = 5;

// The amount that a person typed, such as `1,050`; null if it is not a whole number.
export function parsedAmount(text) {
	if (!/^\s*(\d+|\d{1,3}([ ,'\u00a0\u202f]\d{3})+)\s*$/.test(text)) return null;
	const amount = Number(text.replace(/\D/g, ""));
	return amount >= 1 && amount <= highest ? amount : null;
}

// The offers of a button. A press means the one that the person has read: shown for half a second, or since it was held.
export class Trigger {
	// Offers, the oldest first.
	#shown = [{ offer: null, at: -Infinity }];
	#held = null;

	// What the button shows: under a finger that stays.
	get offer() {
		return this.#held?.offer ?? this.#shown.at(-1).offer;
	}

	// Offers something else at `now`. What the person has typed needs no reading, unless the lot is new.
	show(offer, now, isTyped = false) {
		const shown = this.#shown;
		const newest = shown.at(-1);
		const replaced = isTyped ? shown.find((each) => offer && each.offer?.lot === offer.lot)
			: newest.offer?.command === offer?.command ? newest : undefined;
		if (replaced) shown.length = shown.indexOf(replaced);
		shown.push({ offer, at: replaced?.at ?? now });
		while (shown[1]?.at <= now - times.reading) shown.shift();
	}

	meant(now) {
		return (this.#held ?? this.#shown.findLast(({ at }) => at <= now - times.reading)).offer;
	}

	isRead(now) {
		return this.#held !== null || this.#shown.at(-1).at <= now - times.reading;
	}

	hold(now) {
		this.#held = null;
		this.#held = { offer: this.meant(now) };
	}

	release() {
		this.#held = null;
	}
}

export class Bidding {
	// `{ kind, text }` with kind "sending", "unknown", "ask", "good" or "bad"; null if none is shown.
	answer = null;

	#model; #connection; #clock;

	constructor({ model, connection, clock }) {
		[this.#model, this.#connection, this.#clock] = [model, connection, clock];
	}

	get block() {
		const { stage } = this.#model.state;
		const { block } = this.#connection;
		if (block || this.answer?.kind === "sending") return block ?? this.answer.text;
		return stage === "open" ? null : { paused: "Paused", over: "Sale over" }[stage] ?? "Wait for the next lot";
	}

	get obstacle() {
		const { leads, isFinal } = this.#model;
		return this.block ?? (leads ? "You lead" : isFinal ? "No higher bid" : null);
	}

	get allowsMaximum() {
		return this.block === null && this.#model.isRising;
	}

	get raises() {
		const { minimum, maximum, step, price } = this.#model.state;
		if (minimum === null || this.#model.leads || !this.#model.isRising) return [];
		const base = price ?? minimum;
		const scale = 10 ** Math.max(0, Math.floor(Math.log10(base / step)) - 2);
		const isLow = minimum + 9 * step >= suspect * base;
		const amounts = (isLow ? [0, 1, 2] : [0, 5 * scale - 1, 10 * scale - 1]).map((steps) => minimum + steps * step);
		return amounts.filter((amount) => amount <= maximum).map((amount) => ({ amount, more: amount - base }));
	}

	// What `bid`, `take`, `buy` or `max` would do now, on the lot that is shown alone; null if it cannot be done.
	offer(verb, amount = null) {
		const { state: { lot, price, buy }, you: { sealed } } = this.#model;
		const isBid = verb === "bid";
		if (isBid || verb === "take" ? this.obstacle : this.block) return null;
		if (isBid && amount !== null && amount === sealed) return null;
		const cost = verb === "take" ? price : verb === "buy" ? buy : Math.min(amount, buy ?? amount);
		const words = isBid || verb === "max" ? `${verb} ${amount ?? 0}` : verb;
		return { verb, amount, cost, lot, command: `${words} lot=${lot}` };
	}

	warning(amount) {
		const { state: { minimum, buy }, you: { most } } = this.#model;
		if (amount === null) return "";
		if (amount < minimum) return `The minimum bid is now ${grouped(minimum)}`;
		const cost = Math.min(amount, buy ?? amount);
		if (cost > (most ?? Infinity)) return `Over your purse: you can bid at most ${grouped(most)}`;
		return this.#lossAt(cost);
	}

	#lossAt(cost) {
		const gain = this.#model.gainAt(cost);
		return gain < 0 ? `${grouped(-gain)} above your ${this.#model.you.isEstimate ? "estimate" : "value"}` : "";
	}

	// Why an offer may be a mistake, as a question; falsy if it hardly is one.
	#doubt({ verb, amount, cost, lot }) {
		const { price, isRising, state: { minimum, buy, ...state } } = this.#model;
		if (lot !== state.lot) return "";
		const isBid = verb === "bid";
		const isPurchase = verb === "buy" || (isBid && amount >= (buy ?? Infinity));
		const isHigh = isBid && isRising && amount > minimum && amount >= suspect * price;
		const many = isHigh && `${grouped(Math.floor(amount / price))} times the price`;
		const reasons = [isPurchase ? `for ${grouped(cost)}` : many, this.#lossAt(cost)].filter(Boolean);
		return reasons.length && `This ${isPurchase ? "buys the lot" : "is"} ${reasons.join(", ")}: sure?`;
	}

	asks(offer) {
		return this.answer?.kind === "ask" && this.answer.offer.command === offer?.command;
	}

	// Sends what was offered; where it may be a mistake only when it is pressed again.
	async accept(offer) {
		if (this.#connection.block || this.answer?.kind === "sending") return;
		if (offer.verb === "bid" && offer.amount === null) return this.tell("bad", "A bid is a whole number, such as 120");
		const isAsked = this.asks(offer);
		if (isAsked && this.#clock.now() < this.answer.at + times.reading) return;
		if (isAsked || !this.#doubt(offer)) return this.#send(offer);
		this.tell("ask", "", { offer });
		this.follow([offer]);
	}

	follow(offers) {
		if (this.answer?.kind !== "ask") return;
		const offer = offers.find((each) => this.asks(each));
		const doubt = offer && this.#doubt(offer);
		if (doubt) this.answer.text = doubt;
		else this.answer = null;
	}

	expire() {
		if (!["ask", "good", "bad"].includes(this.answer?.kind)) return;
		const { kind, at, lot, price, amount } = this.answer;
		const { state } = this.#model;
		const age = this.#clock.now() - at;
		const isBeaten = state.price > (amount || Infinity) || (age > times.refusal && !this.#model.isOpen);
		const isPast = kind === "good" ? isBeaten : kind === "bad" && age > times.refusal && state.price !== price;
		if (isPast || age > times.answer || lot !== state.lot) this.answer = null;
	}

	// Says, once the connection is back, whether a command without an answer was accepted.
	settle() {
		if (this.answer?.kind !== "unknown") return;
		const { offer } = this.answer;
		if (offer.lot !== this.#model.state.lot) return (this.answer = null);
		const isDone = this.#model.accepted(offer);
		const name = nameOf(offer.verb, offer.amount);
		const text = isDone === null ? `The lot has ended: unknown whether your ${name} was accepted`
			: `Your ${name} was ${isDone ? "" : "not "}accepted`;
		this.tell(isDone ? "good" : "bad", text, { amount: offer.cost });
	}

	async #send(offer) {
		const name = nameOf(offer.verb, offer.amount);
		this.tell("sending", "Sending…");
		const { isOK, code, content } = await this.#connection.request(offer.command);
		if (code === "lost") {
			return this.tell("unknown", `The connection was lost: unknown whether your ${name} was accepted`, { offer });
		}
		if (!isOK) return this.tell("bad", plainer[code] ?? sentence(content));
		const [verb, amount] = content.split(" ");
		const isBought = ["take", "buy"].includes(verb);
		const text = isBought ? `You bought it for ${grouped(amount)}` : `Your ${name} was accepted`;
		this.tell("good", text, { amount: isBought ? amount : offer.cost });
	}

	tell(kind, text, facts) {
		const { lot, price } = this.#model.state;
		this.answer = { kind, text, at: this.#clock.now(), lot, price, ...facts };
	}
}

function nameOf(verb, amount) {
	if (verb === "bid") return `bid of ${grouped(amount)}`;
	if (verb !== "max") return "offer";
	return amount === null ? "order to stop" : `maximum of ${grouped(amount)}`;
}

// Refusals that speak of the lines of the protocol.
const plainer = {
	__proto__: null,
	closed: "No lot is open, wait for the next one",
	paused: "The sale is paused, wait until it resumes",
};
