// What a bidder can do: bids, raises, a maximum, taking and buying, and the answer. No DOM.

import { counted, grouped } from "./words.js";

const highest = 1_000_000_000_000;

const answerMilliseconds = 8_000;

// The amount that a person typed, such as `1,050`; null if it is not a whole number.
export function parsedAmount(text) {
	if (!/^\s*(\d+|\d{1,3}([ ,'\u00a0\u202f]\d{3})+)\s*$/.test(text)) return null;
	const amount = Number(text.replace(/\D/g, ""));
	return amount >= 1 && amount <= highest ? amount : null;
}

export class Bidding {
	// `{ kind, text }` with kind "sending", "unknown", "good" or "bad"; null if none is shown.
	answer = null;

	#model; #connection; #clock;

	constructor({ model, connection, clock }) {
		[this.#model, this.#connection, this.#clock] = [model, connection, clock];
	}

	// Why nothing can be sent now, in the words of the button; null if something can.
	get #block() {
		const { lotsInAll, isPaused, isOpen } = this.#model;
		if (this.#connection.phase !== "live") return "Not connected";
		// What is sent now would count in the other room.
		if (this.#connection.destination) return "Changing rooms";
		if (this.answer?.kind === "sending") return this.answer.text;
		if (lotsInAll !== null) return "Sale over";
		if (isPaused) return "Paused";
		return isOpen ? null : "Wait for the next lot";
	}

	get isBlocked() {
		return this.#block !== null;
	}

	get obstacle() {
		return this.#block ?? (this.#model.leads ? "You lead" : null);
	}

	get allowsMaximum() {
		return this.#block === null && this.#model.format === "english";
	}

	// The one-tap raises as `{ amount, more }`: the minimum bid, and two larger round steps.
	get raises() {
		const { least, step, leading, format } = this.#model;
		if (least === null || format !== "english") return [];
		const base = leading?.amount ?? least;
		const scale = 10 ** Math.max(0, Math.floor(Math.log10(base / step)) - 2);
		return [1, 5 * scale, 10 * scale].map((steps) => least + (steps - 1) * step)
			.filter((amount) => amount <= highest)
			.map((amount) => ({ amount, more: amount - base }));
	}

	// The warning for this amount, such as about a loss; empty if there is none.
	warning(amount) {
		const { least, affordable, worth } = this.#model;
		if (amount === null) return "";
		if (amount < least) return `The minimum bid is now ${grouped(least)}`;
		if (affordable !== null && amount > affordable) {
			return `Over your purse: you can bid at most ${grouped(affordable)}`;
		}
		const loss = -this.#model.gainAt(amount);
		return loss > 0 ? `${grouped(loss)} above your ${worth?.isEstimate ? "estimate" : "value"}` : "";
	}

	// Bids; in a sealed auction this replaces an earlier bid.
	async place(amount) {
		const model = this.#model;
		if (this.obstacle) return;
		if (amount === null) return this.#show("bad", "A bid is a whole number, such as 120");
		const isDone = () => model.accepted(amount);
		const { isOK } = await this.#send(`bid ${amount}`, `bid of ${grouped(amount)}`, amount, isDone);
		if (isOK && model.isSealed) model.yours = amount;
	}

	take() {
		return this.obstacle ?? this.#purchase("take", this.#model.ask);
	}

	// What `buy` buys now.
	get offer() {
		const { room, lot, buyPrice } = this.#model;
		return [room, lot?.number, buyPrice].join();
	}

	// Buys what was on offer when the bidder was asked.
	buy(offer = this.offer) {
		if (offer !== this.offer) return this.#show("bad", "This offer has ended");
		return this.#block ?? this.#purchase("buy", this.#model.buyPrice);
	}

	#purchase(command, price) {
		return this.#send(command, "offer", price, () => this.#model.leads);
	}

	// Lets the server bid up to this amount; null takes that back.
	async setMaximum(amount) {
		const model = this.#model;
		if (!this.allowsMaximum) return;
		const what = amount === null ? "order to stop" : `maximum of ${grouped(amount)}`;
		const isDone = () => model.maximum === amount;
		const { isOK } = await this.#send(`max ${amount ?? 0}`, what, amount ?? highest, isDone);
		if (isOK) model.maximum = amount;
	}

	expire() {
		if (this.answer?.kind !== "good" && this.answer?.kind !== "bad") return;
		const isOld = this.#clock.now() - this.answer.at > answerMilliseconds;
		if (isOld || this.answer.basis !== this.#basis(this.answer)) this.answer = null;
	}

	// Says, once the connection is back, whether a command without an answer was accepted.
	settle() {
		if (this.answer?.kind !== "unknown") return;
		const { what, amount, lot, isDone } = this.answer;
		if (this.#model.lot?.number !== lot) this.answer = null;
		else if (isDone()) this.#show("good", `Your ${what} was accepted`, { amount });
		else this.#show("bad", `Your ${what} was not accepted`);
	}

	// Shows the answer to a command; `isDone` tells whether the sale shows its effect.
	async #send(command, what, amount, isDone) {
		const lot = this.#model.lot?.number;
		this.#show("sending", "Sending…");
		const answer = await this.#connection.request(command);
		if (answer.isOK) this.#show("good", `Your ${what} was accepted`, { amount });
		else if (answer.code === "lost") {
			const text = `The connection was lost: unknown whether your ${what} was accepted`;
			this.#show("unknown", text, { what, amount, lot, isDone });
		} else this.#show("bad", advice(answer));
		return answer;
	}

	#show(kind, text, facts) {
		this.answer = { kind, text, at: this.#clock.now(), ...facts };
		this.answer.basis = this.#basis(this.answer);
	}

	// What an answer depends on: a good one stays when the bidder's own bid becomes the price.
	#basis({ kind, amount }) {
		const { lot, leading, isOpen, isPaused } = this.#model;
		if (kind === "good") return leading?.amount > amount;
		return [lot?.number, leading?.bid, leading?.amount, isOpen, isPaused].join();
	}
}

function advice({ code, content, message: { minimum, maximum, seconds } }) {
	switch (code) {
		case "too-low": return `Too low: bid at least ${grouped(minimum)}`;
		case "too-high": return `Too high: bid at most ${grouped(maximum)}`;
		case "leading": return "You already lead";
		case "closed": return "No lot is open, wait for the next one";
		case "paused": return "The sale is paused, wait until it resumes";
		case "slow-down": return `Wait ${counted(seconds, "second")}`;
		default: return content;
	}
}
