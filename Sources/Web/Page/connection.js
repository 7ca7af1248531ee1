// The connection to the server: it reconnects when lost, without a gap in the news. No DOM; the
// socket, the clock and the random numbers are injected.

import { Requests } from "./requests.js";

// In milliseconds.
const times = {
	attempt: 8_000, // for the server to greet
	grace: 2_000, // by which news may be later than promised
	quiet: 15_000, // without a message, before a ping
	ping: 5_000, // for the answer to a ping
	pingOnWake: 1_000,
	look: 500, // between two checks of the clock
	sleep: 75_000, // without a check, because the machine slept
	shortest: 250, // before the first retry
	longest: 8_000, // before any later retry
	trial: 5_000, // after which a connection counts as good, so that the next retry is soon
};

const reasons = {
	shutdown: "the server has stopped", journal: "the server can no longer store bids",
	full: "the server is full", idle: "the server closed an idle connection",
};

export class Connection {
	// "connecting", "live", "gone" without such a room, or "lost"; then `reason` says why and
	// `retryAt` when it tries again.
	phase = "connecting";
	// The room of the connection, or of the next one.
	room = "main";
	// The room that was asked for last, while it is not entered; null if none was.
	destination = null;
	reason = "";
	retryAt = null;
	heardAt = 0;
	// For each connection.
	name = null;
	isAuctioneer = false;
	// Called when the state has to be loaded: at first, for another game and after a gap.
	needsLoad = () => {};
	// Called with `{ kind, ... }`; kind "greeted", "auctioneer" or one about the name.
	notice = () => {};

	#model; #open; #hasRoom; #clock; #random; #tokens; #keys;
	#socket = null;
	#requests = new Requests();
	#moves = 0;
	// The news that waits for the missed news before it; null if nothing was missed.
	#held = null;
	#completeAt = 0;
	#delay = times.shortest;
	#begunAt = 0;
	#lookedAt = 0;
	#isLate = false;
	// By when a ping has to be answered; Infinity if none is under way.
	#pongBy = Infinity;
	#bye = "";

	// `open(room)` returns a new WebSocket, and `hasRoom(room)` promises whether there is this room.
	// `tokens.get(game, name)` and `tokens.set(game, name, token)` keep the proof of a name; null
	// removes it. `keys` are Keys.
	constructor({ model, open, hasRoom, clock, tokens, keys, random = Math.random }) {
		[this.#model, this.#open, this.#hasRoom, this.#clock] = [model, open, hasRoom, clock];
		[this.#tokens, this.#keys, this.#random] = [tokens, keys, random];
	}

	begin() {
		this.#lookedAt = this.#clock.now();
		this.reconnect();
		this.#lookLater();
	}

	#lookLater() {
		this.#clock.after(times.look, () => {
			this.#look(this.#clock.now());
			this.#lookLater();
		});
	}

	get isCurrent() {
		return this.phase === "live" && this.#held === null;
	}

	tryNow() {
		if (this.phase === "lost") this.reconnect();
	}

	wake() {
		const now = this.#clock.now();
		if (["lost", "gone"].includes(this.phase)) this.reconnect();
		else if (now - this.#lookedAt > times.sleep) this.#look(now);
		else if (this.phase === "live" && now - this.heardAt > 1_000) this.#ping(times.pingOnWake);
	}

	request(command) {
		return this.#requests.send(command, this.phase === "live" ? this.#socket : null);
	}

	// Takes a name, now and on each later connection.
	async takeName(name) {
		const { game } = this.#model;
		const token = this.#tokens.get(game, name);
		const answer = await this.request(`name ${name}${token ? ` ${token}` : ""}`);
		if (answer.isOK) {
			const [, given, proof] = answer.content.split(" ");
			this.#tokens.set(game, given, proof);
			this.#setName(given);
			this.notice({ kind: "named", name: given });
		} else if (name === this.name && ["unavailable", "slow-down"].includes(answer.code)) {
			const socket = this.#socket;
			this.#clock.after(1_000 * (answer.message.seconds ?? 1), () => {
				if (socket === this.#socket && name === this.name) this.takeName(name);
			});
		} else if (answer.code !== "lost") {
			if (answer.code === "wrong-token") this.#tokens.set(game, name, null);
			this.#setName(null);
			this.notice({ kind: "name-refused", name, ...answer });
		}
		return answer;
	}

	dropName() {
		this.#setName(null);
		this.reconnect();
	}

	#setName(name) {
		this.name = name;
		this.#model.takeName(name);
	}

	// Signs in as the auctioneer of the room, now and on each later connection.
	async signIn(key) {
		const { game, room } = this.#model;
		const answer = await this.request(`auctioneer ${key}`);
		this.isAuctioneer ||= answer.isOK;
		if (answer.isOK || answer.code === "wrong-token") this.#keys.note(game, room, key, answer.isOK);
		this.notice({ kind: "auctioneer", ...answer });
	}

	// Requests what counts in the room that is shown; refused on the way to another one.
	async requestHere(command) {
		if (this.destination) return { isOK: false, content: "Changing rooms, try again" };
		return this.request(command);
	}

	// Goes to another room: on this connection, or else on a new one.
	async enter(room) {
		if (this.phase !== "live") {
			this.room = room;
			this.reconnect();
			return { isOK: true };
		}
		this.destination = room;
		this.#moves += 1;
		const answer = await this.request(`join ${room}`);
		this.#moves -= 1;
		if (this.#moves === 0) this.destination = null;
		return answer;
	}

	reconnect() {
		this.#abandon();
		this.phase = "connecting";
		this.#begunAt = this.heardAt = this.#clock.now();
		this.#bye = "";
		let socket;
		try {
			socket = this.#socket = this.#open(this.room);
		} catch {
			return this.#lose("this browser does not allow the connection, reload the page");
		}
		socket.onmessage = ({ data }) => socket === this.#socket && this.#receive(data);
		socket.onclose = () => socket === this.#socket && this.#close(socket);
	}

	#abandon() {
		if (this.isCurrent) this.#completeAt = this.heardAt;
		this.#socket?.close(1000);
		this.#socket = null;
		this.#held = null;
		this.#pongBy = Infinity;
		this.isAuctioneer = false;
		this.#requests.abandon();
	}

	async #close(socket) {
		if (this.phase === "connecting" && this.room !== "main" && !this.#bye) {
			const hasRoom = await this.#hasRoom(this.room);
			if (socket !== this.#socket) return;
			if (!hasRoom) {
				this.#abandon();
				[this.phase, this.reason] = ["gone", "no such room"];
				return;
			}
		}
		const isKnown = Object.hasOwn(reasons, this.#bye);
		if (this.#bye === "full") this.#delay = times.longest;
		const silent = this.phase === "live" ? "the connection was lost" : "the server cannot be reached";
		this.#lose(isKnown ? reasons[this.#bye] : silent);
	}

	#lose(reason) {
		const now = this.#clock.now();
		if (this.phase === "live" && now - this.#begunAt > times.trial) this.#delay = times.shortest;
		this.#abandon();
		this.phase = "lost";
		this.reason = reason;
		this.retryAt = now + this.#delay * (0.75 + 0.5 * this.#random());
		this.#delay = Math.min(2 * this.#delay, times.longest);
	}

	#receive(text) {
		const now = (this.heardAt = this.#clock.now());
		let message;
		try {
			message = JSON.parse(text) ?? {};
		} catch {
			return;
		}
		switch (message.type) {
			case "hello":
				return this.#greeted(message, now);
			case "bye":
				return this.#dismissed(message.content);
			case "skipped":
				this.#model.apply(message, now);
				return this.#catchUp();
		}
		if (this.#requests.receive(message)) return;
		if (this.#held) this.#held.push(message);
		else this.#model.apply(message, now);
	}

	// Takes the name, signs in and requests the news. The name comes first: without it a full server
	// may refuse the rest. A greeting on a live connection means that the page has moved to another
	// room, and keeps its name.
	#greeted(hello, now) {
		const isMove = this.phase === "live";
		const isKnown = this.#model.isOf(hello) && this.#model.seq > 0;
		this.#model.apply(hello, now);
		this.room = this.#model.room;
		this.phase = "live";
		this.reason = "";
		this.#held = null;
		this.isAuctioneer = false;
		if (this.name && !isMove) this.takeName(this.name);
		const key = this.#keys.get(hello.game, this.room);
		if (key) this.signIn(key);
		if (isKnown) this.#catchUp();
		else this.needsLoad();
		this.notice({ kind: "greeted" });
	}

	// Requests the news that was missed; what is received meanwhile is held until it is there.
	async #catchUp() {
		if (this.#held) return;
		const held = (this.#held = []);
		const answer = await this.request(`resume ${this.#model.seq}`);
		if (this.#held !== held) return;
		this.#held = null;
		const now = this.#clock.now();
		if (answer.isOK) {
			// The missed news is what came last. The news before it is part of it, but knows the
			// remaining time: it is applied again as a snapshot.
			const length = Number(answer.content.split(" ")[1]);
			const missed = held.splice(held.length - length);
			for (const message of missed) this.#model.apply(message, now, { isOld: true });
			for (const message of held) this.#model.apply(message, now, { isRepeated: true });
		} else {
			this.#model.miss(now, this.#completeAt);
			if (answer.code !== "gone") this.request("status");
			this.needsLoad();
		}
	}

	#dismissed(reason) {
		this.#bye = reason;
		if (reason !== "replaced" && reason !== "kicked") return;
		this.notice({ kind: reason, name: this.name });
		this.#setName(null);
	}

	#look(now) {
		const pause = now - this.#lookedAt;
		this.#lookedAt = now;
		if (this.phase === "gone") return;
		if (this.phase === "lost") return now >= this.retryAt && this.reconnect();
		// No socket is trusted after a sleep, or after the clock was set back.
		if (pause > times.sleep || pause < -1_000) return this.reconnect();
		// A late look comes before messages that wait in the browser: look again after them.
		const wasLate = this.#isLate;
		this.#isLate = pause > 2 * times.look + 1_000;
		if (this.#isLate && !wasLate) return;
		const isConnecting = this.phase === "connecting";
		if (now > (isConnecting ? this.#begunAt + times.attempt : this.#pongBy)) {
			this.#lose("the server does not answer");
		} else if (isConnecting) return;
		else if (now > this.#model.promisedBy(this.heardAt) + times.grace) {
			this.#lose("the server is silent");
		} else if (now - this.heardAt > times.quiet) this.#ping(times.ping);
	}

	async #ping(limit) {
		const isUnderWay = this.#pongBy !== Infinity;
		this.#pongBy = Math.min(this.#pongBy, this.#clock.now() + limit);
		if (isUnderWay) return;
		const answer = await this.request("ping");
		if (answer.code !== "lost") this.#pongBy = Infinity;
	}
}
