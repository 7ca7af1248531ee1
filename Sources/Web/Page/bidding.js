// What a bidder can do: bids, raises, a maximum, taking and buying, and the answer. No DOM.

import { grouped, sentence } from "./words.js";

const highest = 1_000_000_000_000;

// In milliseconds: the longest time for an answer, the shortest for a refusal while its lot lasts, and the time that a
// person needs to read a change.
const times = { answer: 8_000, refusal: 2_000, reading: 500 };

// The amount that a person typed, such as `1,050`; null if it is not a whole number.
export function parsedAmount(text) {
	if (!/^\s*(\d+|\d{1,3}([ ,'\u00a0\u202f]\d{3})+)\s*$/.test(text)) return null;
	const amount = Number(text.replace(/\D/g, ""));
	return amount >= 1 && amount <= highest ? amount : null;
}

// The offers of a button. A press means the offer that the person has read: one that was shown for at least
// half a second, and did not change while the button was held down.
export class Trigger {
	// Offers, the oldest first; null while there was none.
	#shown = [{ offer: null, at: -Infinity }];
	// What a press that has begun means, as `{ offer }`; null between presses.
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

// An amount this many times the price may be a mistake.
const suspect = 5;

export class Bidding {
	// `{ kind, text }` with kind "sending", "unknown", "ask", "good" or "bad"; null if none is shown.
	answer = null;

	#model; #connection; #clock;

	constructor({ model, connection, clock }) {
		[this.#model, this.#connection, this.#clock] = [model, connection, clock];
	}

	// Why nothing can be sent now, in words; null if something can.
	get block() {
		const { lotsInAll, isPaused, isOpen } = this.#model;
		if (this.#connection.phase !== "live") return "Not connected";
		// What is sent now would count in the other room.
		if (this.#connection.destination) return "Changing rooms";
		if (this.answer?.kind === "sending") return this.answer.text;
		if (lotsInAll !== null) return "Sale over";
		if (isPaused) return "Paused";
		return isOpen ? null : "Wait for the next lot";
	}

	get obstacle() {
		const { leads, isFinal } = this.#model;
		return this.block ?? (leads ? "You lead" : isFinal ? "No higher bid" : null);
	}

	get allowsMaximum() {
		return this.block === null && this.#model.format === "english";
	}

	// The one-tap raises as `{ amount, more }`: the minimum bid, and two larger round steps.
	get raises() {
		const { least, most, step, leading, format } = this.#model;
		if (least === null || format !== "english") return [];
		const base = leading?.amount ?? least;
		const scale = 10 ** Math.max(0, Math.floor(Math.log10(base / step)) - 2);
		const isLow = least + 9 * step >= suspect * base;
		return (isLow ? [1, 2, 3] : [1, 5 * scale, 10 * scale]).map((steps) => least + (steps - 1) * step)
			.filter((amount) => amount <= most)
			.map((amount) => ({ amount, more: amount - base }));
	}

	// What `bid`, `take`, `buy` or `max` would do now; null if it cannot be done. The command names the
	// lot that is shown, so that it counts for no other one.
	offer(verb, amount = null) {
		const { lot, ask, buyPrice, yours } = this.#model;
		const isBid = verb === "bid";
		if (isBid || verb === "take" ? this.obstacle : this.block) return null;
		if (isBid && this.#model.isSealed && amount === yours) return null;
		const cost = { take: ask, buy: buyPrice, bid: Math.min(amount, buyPrice ?? amount), max: amount }[verb];
		const words = isBid || verb === "max" ? `${verb} ${amount ?? 0}` : verb;
		return { verb, amount, cost, lot: lot.number, command: `${words} lot=${lot.number}` };
	}

	// The warning for this amount, such as about a loss; empty if there is none.
	warning(amount) {
		const { least, affordable, worth, buyPrice } = this.#model;
		if (amount === null) return "";
		if (amount < least) return `The minimum bid is now ${grouped(least)}`;
		const cost = Math.min(amount, buyPrice ?? amount);
		if (affordable !== null && cost > affordable) {
			return `Over your purse: you can bid at most ${grouped(affordable)}`;
		}
		const loss = -this.#model.gainAt(cost);
		return loss > 0 ? `${grouped(loss)} above your ${worth?.isEstimate ? "estimate" : "value"}` : "";
	}

	// Why an offer may be a mistake, as a question; falsy if it hardly is one.
	#doubt({ verb, amount, cost, lot }) {
		const { format, least, price, buyPrice, worth } = this.#model;
		// The server refuses it.
		if (lot !== this.#model.lot.number) return "";
		const loss = -this.#model.gainAt(cost);
		const isBid = verb === "bid";
		const isPurchase = verb === "buy" || (isBid && buyPrice !== null && amount >= buyPrice);
		const isHigh = isBid && format === "english" && amount > least && amount >= suspect * price;
		const reasons = [
			isPurchase ? `for ${grouped(cost)}` : isHigh && `${grouped(Math.floor(amount / price))} times the price`,
			loss > 0 && `${grouped(loss)} more than ${worth?.isEstimate ? "your estimate" : "it is worth to you"}`,
		].filter(Boolean);
		return reasons.length && `This ${isPurchase ? "buys the lot" : "is"} ${reasons.join(", ")}. Press again to confirm`;
	}

	// Whether the next press of this offer is the answer to a question.
	asks(offer) {
		return this.answer?.kind === "ask" && this.answer.offer.command === offer?.command;
	}

	// Sends what was offered; asks first where it may be a mistake, and is to be pressed again then.
	async accept(offer) {
		const { phase, destination } = this.#connection;
		if (phase !== "live" || destination || this.answer?.kind === "sending") return;
		if (offer.verb === "bid" && offer.amount === null) {
			return this.#show("bad", "A bid is a whole number, such as 120");
		}
		const isAsked = this.asks(offer);
		// A press that is doubled by accident is no answer.
		if (isAsked && this.#clock.now() < this.answer.at + times.reading) return;
		if (!isAsked && this.#doubt(offer)) {
			this.#show("ask", "", { offer });
			return this.follow([offer]);
		}
		const { isOK, content } = await this.#send(offer);
		// The server may have set less, or have bought the lot.
		if (isOK && content.startsWith("max ")) this.#model.maximum = Number(content.slice(4)) || null;
		else if (isOK && this.#model.isSealed && offer.verb === "bid") this.#model.yours = offer.amount;
	}

	// Keeps a question only while its offer is shown, with the words that are right now.
	follow(offers) {
		if (this.answer?.kind !== "ask") return;
		const offer = offers.find((each) => this.asks(each));
		const doubt = offer && this.#doubt(offer);
		if (doubt) this.answer.text = doubt;
		else this.answer = null;
	}

	expire() {
		if (!["ask", "good", "bad"].includes(this.answer?.kind)) return;
		const { kind, at, lot, basis } = this.answer;
		const age = this.#clock.now() - at;
		const isOver = age > times.answer || lot !== this.#model.lot?.number;
		const isRead = kind !== "bad" || age > times.refusal;
		if (isOver || (isRead && basis !== this.#basis(this.answer))) this.answer = null;
	}

	// Says, once the connection is back, whether a command without an answer was accepted.
	settle() {
		if (this.answer?.kind !== "unknown") return;
		const { offer } = this.answer;
		if (this.#model.lot?.number !== offer.lot) this.answer = null;
		else if (this.#isDone(offer)) this.#show("good", `Your ${nameOf(offer)} was accepted`, { amount: offer.cost });
		else this.#show("bad", `Your ${nameOf(offer)} was not accepted`);
	}

	#isDone({ verb, amount, cost }) {
		const model = this.#model;
		return verb === "bid" ? model.accepted(cost) : verb === "max" ? model.maximum === amount : model.leads;
	}

	async #send(offer) {
		this.#show("sending", "Sending…");
		const answer = await this.#connection.request(offer.command);
		const { isOK, code, content } = answer;
		if (isOK) {
			// A bid may have bought the lot.
			const [verb, amount] = content.split(" ");
			const isBought = ["take", "buy"].includes(verb);
			const text = isBought ? `You bought it for ${grouped(amount)}` : `Your ${nameOf(offer)} was accepted`;
			this.#show("good", text, { amount: isBought ? amount : offer.cost });
		} else if (code === "lost") {
			const text = `The connection was lost: unknown whether your ${nameOf(offer)} was accepted`;
			this.#show("unknown", text, { offer });
		} else this.#show("bad", advice(answer));
		return answer;
	}

	#show(kind, text, facts) {
		this.answer = { kind, text, at: this.#clock.now(), lot: this.#model.lot?.number, ...facts };
		this.answer.basis = this.#basis(this.answer);
	}

	// What an answer depends on besides its lot: a good one leaves when the bidder's own bid is not
	// the price any more or the connection is lost, and a refusal when the price changes.
	#basis({ kind, amount }) {
		const { leading, isOpen, isPaused } = this.#model;
		if (kind === "good") return [leading?.amount > amount, this.#connection.phase].join();
		return kind === "bad" ? [leading?.bid, leading?.amount, isOpen, isPaused].join() : "";
	}
}

const nameOf = ({ verb, amount }) => {
	if (verb === "bid") return `bid of ${grouped(amount)}`;
	if (verb !== "max") return "offer";
	return amount === null ? "order to stop" : `maximum of ${grouped(amount)}`;
};

// Why something was refused; the server says it too, mostly in words for people.
function advice({ code, content, message }) {
	switch (code) {
		case "other-lot": return `Too late: that lot has ended, lot ${grouped(message.lot)} is open now`;
		case "closed": return "No lot is open, wait for the next one";
		case "paused": return "The sale is paused, wait until it resumes";
		default: return sentence(content);
	}
}
