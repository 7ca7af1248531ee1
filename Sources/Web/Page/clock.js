// Estimates when messages were sent, in local time, from the least delayed one of a minute. No DOM.

export class ServerClock {
	// The server's clock minus the local one, in milliseconds; null before a message.
	#offset = null;
	#since = 0;

	// The local time at which a message with this `time` was sent, not after `now`.
	sentAt(time, now) {
		const sample = Date.parse(time) - now;
		if (Number.isNaN(sample)) return now;
		const delay = (this.#offset ?? Infinity) - sample;
		if (delay >= 0 && delay <= 60_000 && now - this.#since <= 60_000) return now - delay;
		this.#offset = sample;
		this.#since = now;
		return now;
	}

	happenedAt(time, now) {
		return Math.min(now, Date.parse(time) - (this.#offset ?? NaN)) || now;
	}
}
