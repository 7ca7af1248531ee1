// The connection to the server: found again when lost, without a gap in the news. No DOM; the
// socket, the clock and chance are injected.

/** Milliseconds. */
const times = {
  /** After which an attempt to connect has failed. */
  attempt: 8_000,
  /** By which news may be later than promised. */
  grace: 2_000,
  /** Without a message, after which a ping is sent. */
  quiet: 15_000,
  /** Within which a ping is answered; shorter when the page wakes. */
  ping: 5_000,
  pingOnWake: 1_000,
  /** Between two looks at the clock, and a look so late that the machine has slept. */
  look: 500,
  sleep: 75_000,
  /** The delay before the first retry, and the longest. */
  shortest: 250,
  longest: 8_000,
  /** After which a connection counts as good, so that the delay is short again. */
  trial: 5_000,
};

/** The types of the lines of data in an answer. */
const data = new Set(["lap", "result", "who", "help"]);

/** An answer that says why there is none. */
const lostAnswer = (reason) => ({
  isOK: false, code: "lost", content: reason, data: [], message: {},
});

/**
 * The conversation with the server, which renews itself.
 *
 * `phase` is "connecting", "live" or "lost"; if it is lost, `reason` says why in plain words and
 * `retryAt` is the time of the next attempt.
 */
export class Connection {
  phase = "connecting";
  reason = "";
  retryAt = null;
  /** When the last message was received. */
  heardAt = 0;
  /** The numbers of attempts, and of messages that were not JSON. */
  attempts = 0;
  malformed = 0;
  /** The name that is taken on each connection, and the token of the auctioneer. */
  name = null;
  auctioneerToken = null;
  isAuctioneer = false;
  /** Is called after each change of these members. */
  changed = () => {};
  /** Is called after each message that changed the model. */
  heard = () => {};
  /** Is called when the state has to be loaded: at first, for another game and after a gap. */
  needsLoad = () => {};
  /** Is called with `{ kind, ... }`: "named", "name-refused", "replaced", "kicked". */
  notice = (_notice) => {};

  #model;
  #open;
  #clock;
  #random;
  #tokens;
  #socket = null;
  #waiting = new Map();
  #data = [];
  /** The news that waits for the missed news before it; null if nothing was missed. */
  #held = null;
  #tag = 0;
  #delay = times.shortest;
  #begunAt = 0;
  #lookedAt = 0;
  #pingedAt = null;
  #pingLimit = times.ping;
  #bye = "";
  #isLate = false;
  /** Until when the news is complete. */
  #lostAt = 0;

  /**
   * `open` returns a new WebSocket. `clock.after(ms, run)` runs something later, and returns a
   * function that cancels it. `tokens.get(game, name)` and `tokens.set(game, name, token)` keep the
   * proof of a name; null removes it.
   */
  constructor({ model, open, clock, tokens, random = Math.random }) {
    this.#model = model;
    this.#open = open;
    this.#clock = clock;
    this.#tokens = tokens;
    this.#random = random;
  }

  /** Begins to connect, and to watch the connection. */
  begin() {
    this.#lookedAt = this.#clock.now();
    this.#connect();
    const look = () => {
      this.#look();
      this.#clock.after(times.look, look);
    };
    this.#clock.after(times.look, look);
  }

  /** Whether the model has all news. */
  get isCurrent() {
    return this.phase === "live" && this.#held === null;
  }

  /** Connects at once if the connection is lost. */
  tryNow() {
    if (this.phase === "lost") this.#connect();
  }

  /** Connects anew at once, as for another name. */
  reconnect() {
    this.#abandon("");
    this.#connect();
  }

  /** Checks the connection because the page became visible, or the machine is online again. */
  wake() {
    const now = this.#clock.now();
    if (this.phase === "lost") return this.tryNow();
    if (now - this.#lookedAt > times.sleep) return this.#look();
    if (this.phase === "live" && now - this.heardAt > 1_000) this.#ping(times.pingOnWake);
  }

  /** Sends a command and returns its answer: `{ isOK, code, content, data, message }`. */
  request(command) {
    if (!this.#isUsable) return Promise.resolve(lostAnswer("there is no connection"));
    this.#tag += 1;
    const tag = String(this.#tag);
    return new Promise((resolve) => {
      this.#waiting.set(tag, resolve);
      this.#socket.send(`#${tag} ${command}`);
    });
  }

  /** Takes a name, now and on each later connection; returns the answer. */
  async takeName(name) {
    const game = this.#model.game;
    const token = this.#tokens.get(game, name);
    const answer = await this.request(`name ${name}${token ? ` ${token}` : ""}`);
    if (answer.isOK) {
      const [, given, proof] = answer.content.split(" ");
      this.#tokens.set(game, given, proof);
      this.name = given;
      this.#model.takeName(given);
      this.notice({ kind: "named", name: given });
    } else if (answer.code !== "lost") {
      if (answer.code === "wrong-token") this.#tokens.set(game, name, null);
      this.name = null;
      this.#model.takeName(null);
      this.notice({ kind: "name-refused", name, ...answer });
    }
    this.changed();
    return answer;
  }

  /** Gives the name back, and goes on watching. */
  dropName() {
    this.name = null;
    this.#model.takeName(null);
    this.reconnect();
  }

  /** Signs in as the auctioneer, now and on each later connection; returns the answer. */
  async signIn(token) {
    const answer = await this.request(`auctioneer ${token}`);
    if (answer.code !== "lost") {
      this.isAuctioneer = answer.isOK;
      this.auctioneerToken = answer.isOK ? token : null;
    }
    this.changed();
    return answer;
  }

  /** Whether a command can be sent. */
  get #isUsable() {
    return this.#socket !== null && this.#socket.readyState === 1 && this.phase === "live";
  }

  #connect() {
    this.#abandon("the connection was made again");
    this.phase = "connecting";
    this.retryAt = null;
    this.attempts += 1;
    this.#begunAt = this.heardAt = this.#clock.now();
    this.#bye = "";
    let socket;
    try {
      socket = this.#socket = this.#open();
    } catch (error) {
      return this.#lose("the browser refuses to connect");
    }
    const isCurrent = () => socket === this.#socket;
    socket.onmessage = (event) => isCurrent() && this.#receive(event.data);
    // The server greets with the answer to the first line, or after a while.
    socket.onopen = () => socket.send("format json");
    socket.onclose = () => isCurrent() && this.#lose(this.#reasonOfClose());
    socket.onerror = () => {};
    this.changed();
  }

  /** Leaves the socket, if there is one; every request is answered that the connection is lost. */
  #abandon(reason) {
    if (this.isCurrent) this.#lostAt = this.heardAt;
    const socket = this.#socket;
    this.#socket = null;
    this.#held = null;
    this.#data = [];
    this.#pingedAt = null;
    this.isAuctioneer = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const answer of waiting) answer(lostAnswer(reason));
    try {
      socket?.close(1000);
    } catch {
      // A socket that cannot be closed is as good as closed.
    }
  }

  #lose(reason) {
    const now = this.#clock.now();
    if (this.phase === "live" && now - this.#begunAt > times.trial) this.#delay = times.shortest;
    if (this.#bye === "full") this.#delay = times.longest;
    this.#abandon(reason);
    this.phase = "lost";
    this.reason = reason;
    this.retryAt = now + this.#delay * (0.75 + 0.5 * this.#random());
    this.#delay = Math.min(2 * this.#delay, times.longest);
    this.changed();
  }

  #reasonOfClose() {
    const reasons = {
      shutdown: "the server has stopped", journal: "the server can no longer store bids",
      full: "the server is full", idle: "the server closed an idle connection",
    };
    if (Object.hasOwn(reasons, this.#bye)) return reasons[this.#bye];
    return (this.phase === "live" ? "the connection was lost"
      : "the server cannot be reached");
  }

  // MARK: Messages

  #receive(text) {
    const now = (this.heardAt = this.#clock.now());
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      message = null;
    }
    if (message === null || typeof message !== "object") return void (this.malformed += 1);
    const type = message.type;
    if (type === "hello") return this.#greeted(message, now);
    if (type === "ok" || type === "error") return this.#answered(message);
    if (data.has(type)) return void this.#data.push(message);
    if (type === "bye") return this.#dismissed(message.content);
    if (type === "skipped") {
      this.#model.apply(message, now);
      return this.#catchUp();
    }
    if (this.#held) return void this.#held.push(message);
    this.#model.apply(message, now);
    this.heard();
  }

  /** Begins the conversation: first the missed news, then the name, then what has to be loaded. */
  #greeted(hello, now) {
    const isSameGame = this.#model.game === hello.game && this.#model.seq > 0;
    this.#model.apply(hello, now);
    this.phase = "live";
    this.reason = "";
    if (isSameGame) this.#catchUp();
    if (this.name) this.takeName(this.name);
    else this.notice({ kind: "greeted", game: hello.game });
    if (this.auctioneerToken) this.signIn(this.auctioneerToken);
    if (!isSameGame) this.needsLoad();
    this.changed();
  }

  /** Requests the news that was missed; what is received meanwhile is held until it is there. */
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
      const length = Number(answer.content.split(" ")[1]) || 0;
      const missed = held.splice(held.length - length);
      for (const message of missed) this.#model.apply(message, now, { isOld: true });
      for (const message of held) this.#model.apply(message, now, { isRepeated: true });
    } else {
      this.#model.miss(now, this.#lostAt);
      if (answer.code !== "gone") this.request("status");
      this.needsLoad();
    }
    this.changed();
  }

  #answered(message) {
    const lines = this.#data;
    this.#data = [];
    const answer = this.#waiting.get(message.tag);
    this.#waiting.delete(message.tag);
    answer?.({
      isOK: message.type === "ok", code: message.code ?? "", content: message.content ?? "",
      data: lines, message,
    });
  }

  /** Notes why the server closes the connection. */
  #dismissed(reason) {
    this.#bye = reason;
    if (reason === "replaced" || reason === "kicked") {
      this.notice({ kind: reason, name: this.name });
      this.name = null;
      this.#model.takeName(null);
    }
  }

  // MARK: Silence

  /** Looks whether the connection is alive, or whether it is time to try again. */
  #look() {
    const now = this.#clock.now();
    const pause = now - this.#lookedAt;
    this.#lookedAt = now;
    if (this.phase === "lost") {
      if (this.retryAt !== null && now >= this.retryAt) this.#connect();
      return;
    }
    // No socket is trusted after a sleep, or after the clock was set back.
    if (pause > times.sleep || pause < -1_000) return this.#connect();
    // A late look comes before messages that wait in the browser: look again after them.
    const [wasLate, isLate] = [this.#isLate, pause > 2 * times.look + 1_000];
    this.#isLate = isLate;
    if (isLate && !wasLate) return;
    if (this.phase === "connecting") {
      if (now - this.#begunAt > times.attempt) this.#lose("the server does not answer");
      return;
    }
    this.#checkSilence(now);
  }

  #checkSilence(now) {
    if (this.#pingedAt !== null && now - this.#pingedAt > this.#pingLimit) {
      return this.#lose("the server does not answer");
    }
    if (now > this.#model.promisedBy(this.heardAt) + times.grace) {
      return this.#lose("the server has gone silent");
    }
    if (now - this.heardAt > times.quiet) this.#ping(times.ping);
  }

  async #ping(limit) {
    if (this.#pingedAt !== null) return void (this.#pingLimit = Math.min(this.#pingLimit, limit));
    this.#pingedAt = this.#clock.now();
    this.#pingLimit = limit;
    const answer = await this.request("ping");
    if (answer.code !== "lost") this.#pingedAt = null;
  }
}
