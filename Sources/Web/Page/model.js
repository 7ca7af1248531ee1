// What the page knows of a sale: the server's `state` and `you`, and what else it keeps of the news. No DOM.
//
// Times called `...At` are milliseconds of the local clock. Protocol.md, section JSON, describes the messages.

import { Series } from "./series.js";
import { grouped, newsText, sameName } from "./words.js";

const most = { results: 100, people: 10_000, entries: 30 };

export const lapOf = ({ bid, amount, bidder, elapsedMilliseconds: elapsed }) => ({ bid, amount, bidder, elapsed });

export class Model {
	// The name of this page's bidder; null for an observer.
	me = null;
	// The round of a class that was told last; it is told before the move to the room of a group.
	round = null;
	observer = () => {};
	#clock = new ServerClock();
	#ticker;

	constructor() {
		this.#begin();
	}

	#begin() {
		this.game = this.room = this.sale = null;
		this.seq = 0;
		this.state = { lot: 0, stage: "waiting", format: "english", price: null, leader: null, minimum: null, next: [] };
		this.you = {};
		// Before the newest lot ended.
		this.formerRank = null;
		this.endsAt = this.nextAt = null;
		this.results = [];
		this.standings = [];
		this.people = null;
		// By the names of the protocol in lower case.
		this.displays = new Map();
		this.#ticker = new Ticker();
		this.#clear(0);
	}

	#clear(lot) {
		this.lot = lot;
		this.news = {};
		this.series = new Series();
		this.openedAt = null;
		this.revealed = [];
		this.champions = [];
		this.awards = [];
		this.hasBid = false;
	}

	get ticker() {
		return this.#ticker.entries;
	}

	isMine = (row) => sameName(row?.bidder, this.me);

	get outcome() {
		return this.news.winner ?? this.news.passed ?? null;
	}

	get isOpen() {
		return this.lot > 0 && this.outcome === null;
	}

	get names() {
		return [...(this.people?.values() ?? [])];
	}

	get championNames() {
		return this.champions.map(({ bidder }) => this.nameOf(bidder)).join(" and ");
	}

	nameOf = (bidder) => this.displays.get(bidder.toLowerCase()) ?? bidder;

	#nameFor({ bidder, display }) {
		if (display) this.displays.set(bidder.toLowerCase(), display);
		else this.displays.delete(bidder.toLowerCase());
		while (this.displays.size > most.people) this.displays.delete(this.displays.keys().next().value);
	}

	get leads() {
		return sameName(this.state.leader, this.me);
	}

	// The formats: open bids that rise, an asking price that falls, secret bids.
	get isRising() {
		return this.state.format === "english";
	}

	get isFalling() {
		return this.state.format === "dutch";
	}

	get isSealed() {
		return !this.isRising && !this.isFalling;
	}

	get isFinal() {
		return this.isOpen && this.state.leader !== null && this.state.minimum === null;
	}

	get standing() {
		const { leader } = this.state;
		if (this.lot === 0) return "waiting";
		if (this.outcome) return !this.outcome.bidder ? "passed" : this.isMine(this.outcome) ? "won" : "sold";
		if (this.isSealed) return this.you.sealed ? "sealed" : "unsealed";
		if (this.leads) return "lead";
		if (leader !== null) return this.hasBid ? "outbid" : "watch";
		return this.isFalling ? "falling" : "first";
	}

	get price() {
		if (this.outcome) return this.outcome.amount ?? null;
		return (this.isSealed ? this.you.sealed : this.state.price ?? this.state.start) ?? null;
	}

	gainAt(amount) {
		const worth = this.news.value?.value ?? this.you.worth ?? null;
		return worth === null ? null : worth - amount;
	}

	get gain() {
		const isOthers = this.standing === "sold" && !this.news.value;
		return this.price === null || isOthers ? null : this.gainAt(this.price);
	}

	elapsed(now) {
		if (!this.isOpen) return this.state.elapsedMilliseconds ?? null;
		return this.openedAt === null ? null : Math.max(0, now - this.openedAt);
	}

	promisedBy(heardAt) {
		if (this.endsAt !== null) return heardAt + 1_000;
		// A promise that was late already says nothing more.
		return this.nextAt > heardAt ? this.nextAt : Infinity;
	}

	// Whether what was sent without an answer was accepted; null if that cannot be known any more.
	accepted({ verb, cost }) {
		const { isOpen, leads, state: { price }, you: { max, sealed, paid } } = this;
		if (verb === "take") return leads;
		if (verb === "buy") return leads && price === cost;
		if (verb === "max") return isOpen ? (max ?? 0) === cost : null;
		if (!this.isSealed) return this.series.laps.some((lap) => lap.amount === cost && this.isMine(lap));
		const known = isOpen ? sealed : this.revealed.find(this.isMine)?.amount;
		return known === cost || paid === cost || (isOpen || known ? false : null);
	}

	takeName(name) {
		const isOther = !sameName(name, this.me);
		this.me = name;
		// After a reconnection the name is the same, and its bid may be older than the kept laps.
		if (!isOther) return;
		this.you = {};
		this.hasBid = this.series.laps.some(this.isMine);
	}

	loadLaps(laps) {
		if (!this.series.isFalling) this.series.load(laps);
		this.hasBid ||= laps.some(this.isMine);
	}

	loadResults(results) {
		const last = results.at(-1)?.lot ?? 0;
		const newer = this.results.filter((result) => result.lot > last);
		this.results = [...results, ...newer].slice(-most.results);
	}

	loadPeople(people) {
		this.people = new Map(people.slice(0, most.people).map(({ bidder }) => [bidder.toLowerCase(), bidder]));
		for (const row of people) if (row.display) this.#nameFor(row);
	}

	miss(now) {
		// The server may have an older journal, with smaller numbers.
		this.seq = 0;
		this.people = null;
		this.#ticker.tell("gap", "Some news was missed", now);
	}

	isOf({ game, room = "main", sale = null }) {
		return this.game === game && this.room === room && this.sale === sale;
	}

	// Applies one message that was received at `now`. `isOld` is news that was missed, which has no state.
	apply(message, now, isOld = false) {
		const { type, seq, state, you, snapshot: isSnapshot = false } = message;
		if (seq !== undefined) {
			if (!isSnapshot && seq <= this.seq) return;
			this.seq = Math.max(this.seq, seq);
		}
		const at = this.#clock.sentAt(message.time, now, isOld);
		const { leads: led, isOpen: wasOpen } = this;
		if (type === "hello") this.#greet(message, at);
		if (["lot", "winner", "passed"].includes(type) && (message.lot !== this.lot || (type === "lot" && !wasOpen))) {
			this.#clear(message.lot);
		}
		this.news[type] = message;
		if (state) this.#merge(state, at);
		if (you) this.#learn(you);
		const isNews = this.#keep(message, at) && !isSnapshot;
		if (!isNews) return;
		const text = newsText(message);
		if (type === "price") this.#ticker.tellBid(message, text, at);
		else if (type !== "ask") this.#ticker.tell(type, text, at, message.bidder);
		if (!isOld) this.#report({ kind: type, text, message }, led);
	}

	#merge(state, at) {
		Object.assign(this.state, state);
		const ends = (milliseconds) => (milliseconds === null ? null : at + milliseconds);
		if ("remainingMilliseconds" in state) this.endsAt = ends(state.remainingMilliseconds);
		if ("nextMilliseconds" in state) this.nextAt = ends(state.nextMilliseconds);
		if ("elapsedMilliseconds" in state && this.isOpen) this.openedAt = at - state.elapsedMilliseconds;
	}

	#learn(you) {
		const before = this.you.worth;
		Object.assign(this.you, you);
		if (this.isOpen) this.formerRank = this.you.rank ?? null;
		const { worth, isEstimate } = this.you;
		if (!worth || worth === before) return;
		this.observer({ kind: "worth", text: `${isEstimate ? "Your estimate is about" : "Your value is"} ${grouped(worth)}` });
	}

	#greet({ game, room = "main", sale = null, reactions = [] }, at) {
		this.reactions = reactions;
		delete this.news.stopped;
		if (!room.startsWith("class-")) this.round = null;
		if (this.isOf({ game, room, sale })) return;
		const isAgain = this.game === game && this.room === room;
		this.#begin();
		Object.assign(this, { game, room, sale });
		if (isAgain) this.#ticker.tell("gap", "This room had ended, and was opened again", at);
	}

	// Keeps what is in no state. Returns whether people are told the message.
	#keep(m, at) {
		const fromOpening = Math.max(0, at - (this.openedAt ?? at));
		switch (m.type) {
			case "lot":
				// For a lot of a snapshot, the state at its end has the time.
				if (!m.snapshot) this.openedAt = at;
				break;
			case "price":
				this.hasBid ||= this.isMine(m);
				// A void repeats an earlier price, which is no news.
				return this.series.addBid(lapOf(m));
			case "terms":
				// The first price of a Dutch auction is not announced.
				if (m.format === "dutch" && this.series.steps.length === 0) this.series.addAsk(0, m.start);
				return false;
			case "ask":
				if (!m.snapshot) this.series.addAsk(fromOpening, m.amount);
				break;
			case "state":
				if (this.standing === "falling") this.series.addAsk(fromOpening, this.state.price, true);
				break;
			case "voided":
				this.series.void(fromOpening, m.bid, m.leadingAmount ?? null);
				this.hasBid = this.series.laps.some(this.isMine);
				break;
			case "revealed":
			case "champion":
			case "award":
				this.#list(m);
				break;
			case "winner":
			case "passed":
				if (this.results.at(-1)?.lot !== m.lot) {
					this.loadResults([...this.results, { ...m, content: m.title ?? m.content }]);
				}
				break;
			case "rematch":
				[this.champions, this.awards] = [[], []];
				break;
			case "round":
				this.round = m;
				break;
			case "next":
				// All are ready.
				delete this.round?.instructions;
				break;
			case "display":
				this.#nameFor(m);
				break;
			case "reacted":
				this.observer({ kind: m.type, message: m });
				return false;
			case "joined":
				this.#nameFor(m);
				if (this.people?.size < most.people) this.people.set(m.bidder.toLowerCase(), m.bidder);
				if (!m.snapshot && this.isOpen) this.series.addJoin(fromOpening, this.nameOf(m.bidder));
				break;
			case "left":
				this.people?.delete(m.bidder.toLowerCase());
		}
		return Boolean(m.text);
	}

	// A snapshot repeats what is known.
	#list(message) {
		const name = { revealed: "revealed", champion: "champions", award: "awards" }[message.type];
		const keyOf = ({ award, bidder }) => award ?? bidder;
		this[name] = [...this[name].filter((known) => keyOf(known) !== keyOf(message)), message];
	}

	#report(event, led) {
		const { leader, price, minimum } = this.state;
		if (this.isOpen && this.leads && !led) {
			this.observer({ kind: "lead", text: `You lead with ${grouped(price)}` });
		} else if (event.kind === "price" && led && !this.leads) {
			const advice = minimum === null ? "The price can rise no more" : `Bid at least ${grouped(minimum)}`;
			this.observer({ kind: "outbid", text: `Outbid by ${leader}. ${advice}` });
		} else this.observer(event);
	}
}

// Estimates when messages were sent, in local time.
export class ServerClock {
	#offset = NaN;
	#since = 0;

	// The local time at which a message was sent, not after `now`; old news says nothing about the clock.
	sentAt(time, now, isOld = false) {
		const sent = Date.parse(time) - this.#offset;
		if (isOld) return Math.min(now, sent) || now;
		if (sent <= now && now - sent <= 60_000 && now - this.#since <= 60_000) return sent;
		const offset = Date.parse(time) - now;
		if (!Number.isNaN(offset)) [this.#offset, this.#since] = [offset, now];
		return now;
	}
}

// The newest events of the sale in words, newest first: `{ kind, text, at }`.
class Ticker {
	entries = [];

	// A bidder who returns is no news: the entry of the departure is removed.
	tell(kind, text, at, bidder) {
		if (kind === "joined") {
			const others = this.entries.findIndex((entry) => !["joined", "left"].includes(entry.kind));
			const recent = this.entries.slice(0, others < 0 ? most.entries : others);
			const departure = recent.findIndex((entry) => entry.kind === "left" && entry.bidder === bidder);
			if (departure >= 0) return this.entries.splice(departure, 1);
		}
		if (["sealed", "waiting"].includes(kind) && this.entries[0]?.kind === kind) this.entries.shift();
		this.entries.unshift({ kind, text, at, bidder });
		this.entries.length = Math.min(this.entries.length, most.entries);
	}

	tellBid({ amount, bidder }, text, at) {
		const [newest] = this.entries;
		const isMore = newest?.kind === "price" && at - newest.since <= 250;
		const count = isMore ? newest.count + 1 : 1;
		if (isMore) this.entries.shift();
		this.tell("price", isMore ? `${grouped(count)} bids, up to ${grouped(amount)} by ${bidder}` : text, at);
		Object.assign(this.entries[0], { since: isMore ? newest.since : at, count });
	}
}
