// The sale according to the server's messages. No DOM; every time is an argument.
//
// Times called `...At` are milliseconds of the local clock; `elapsed` is milliseconds since the lot
// opened. Protocol.md, section JSON, describes the messages.

import { ServerClock } from "./clock.js";
import { Series } from "./series.js";
import { Ticker } from "./ticker.js";
import { counted, grouped, sameName, newsText } from "./words.js";

const most = { results: 100, people: 10_000 };

// News that the ticker words differently, or does not have.
const notInTicker = ["price", "ask", "terms"];

const facts = {
	game: (m) => ({ gameTerms: m }),
	terms: (m) => ({ terms: m }),
	sealed: (m) => ({ sealed: m.bids }),
	reserve: () => ({ reserveMet: true }),
	value: (m) => ({ value: m.value, hasValues: true }),
	purse: (m) => ({ purse: m.left }),
	yours: (m) => ({ yours: m.amount }),
	max: (m) => ({ maximum: m.amount }),
	going: (m) => ({ going: m.content }),
	last: () => ({ isLast: true }),
	resumed: () => ({ isPaused: false }),
};

export function lapOf({ bid, amount, bidder, elapsedMilliseconds }) {
	return { bid, amount, bidder, elapsed: elapsedMilliseconds };
}

export class Model {
	// The name of this page's bidder; null for an observer.
	me = null;
	// Is called with `{ kind, text, message }` for news that just happened, not for old news.
	observer = () => {};
	#clock = new ServerClock();
	#ticker;
	// The newest message that says what the next bid may be.
	#bounds = {};

	constructor() {
		this.#begin();
	}

	#begin() {
		this.game = this.room = this.sale = null;
		this.#bounds = {};
		// For lots without terms.
		this.usual = { seconds: 7, step: 1 };
		this.seq = 0;
		this.lot = null;
		this.isOpen = false;
		this.isPaused = false;
		this.isStopped = false;
		// The number of lots, once the sale is over.
		this.lotsInAll = null;
		// How the lot ended, as `result` messages say it, with the `text` of an unsold lot.
		this.outcome = null;
		this.results = [];
		// Messages: each `champion`, and the newest `standing`s, the best first.
		this.champions = [];
		this.standings = [];
		this.hasValues = false;
		// The `game` message; null for a sale without purses and values.
		this.gameTerms = null;
		// What `me` may still spend; null without a limit.
		this.purse = null;
		// Names by their lower-case forms; null until they are loaded.
		this.people = null;
		this.#ticker = new Ticker();
		this.next = null;
		this.#clear();
	}

	#clear() {
		this.series = new Series();
		this.openedAt = null;
		this.length = null;
		this.isLast = false;
		// The `terms` message; null for a plain English auction.
		this.terms = null;
		this.ask = null;
		// The number of sealed bids, and the `revealed` messages, the highest first.
		this.sealed = 0;
		this.revealed = [];
		this.reserveMet = false;
		this.value = null;
		this.#forgetSecrets();
		// Whether `me` has an accepted bid on this lot.
		this.hasBid = false;
		this.#count(null);
	}

	#forgetSecrets() {
		// What the lot is worth to `me`: `{ amount, isEstimate }`.
		this.worth = null;
		// The amounts of the sealed bid and of the maximum bid of `me`.
		this.yours = this.maximum = null;
	}

	#count(endsAt) {
		this.endsAt = endsAt;
		this.going = null;
	}

	get ticker() {
		return this.#ticker.entries;
	}

	#isMine = (lap) => sameName(lap?.bidder, this.me);

	get leading() {
		return this.series.laps.at(-1) ?? null;
	}

	get leads() {
		return this.#isMine(this.leading);
	}

	get seconds() {
		return (this.terms ?? this.usual).seconds;
	}

	get step() {
		return (this.terms ?? this.usual).step;
	}

	get format() {
		return this.terms?.format ?? "english";
	}

	get isSealed() {
		return ["sealed", "vickrey"].includes(this.format);
	}

	get standing() {
		if (this.lot === null) return "waiting";
		if (this.outcome?.bidder) return this.#isMine(this.outcome) ? "won" : "sold";
		if (this.outcome) return "passed";
		if (this.isSealed) return this.yours === null ? "unsealed" : "sealed";
		if (this.leads) return "lead";
		if (this.format === "dutch") return "falling";
		if (this.leading === null) return "first";
		return this.hasBid ? "outbid" : "watch";
	}

	// The price that is shown: paid, asked, leading, or the own sealed bid; null without one.
	get price() {
		if (this.outcome) return this.outcome.amount ?? null;
		if (this.isSealed) return this.yours;
		return this.ask ?? this.leading?.amount ?? this.lot?.start ?? null;
	}

	// What the buyer earns at that price, as far as `me` knows; null if that is unknown.
	get gain() {
		const isOthers = this.value === null && this.standing === "sold";
		return this.price === null || isOthers ? null : this.gainAt(this.price);
	}

	// What `me` would earn with the lot for this amount; null without a value.
	gainAt(amount) {
		const worth = this.value ?? this.worth?.amount;
		return worth === undefined ? null : worth - amount;
	}

	// The most that `me` can bid; null without a limit. What is reserved on this lot counts.
	get affordable() {
		const reserved = this.leads ? Math.max(this.leading.amount, this.maximum) : this.yours;
		return this.purse === null ? null : this.purse + reserved;
	}

	get buyPrice() {
		const buy = this.isOpen ? this.terms?.buy ?? null : null;
		return buy !== null && (this.ask ?? this.leading?.amount ?? 0) < buy ? buy : null;
	}

	// The least amount of the next bid; null if there can be none, or the price falls.
	get least() {
		return this.isOpen && this.format !== "dutch" ? this.#bounds.minimum ?? null : null;
	}

	// The highest amount of the next bid that does not buy; null if there can be none.
	get most() {
		return this.#bounds.maximum ?? null;
	}

	get isFinal() {
		return this.isOpen && this.format === "english" && this.least === null;
	}

	remaining(now) {
		return this.endsAt === null ? null : Math.max(0, this.endsAt - now);
	}

	// The time since the lot opened, which stops at its end; null if unknown.
	elapsed(now) {
		if (!this.isOpen) return this.length;
		return this.openedAt === null ? null : Math.max(0, now - this.openedAt);
	}

	// Until when the server has promised to send something; Infinity if it has not.
	promisedBy(heardAt) {
		if (this.endsAt !== null) return Math.max(heardAt, Math.min(heardAt + 1_000, this.endsAt));
		// A promise that was late already says nothing more.
		return this.next?.at > heardAt ? this.next.at : Infinity;
	}

	accepted(amount) {
		if (this.isSealed) return this.yours === amount;
		return this.series.laps.some((lap) => lap.amount === amount && this.#isMine(lap));
	}

	takeName(name) {
		const isOther = !sameName(name, this.me);
		this.me = name;
		// After a reconnection the name is the same, and its bid may be older than the kept laps.
		if (!isOther) return;
		this.purse = null;
		this.#forgetSecrets();
		this.hasBid = this.series.laps.some(this.#isMine);
	}

	loadLaps(laps) {
		// The steps of a Dutch auction are no bids.
		if (this.ask === null) this.series.load(laps);
		this.hasBid ||= laps.some(this.#isMine);
	}

	loadResults(results) {
		const last = results.at(-1)?.lot ?? 0;
		const newer = this.results.filter((result) => result.lot > last);
		this.results = [...results, ...newer].slice(-most.results);
	}

	loadStandings(standings) {
		this.standings = standings;
		this.hasValues ||= standings.some(({ profit }) => profit !== undefined);
	}

	loadPeople(names) {
		this.people = new Map(names.slice(0, most.people).map((name) => [name.toLowerCase(), name]));
	}

	// Notes that news after `heardAt` was missed and cannot be had any more; a snapshot follows.
	miss(now, heardAt) {
		if (this.isOpen) this.series.known = this.elapsed(heardAt) ?? 0;
		// The server may have an older journal, with smaller numbers.
		this.seq = 0;
		this.people = null;
		this.next = null;
		this.#ticker.tell("gap", "Some news was missed while this page was not connected", now);
	}

	// Whether a greeting is of this sale; one of another room with the same name is not.
	isOf({ game, room = "main", sale = null }) {
		return this.game === game && this.room === room && this.sale === sale;
	}

	// Applies one message that was received at `now`; unknown types are ignored.
	//
	// `isOld` is news that was missed, whose remaining time is unknown. `isRepeated` is no news, as in
	// a snapshot.
	apply(message, now, { isOld = false, isRepeated = message.snapshot === true } = {}) {
		if (message.seq !== undefined) {
			if (!isRepeated && message.seq <= this.seq) return;
			this.seq = Math.max(this.seq, message.seq);
		}
		const at = isOld ? this.#clock.happenedAt(message.time, now)
			: this.#clock.sentAt(message.time, now);
		this.#change(message, { at, isOld, isRepeated });
		if (isRepeated || !message.text || notInTicker.includes(message.type)) return;
		const text = newsText(message);
		this.#ticker.tell(message.type, text, at, message.bidder);
		if (!isOld) this.observer({ kind: message.type, text, message });
	}

	#change(m, how) {
		// A snapshot begins with the lot or its end, and ends with `paused` if the sale is paused.
		if (m.snapshot && ["lot", "winner", "passed"].includes(m.type)) this.isPaused = false;
		if (["lot", "price", "ask", "voided"].includes(m.type)) this.#bounds = m;
		if (Object.hasOwn(facts, m.type)) Object.assign(this, facts[m.type](m));
		switch (m.type) {
			case "hello": {
				const { game, room = "main", sale = null } = m;
				if (!this.isOf(m)) {
					const isAgain = this.game === game && this.room === room;
					this.#begin();
					if (isAgain) this.#ticker.tell("gap", "This room had ended, and was opened again", how.at);
				}
				Object.assign(this, { game, room, sale });
				this.usual = { seconds: m.seconds, step: m.step };
				this.isPaused = this.isStopped = false;
				break;
			}
			case "lot":
				return this.#open(m, how);
			case "price":
				return this.#lead(lapOf(m), m.remainingMilliseconds, how);
			case "countdown":
				return this.#follow(m, how);
			case "terms":
				if (m.format !== "dutch" || this.ask !== null) break;
				// The first price is not announced.
				this.series.addAsk(0, (this.ask = m.start));
				break;
			case "ask":
				return this.#fall(m, how);
			case "revealed":
				this.revealed = [...this.revealed.filter(({ bidder }) => bidder !== m.bidder), m];
				break;
			case "worth":
				return this.#draw(m);
			case "winner":
				return this.#end(m, { content: m.title, bidder: m.bidder, amount: m.amount }, how);
			case "passed":
				return this.#end(m, { content: m.content, text: newsText(m) }, how);
			case "next":
				this.next = { title: m.content, at: how.at + m.seconds * 1_000 };
				break;
			case "over":
				this.lotsInAll = m.lots;
				this.champions = [];
				this.isPaused = false;
				this.next = null;
				break;
			case "champion":
				this.champions = [...this.champions.filter(({ bidder }) => bidder !== m.bidder), m];
				break;
			case "paused":
			case "stopped":
				this.isPaused = m.type === "paused";
				this.isStopped = !this.isPaused;
				this.next = null;
				return this.#count(null);
			case "voided":
				return this.#unbid(m, how);
			case "skipped": {
				const text = `This page was too slow and missed ${counted(m.lines, "event")}`;
				this.#ticker.tell("gap", text, how.at);
				this.observer({ kind: "gap", text });
				break;
			}
			case "joined":
				if (this.people?.size < most.people) this.people.set(m.bidder.toLowerCase(), m.bidder);
				if (!how.isRepeated && this.isOpen) {
					this.series.addJoin(Math.max(0, how.at - this.openedAt), m.bidder);
				}
				break;
			case "left":
				this.people?.delete(m.bidder.toLowerCase());
		}
	}

	#open({ lot, content, start, elapsedMilliseconds }, how) {
		if (this.lot?.number !== lot || !this.isOpen) this.#clear();
		this.lot = { number: lot, title: content, start };
		this.isOpen = true;
		this.isStopped = false;
		this.outcome = this.lotsInAll = this.next = null;
		this.champions = [];
		this.openedAt = how.at - elapsedMilliseconds;
		this.#count(null);
	}

	#fall({ amount, remainingMilliseconds }, how) {
		this.series.addAsk(Math.max(0, how.at - (this.openedAt ?? how.at)), amount, how.isRepeated);
		this.ask = amount;
		if (how.isOld) return;
		if (remainingMilliseconds !== undefined) this.#count(how.at + remainingMilliseconds);
		if (!how.isRepeated) this.observer({ kind: "ask", text: `Asking ${grouped(amount)}` });
	}

	#draw({ amount, isEstimate = false }) {
		if (this.worth?.amount === amount) return;
		this.worth = { amount, isEstimate };
		this.hasValues = true;
		const text = `${isEstimate ? "Your estimate is about" : "Your value is"} ${grouped(amount)}`;
		this.observer({ kind: "worth", text });
	}

	#lead(lap, remaining = this.seconds * 1_000, how) {
		const led = this.leads;
		// A void repeats an earlier price, which is no news.
		const isNew = this.series.addBid(lap) && !how.isRepeated;
		this.hasBid ||= this.leads;
		// No bid is later than now: the message that opened the lot was delayed.
		if (!how.isOld || this.openedAt === null) {
			this.openedAt = Math.min(this.openedAt ?? Infinity, how.at - lap.elapsed);
		}
		if (!this.isPaused && !how.isOld) {
			const { going } = this;
			this.#count(how.at + remaining);
			// A later bid of the last round does not reset the countdown.
			if (this.isLast) this.going = going;
		}
		if (!isNew) return;
		const text = this.#ticker.tellBid(lap, how.at);
		if (how.isOld) return;
		if (led && !this.leads) {
			const advice = this.isFinal ? "The price can rise no more" : `Bid at least ${grouped(this.least)}`;
			this.observer({ kind: "outbid", text: `Outbid by ${lap.bidder}. ${advice}` });
		} else if (!led && this.leads) {
			this.observer({ kind: "lead", text: `You lead with ${grouped(lap.amount)}` });
		} else this.observer({ kind: "bid", text });
	}

	// Follows an announced countdown. A later end is due to delay in the network and ignored,
	// unless it is later by a second: then the server itself stood still.
	#follow({ seconds, remainingMilliseconds = Infinity }, how) {
		if (how.isOld || this.isPaused || !this.isOpen) return;
		const end = how.at + Math.min(remainingMilliseconds, seconds * 1_000);
		if (this.endsAt === null || end >= this.endsAt + 1_000) this.#count(end);
		else this.endsAt = Math.min(this.endsAt, end);
		// A snapshot has no `going`; the warnings come at 2/5 and 1/5 of the full countdown.
		if (how.isRepeated && this.format === "english" && this.seconds >= 5 && seconds <= Math.round(this.seconds * 0.4)) {
			this.going = seconds <= Math.round(this.seconds / 5) ? "twice" : "once";
		}
	}

	#unbid(m, how) {
		const fallAt = how.at - (this.openedAt ?? how.at);
		this.series.void(fallAt, m.bid, m.leadingAmount ?? null);
		if (m.leadingBid) {
			this.series.addBid({
				bid: m.leadingBid, amount: m.leadingAmount, bidder: m.leadingBidder,
				elapsed: m.leadingElapsedMilliseconds,
			});
		}
		this.hasBid = this.series.laps.some(this.#isMine);
		this.reserveMet = false;
		if (this.#isMine(m)) this.maximum = null;
		this.#count(null);
		if (this.leads && !how.isOld) this.observer({ kind: "lead", text: "You lead again" });
	}

	#end({ lot, elapsedMilliseconds }, outcome, how) {
		if (this.lot?.number !== lot) {
			this.#clear();
			this.lot = { number: lot, title: outcome.content, start: 1 };
		}
		this.outcome = { lot, ...outcome };
		this.length = elapsedMilliseconds ?? (how.isRepeated ? this.length : this.elapsed(how.at));
		this.isOpen = false;
		this.#count(null);
		if (this.results.at(-1)?.lot !== lot) this.loadResults([...this.results, this.outcome]);
	}
}
