// The connection to the server: it reconnects when lost, without a gap in the news. No DOM.

const times = {
	attempt: 8_000, // for the server to greet
	grace: 2_000, // by which news may be late
	quiet: 15_000, // before a ping
	ping: 5_000, // for its answer
	pingOnWake: 1_000,
	look: 500, // between two checks of the clock
	sleep: 75_000, // without a check
	shortest: 250, // before the first retry
	longest: 8_000, // before any later one
	trial: 5_000, // after which a connection counts as good
};

const reasons = {
	__proto__: null, shutdown: "the server has stopped", journal: "the server can no longer store bids",
	full: "the server is full", moved: "another server took over", idle: "the server closed an idle connection",
};

const lostAnswer = { isOK: false, code: "lost", content: "there is no connection", data: [], message: {} };

export class Connection {
	// "connecting", "live", "gone" without such a room, or "lost"; then `reason` says why and `retryAt` when it tries again.
	phase = "connecting";
	room = "main";
	destination = null;
	reason = "";
	retryAt = null;
	heardAt = 0;
	isAuctioneer = false;
	needsLoad = () => {};
	notice = () => {};

	#model; #open; #hasRoom; #clock; #random; #store; #keys;
	#socket = null;
	// The requests without an answer by their tags, and the data of the next answer.
	#waiting = new Map();
	#data = [];
	#tag = 0;
	#moves = 0;
	// What was received while missed news is requested; null if none was missed.
	#held = null;
	#complete = () => {};
	#delay = times.shortest;
	#begunAt = 0;
	#lookedAt = 0;
	#isLate = false;
	#isReturning = false; // under an unconfirmed name
	#pongBy = Infinity;
	#bye = "";

	// `open(room)` returns a new WebSocket, `hasRoom(room)` promises whether it is there, `store` keeps the tokens of names.
	// `link` has the name and the token of the link that opened the page.
	constructor({ model, open, hasRoom, clock, store, keys, link = {}, random = Math.random }) {
		[this.#model, this.#open, this.#hasRoom, this.#clock, this.link] = [model, open, hasRoom, clock, link];
		[this.#store, this.#keys, this.#random] = [store, keys, random];
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

	// Why nobody can bid now.
	get block() {
		if (this.phase !== "live") return "Not connected";
		// What is sent now would count in the other room.
		return this.#isReturning ? "Reconnecting" : this.destination && "Changing rooms";
	}

	get isCurrent() {
		return this.phase === "live" && this.#held === null;
	}

	wake() {
		const now = this.#clock.now();
		if (["lost", "gone"].includes(this.phase)) this.reconnect();
		else if (now - this.#lookedAt > times.sleep) this.#look(now);
		else if (this.phase === "live" && now - this.heardAt > 1_000) this.#ping(times.pingOnWake);
	}

	async request(command) {
		if (this.phase !== "live" || this.#socket?.readyState !== 1) return lostAnswer;
		const tag = String((this.#tag += 1));
		this.#socket.send(`#${tag} ${command}`);
		return new Promise((resolve) => this.#waiting.set(tag, resolve));
	}

	// Sends a command for the room that is shown.
	async requestHere(command) {
		return this.destination ? { isOK: false, content: "Changing rooms, try again" } : this.request(command);
	}

	async takeName(name) {
		const place = `auction/${this.#model.game}/token/${name.toLowerCase()}`;
		const { link } = this;
		const token = name === link.name ? link.token : this.#store[place] ?? "";
		const answer = await this.request(`name ${name} ${token}`.trim());
		const isLater = name === this.#model.me && ["unavailable", "slow-down"].includes(answer.code);
		this.#isReturning &&= isLater;
		if (answer.isOK) {
			const [, given, proof] = answer.content.split(" ");
			this.#store[place] = proof;
			this.#model.takeName(given);
			this.notice({ kind: "named", name: given });
		} else if (isLater) {
			const socket = this.#socket;
			this.#clock.after(1_000 * (answer.message.seconds ?? 1), () => {
				if (socket === this.#socket && name === this.#model.me) this.takeName(name);
			});
		} else if (answer.code !== "lost") {
			if (answer.code === "wrong-token") {
				if (token === link.token) [this.link, answer.code] = [{}, "wrong-link"];
				else delete this.#store[place];
			}
			this.#model.takeName(null);
			this.notice({ kind: "name-refused", name, ...answer });
		}
		return answer;
	}

	dropName() {
		this.#model.takeName(null);
		this.reconnect();
	}

	async signIn(key) {
		const { game, room } = this.#model;
		const answer = await this.request(`auctioneer ${key}`);
		this.isAuctioneer ||= answer.isOK;
		if (answer.isOK || answer.code === "wrong-token") this.#keys.note(game, room, key, answer.isOK);
		this.notice({ kind: "auctioneer", ...answer });
	}

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
		this.#socket?.close(1000);
		this.#socket = this.#held = null;
		this.#pongBy = Infinity;
		this.isAuctioneer = false;
		for (const resolve of this.#waiting.values()) resolve(lostAnswer);
		this.#waiting.clear();
		this.#data = [];
	}

	async #close(socket) {
		if (this.phase === "connecting" && this.room !== "main" && !this.#bye) {
			const hasRoom = await this.#hasRoom(this.room);
			if (socket !== this.#socket) return;
			if (!hasRoom) return this.#lose("no such room", "gone");
		}
		if (this.#bye === "full") this.#delay = times.longest;
		const silent = this.phase === "live" ? "the connection was lost" : "the server cannot be reached";
		this.#lose(reasons[this.#bye] ?? silent);
	}

	#lose(reason, phase = "lost") {
		const now = this.#clock.now();
		if (this.phase === "live" && now - this.#begunAt > times.trial) this.#delay = times.shortest;
		this.#abandon();
		[this.phase, this.reason] = [phase, reason];
		this.retryAt = this.#bye === "moved" ? now : now + this.#delay * (0.75 + 0.5 * this.#random());
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
		const { type } = message;
		if (type === "hello") this.#greeted(message, now);
		else if (type === "bye") this.#dismissed(message.content);
		else if (type === "ok" || type === "error") this.#answered(message);
		else if (["lap", "result", "who", "standing", "room", "class", "student"].includes(type)) this.#data.push(message);
		else if (type === "skipped") this.#catchUp();
		else if (this.#held) {
			this.#held.push(message);
			if (type === "state") this.#complete();
		} else this.#model.apply(message, now);
	}

	// A line that was too long is answered without its tag; answers come in the order of requests.
	#answered(message) {
		const { type, code = "", content = "", tag = this.#waiting.keys().next().value } = message;
		this.#waiting.get(tag)?.({ isOK: type === "ok", code, content, data: this.#data, message });
		this.#waiting.delete(tag);
		this.#data = [];
	}

	// Without its name a full server may refuse the rest. A greeting on a live connection is that of another room.
	#greeted(hello, now) {
		const isMove = this.phase === "live";
		const isOther = !this.#model.isOf(hello);
		const isKnown = !isOther && this.#model.seq > 0;
		this.#model.apply(hello, now);
		// The server brings the member of a class to the room of the group.
		this.room = this.#model.room.replace(/^class-\d+$/, "class");
		[this.phase, this.reason] = ["live", ""];
		this.#held = null;
		this.isAuctioneer = false;
		if (!isMove) this.#isReturning = this.#model.me !== null;
		if (this.#isReturning) this.takeName(this.#model.me);
		const key = this.#keys.get(hello.game, this.room);
		if (key) this.signIn(key);
		if (isKnown) this.#catchUp();
		else this.needsLoad();
		this.notice({ kind: "greeted", isOther });
	}

	async #catchUp() {
		if (this.#held) return;
		const held = (this.#held = []);
		const answer = await this.request(`resume ${this.#model.seq}`);
		if (this.#held !== held) return;
		if (!answer.isOK) {
			this.#held = null;
			this.#model.miss(this.#clock.now());
			if (answer.code !== "gone") this.request("status");
			return this.needsLoad();
		}
		// The missed news is the last part of what was held, and a `state` follows the answer.
		const missed = held.splice(held.length - Number(answer.content.split(" ")[1]));
		await new Promise((resolve) => (this.#complete = resolve));
		if (this.#held !== held) return;
		this.#held = null;
		for (const message of missed) this.#model.apply(message, this.#clock.now(), true);
		// Numbered news is part of the missed news.
		held.filter(({ type, seq }) => type === "state" || seq === undefined)
			.forEach((message) => this.#model.apply(message, this.#clock.now()));
	}

	#dismissed(reason) {
		this.#bye = reason;
		if (!["replaced", "kicked"].includes(reason)) return;
		this.notice({ kind: reason, name: this.#model.me });
		this.#model.takeName(null);
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
		if (now > (isConnecting ? this.#begunAt + times.attempt : this.#pongBy)) return this.#lose("the server does not answer");
		if (isConnecting) return;
		if (now > this.#model.promisedBy(this.heardAt) + times.grace) this.#lose("the server is silent");
		else if (now - this.heardAt > times.quiet) this.#ping(times.ping);
	}

	async #ping(limit) {
		const isUnderWay = this.#pongBy !== Infinity;
		this.#pongBy = Math.min(this.#pongBy, this.#clock.now() + limit);
		if (isUnderWay) return;
		const answer = await this.request("ping");
		if (answer.code !== "lost") this.#pongBy = Infinity;
	}
}
