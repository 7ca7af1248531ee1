// The newest events of the sale in words, newest first: `{ kind, text, at }`. No DOM.

import { grouped } from "./words.js";

const mostEntries = 30;

export class Ticker {
	entries = [];

	// `bidder` is who joined or left. A bidder who returns, as after a restart of the server, is no news: the entry of
	// the departure is removed.
	tell(kind, text, at, bidder) {
		if (kind === "joined") {
			const others = this.entries.findIndex((entry) => !["joined", "left"].includes(entry.kind));
			const recent = this.entries.slice(0, others < 0 ? mostEntries : others);
			const departure = recent.findIndex((entry) => entry.kind === "left" && entry.bidder === bidder);
			if (departure >= 0) return this.entries.splice(departure, 1);
		}
		if (kind === "sealed" && this.entries[0]?.kind === kind) this.entries.shift();
		this.entries.unshift({ kind, text, at, bidder });
		this.entries.length = Math.min(this.entries.length, mostEntries);
	}

	// Adds a bid and returns its text; bids within 0.25 s share an entry.
	tellBid({ amount, bidder }, at) {
		const text = `${bidder} bids ${grouped(amount)}`;
		const [newest] = this.entries;
		if (newest?.kind === "bid" && at - newest.since <= 250) {
			const count = newest.count + 1;
			const all = `${grouped(count)} bids, up to ${grouped(amount)} by ${bidder}`;
			this.entries[0] = { ...newest, count, text: all, at };
		} else {
			this.tell("bid", text, at);
			Object.assign(this.entries[0], { since: at, count: 1 });
		}
		return text;
	}
}
