// The sale according to the server's messages. No DOM; every time is an argument.
//
// Times called `...At` are milliseconds of the local clock; `elapsed` is milliseconds since the lot
// opened. Protocol.md, section JSON, describes the messages.

import { Series } from "./series.js";

/** Bounds of what is kept. */
const most = { ticker: 30, results: 100, people: 10_000 };

/** A number with commas between thousands, as in `1,050`. */
export function grouped(amount) {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `no laps`, `1 lap`, `3 laps`. */
export function counted(count, noun) {
  return `${count === 0 ? "no" : grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Milliseconds as `MM:SS.d`, rounded down; from 100 minutes on the minutes have more digits. */
export function clockText(milliseconds) {
  const tenths = Math.floor(Math.max(0, milliseconds) / 100);
  const two = (number) => String(number).padStart(2, "0");
  return `${two(Math.floor(tenths / 600))}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}

/** `just now` below 5 s and in the future, then such as `5s ago`, `2m ago`, `3h ago`, `4d ago`. */
export function ageText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1_000);
  if (!(seconds >= 5)) return "just now";
  const units = { d: 86_400, h: 3_600, m: 60, s: 1 };
  const [letter, length] = Object.entries(units).find(([, length]) => seconds >= length);
  return `${Math.floor(seconds / length)}${letter} ago`;
}

/** Names that differ only in case are the same name. */
export function sameName(a, b) {
  return a?.toLowerCase() === b?.toLowerCase() && typeof a === "string";
}

/** The bid of a `price` or `lap` message. */
export function lapOf({ bid, amount, bidder, elapsedMilliseconds }) {
  return { bid, amount, bidder, elapsed: elapsedMilliseconds };
}

/** Estimates when messages were sent, in local time, from the least delayed one of a minute. */
export class ServerClock {
  /** The server's clock minus the local one, in milliseconds; null before a message. */
  #offset = null;
  #since = 0;

  /** The local time at which a message with this `time` was sent, not after `now`. */
  sentAt(time, now) {
    const sample = Date.parse(time) - now;
    if (Number.isNaN(sample)) return now;
    const delay = (this.#offset ?? Infinity) - sample;
    if (delay >= 0 && delay <= 60_000 && now - this.#since <= 60_000) return now - delay;
    this.#offset = sample;
    this.#since = now;
    return now;
  }

  /** The local time of an event that was missed, as its `time` tells. */
  happenedAt(time, now) {
    return Math.min(now, Date.parse(time) - (this.#offset ?? NaN)) || now;
  }
}

/** Its members are for reading. */
export class Model {
  /** The name of this page's bidder; null for somebody who only watches. */
  me = null;
  /** Is called with `{ kind, text, message }` for news that just happened, not for old news. */
  observer = () => {};
  #clock = new ServerClock();

  constructor() {
    this.#begin();
  }

  /** Forgets everything, for another game. */
  #begin() {
    this.game = null;
    this.seconds = 7;
    this.step = 1;
    /** The number of the newest news. */
    this.seq = 0;
    this.lot = null;
    this.isOpen = false;
    this.isPaused = false;
    this.isStopped = false;
    /** The number of lots of a sale that is over, else null. */
    this.lotsInAll = null;
    /** How the lot ended, as `result` messages say it, with the `reason` of an unsold lot. */
    this.outcome = null;
    this.results = [];
    /** Names by their lower-case forms; null until they are loaded. */
    this.people = null;
    /** The newest events, newest first: `{ kind, text, at }`. */
    this.ticker = [];
    this.next = null;
    this.#clear();
  }

  #clear() {
    this.series = new Series();
    this.openedAt = null;
    this.length = null;
    this.isLast = false;
    /** Whether `me` has an accepted bid on this lot. */
    this.hasBid = false;
    this.#count(null);
  }

  /** Lets the countdown end then; null stops it. */
  #count(endsAt) {
    this.endsAt = endsAt;
    this.going = null;
  }

  #isMine = (lap) => sameName(lap?.bidder, this.me);

  get leading() {
    return this.series.laps.at(-1) ?? null;
  }

  get leads() {
    return this.#isMine(this.leading);
  }

  get standing() {
    if (this.lot === null) return "waiting";
    if (this.outcome?.bidder) return this.#isMine(this.outcome) ? "won" : "sold";
    if (this.outcome) return "passed";
    if (this.leads) return "lead";
    if (this.leading === null) return "first";
    return this.hasBid ? "outbid" : "watch";
  }

  /** The least amount of the next bid; null if no lot is open. */
  get least() {
    if (!this.isOpen) return null;
    return this.leading ? this.leading.amount + this.step : this.lot.start;
  }

  /** The milliseconds left of the countdown; null if none runs. */
  remaining(now) {
    return this.endsAt === null ? null : Math.max(0, this.endsAt - now);
  }

  /** The time since the lot opened, which stops at its end; null if unknown. */
  elapsed(now) {
    if (!this.isOpen) return this.length;
    return this.openedAt === null ? null : Math.max(0, now - this.openedAt);
  }

  /** Until when the server has promised to send something; Infinity if it has not. */
  promisedBy(heardAt) {
    if (this.endsAt !== null) return Math.max(heardAt, Math.min(heardAt + 1_000, this.endsAt));
    // A promise that was late already says nothing more.
    return this.next?.at > heardAt ? this.next.at : Infinity;
  }

  /** Whether `me` has an accepted bid of this amount on this lot. */
  accepted(amount) {
    return this.series.laps.some((lap) => lap.amount === amount && this.#isMine(lap));
  }

  takeName(name) {
    const isOther = !sameName(name, this.me);
    this.me = name;
    // After a reconnection the name is the same, and its bid may be older than the kept laps.
    if (isOther) this.hasBid = this.series.laps.some(this.#isMine);
  }

  /** Takes over all bids of the lot that the server has. */
  loadLaps(laps) {
    this.series.load(laps);
    this.hasBid ||= laps.some(this.#isMine);
  }

  loadResults(results) {
    const last = results.at(-1)?.lot ?? 0;
    const newer = this.results.filter((result) => result.lot > last);
    this.results = [...results, ...newer].slice(-most.results);
  }

  loadPeople(names) {
    this.people = new Map(names.slice(0, most.people).map((name) => [name.toLowerCase(), name]));
  }

  /** Notes that news after `heardAt` was missed and cannot be had any more; a snapshot follows. */
  miss(now, heardAt) {
    if (this.isOpen) this.series.known = this.elapsed(heardAt) ?? 0;
    // The server may have gone back to an older journal, with smaller numbers.
    this.seq = 0;
    this.people = null;
    this.next = null;
    this.#tell("gap", "Some news was missed while this page was not connected", now);
  }

  /**
   * Applies one message that was received at `now`; unknown types are ignored.
   *
   * `isOld` is news that was missed, whose remaining time is unknown. `isRepeated` is no news, as in
   * a snapshot.
   */
  apply(message, now, { isOld = false, isRepeated = message.snapshot === true } = {}) {
    if (message.seq !== undefined) {
      if (!isRepeated && message.seq <= this.seq) return;
      this.seq = Math.max(this.seq, message.seq);
    }
    const at = isOld ? this.#clock.happenedAt(message.time, now)
      : this.#clock.sentAt(message.time, now);
    this.#change(message, { at, isOld, isRepeated });
    if (isRepeated || !Object.hasOwn(sentences, message.type)) return;
    const text = sentences[message.type](message);
    this.#tell(message.type, text, at);
    if (!isOld) this.observer({ kind: message.type, text, message });
  }

  #change(m, how) {
    // A snapshot begins with the lot or its end, and ends with `paused` if the sale is paused.
    if (m.snapshot && ["lot", "winner", "passed"].includes(m.type)) this.isPaused = false;
    switch (m.type) {
      case "hello":
        if (this.game !== m.game) this.#begin();
        this.game = m.game;
        this.seconds = m.seconds;
        this.step = m.step;
        this.isPaused = this.isStopped = false;
        break;
      case "lot":
        return this.#open(m, how);
      case "price":
        return this.#lead(lapOf(m), m.remainingMilliseconds, how);
      case "countdown":
        return this.#follow(m, how);
      case "going":
        this.going = m.content;
        break;
      case "last":
        this.isLast = true;
        break;
      case "winner":
        return this.#end(m, { content: m.title, bidder: m.bidder, amount: m.amount }, how);
      case "passed":
        return this.#end(m, { content: m.content, reason: unsold(m) }, how);
      case "next":
        this.next = { title: m.content, at: how.at + m.seconds * 1_000 };
        break;
      case "over":
        this.lotsInAll = m.lots;
        this.isPaused = false;
        this.next = null;
        break;
      case "paused":
      case "stopped":
        this.isPaused = m.type === "paused";
        this.isStopped = !this.isPaused;
        this.next = null;
        return this.#count(null);
      case "resumed":
        this.isPaused = false;
        break;
      case "voided":
        return this.#unbid(m, how);
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
    this.openedAt = how.at - elapsedMilliseconds;
    this.#count(null);
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
    if (!this.isPaused && !how.isOld) this.#count(how.at + remaining);
    if (!isNew) return;
    const text = this.#tellBid(lap, how.at);
    if (how.isOld) return;
    if (led && !this.leads) {
      const least = grouped(lap.amount + this.step);
      this.observer({ kind: "outbid", text: `Outbid by ${lap.bidder}. Bid at least ${least}` });
    } else if (!led && this.leads) {
      this.observer({ kind: "lead", text: `You lead with ${grouped(lap.amount)}` });
    } else this.observer({ kind: "bid", text });
  }

  /**
   * Follows an announced countdown. A later end is due to delay in the network and ignored,
   * unless it is later by a second: then the server itself stood still.
   */
  #follow({ seconds, remainingMilliseconds = Infinity }, how) {
    if (how.isOld || this.isPaused || !this.isOpen) return;
    const end = how.at + Math.min(remainingMilliseconds, seconds * 1_000);
    if (this.endsAt === null || end >= this.endsAt + 1_000) this.#count(end);
    else this.endsAt = Math.min(this.endsAt, end);
    // A snapshot has no `going`; the warnings come at 2/5 and 1/5 of the full countdown.
    if (how.isRepeated && this.seconds >= 5 && seconds <= Math.round(this.seconds * 0.4)) {
      this.going = seconds <= Math.round(this.seconds / 5) ? "twice" : "once";
    }
  }

  /** Takes back the last bid; an earlier one leads again, or nobody. */
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

  #tell(kind, text, at) {
    this.ticker.unshift({ kind, text, at });
    this.ticker.length = Math.min(this.ticker.length, most.ticker);
  }

  /** Adds a bid to the ticker and returns its text; bids within 0.25 s share an entry. */
  #tellBid({ amount, bidder }, at) {
    const text = `${bidder} bids ${grouped(amount)}`;
    const newest = this.ticker[0];
    if (newest?.kind === "bid" && at - newest.since <= 250) {
      const count = newest.count + 1;
      const all = `${grouped(count)} bids, up to ${grouped(amount)} by ${bidder}`;
      this.ticker[0] = { ...newest, count, text: all, at };
    } else {
      this.#tell("bid", text, at);
      Object.assign(this.ticker[0], { since: at, count: 1 });
    }
    return text;
  }
}

/** Why a lot was not sold, in plain words. */
function unsold({ reason }) {
  const reasons = { "no-bids": "nobody bid", closed: "closed by the auctioneer" };
  return Object.hasOwn(reasons, reason) ? reasons[reason] : reason;
}

/** What the ticker says of each type of news; bids are told apart. */
const sentences = {
  lot: (m) => `Lot ${m.lot} is open: ${m.content}`,
  last: () => "Last round: bids no longer reset the countdown",
  going: (m) => `Going ${m.content}`,
  winner: (m) => `${m.bidder} has won ${m.title} for ${grouped(m.amount)}`,
  passed: (m) => `${m.content} is unsold: ${unsold(m)}`,
  next: (m) => `${m.content} opens in ${counted(m.seconds, "second")}`,
  over: (m) => `The sale is over after ${counted(m.lots, "lot")}`,
  paused: () => "The auctioneer has paused the sale",
  resumed: () => "The auctioneer has resumed the sale",
  hammered: () => "The auctioneer sells the lot now",
  voided: (m) => `The bid of ${grouped(m.amount)} by ${m.bidder} is void`,
  kicked: (m) => `${m.bidder} was removed: ${m.reason}`,
  stopped: () => "The auctioneer has stopped the server",
  joined: (m) => `${m.bidder} has joined`,
  left: (m) => `${m.bidder} has left`,
  skipped: (m) => `This page was too slow and missed ${counted(m.lines, "event")}`,
};
