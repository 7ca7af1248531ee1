// The newest events of the sale in words, newest first: `{ kind, text, at }`. No DOM.

import { grouped } from "./words.js";

const mostEntries = 30;

export class Ticker {
	entries = [];

	tell(kind, text, at) {
		if (kind === "sealed" && this.entries[0]?.kind === kind) this.entries.shift();
		this.entries.unshift({ kind, text, at });
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
