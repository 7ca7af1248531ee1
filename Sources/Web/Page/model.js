// What the sale looks like according to the server's messages. No DOM; every time is an argument.
//
// Times called `...At` are milliseconds of the local clock; `elapsed` is milliseconds since the lot
// opened. Protocol.md, section JSON, describes the messages.

import { Series } from "./series.js";

/** Bounds of what is kept. */
const most = { laps: 200, ticker: 60, results: 100, people: 10_000 };

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

/** The bid of a `price` or `lap` message. */
export function lapOf({ bid, amount, bidder, elapsedMilliseconds }) {
  return { bid, amount, bidder, elapsed: elapsedMilliseconds };
}

/** Names that differ only in case are the same name. */
export function sameName(a, b) {
  return a !== null && b !== null && a.toLowerCase() === b.toLowerCase();
}

/** Estimates when messages were sent, in local time, from the least delayed one of a minute. */
export class ServerClock {
  /** The server's clock minus the local clock, in milliseconds; null before a message. */
  offset = null;
  #since = 0;

  /** The local time at which a message with this `time` was sent, not after `now`. */
  sentAt(time, now) {
    const sample = Date.parse(time) - now;
    if (Number.isNaN(sample)) return now;
    const delay = (this.offset ?? sample) - sample;
    if (this.offset === null || delay < 0 || delay > 60_000 || now - this.#since > 60_000) {
      this.offset = sample;
      this.#since = now;
      return now;
    }
    return now - delay;
  }

  /** The local time of an event that was missed, as its `time` tells. */
  happenedAt(time, now) {
    const at = Date.parse(time) - (this.offset ?? 0);
    return this.offset === null || Number.isNaN(at) ? now : Math.min(at, now);
  }
}

/** The newest accepted bids of a lot, and their number in all. */
export class Laps {
  /** The newest bids, oldest first: `{ bid, amount, bidder, elapsed }`; their numbers grow. */
  rows = [];
  /** The number of accepted bids of the lot. */
  count = 0;

  /** Adds a bid and returns whether it is new; a lower number replaces voided bids. */
  add(lap) {
    const known = this.rows.at(-1);
    if (lap.bid === this.count && known?.amount === lap.amount) return false;
    if (lap.bid <= this.count) this.void(lap.bid);
    this.rows.push(lap);
    this.count = lap.bid;
    if (this.rows.length > 2 * most.laps) this.rows = this.rows.slice(-most.laps);
    return true;
  }

  /** Removes the bid with this number, and those after it. */
  void(bid) {
    while ((this.rows.at(-1)?.bid ?? 0) >= bid) this.rows.pop();
    this.count = Math.min(this.count, bid - 1);
  }

  /** Replaces the bids by loaded ones; those that arrived after the load stay. */
  load(laps, count) {
    const newer = this.rows.filter((row) => row.bid > count);
    this.rows = [...laps, ...newer].slice(-most.laps);
    this.count = newer.at(-1)?.bid ?? count;
  }

  /** The newest `length` bids, newest first, each with the time since the one before, or null. */
  newest(length) {
    const rows = [];
    for (let index = this.rows.length - 1; index >= 0 && rows.length < length; index -= 1) {
      const [lap, before] = [this.rows[index], this.rows[index - 1]];
      const split = before?.bid === lap.bid - 1 ? lap.elapsed - before.elapsed : null;
      rows.push({ lap, split: lap.bid === 1 ? lap.elapsed : split });
    }
    return rows;
  }
}

/** The sale, as far as the messages tell. Its members are for reading. */
export class Model {
  /** The name of this page's bidder; null for somebody who only watches. */
  me = null;
  /** Grows with each change. */
  version = 0;
  clock = new ServerClock();
  #observers = new Set();

  constructor() {
    this.forget();
  }

  /** Forgets the game: the next greeting is that of another one. */
  forget() {
    this.game = null;
    this.seconds = 7;
    this.step = 1;
    /** The number of the newest news. */
    this.seq = 0;
    this.lot = null;
    this.isOpen = false;
    this.isPaused = false;
    this.isStopped = false;
    this.lotsInAll = null;
    /** How the lot ended: `{ bidder, amount }` or `{ reason }`; null while it is open. */
    this.outcome = null;
    this.results = [];
    this.people = null;
    /** The newest events: `{ text, kind, at }`, newest first. */
    this.ticker = [];
    this.next = null;
    this.#clear();
    this.version += 1;
  }

  /** Clears what belongs to one lot. */
  #clear() {
    this.leading = null;
    this.laps = new Laps();
    this.series = new Series();
    this.openedAt = null;
    this.length = null;
    this.isLast = false;
    /** Whether `me` has an accepted bid on this lot. */
    this.hasBid = false;
    this.#stopCountdown();
  }

  /** Calls `observer` with each event that just happened: not for snapshots and old news. */
  observe(observer) {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Whether the leading bid is this page's bidder's. */
  get leads() {
    return this.leading !== null && sameName(this.leading.bidder, this.me);
  }

  /** The relation of this page's bidder to the lot. */
  get standing() {
    if (this.lot === null) return "waiting";
    if (this.outcome && "bidder" in this.outcome) {
      return sameName(this.outcome.bidder, this.me) ? "won" : "sold";
    }
    if (this.outcome) return "passed";
    if (this.leads) return "lead";
    if (this.leading === null) return "first";
    return this.hasBid ? "outbid" : "watch";
  }

  /** The least amount of the next bid; null if no lot is open. */
  get least() {
    if (!this.isOpen || !this.lot) return null;
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
    return this.next && this.next.at > heardAt ? this.next.at : Infinity;
  }

  /**
   * Applies one message that was received at `now`; unknown types are ignored.
   *
   * `isOld` is news that was missed, whose remaining time is unknown. `isRepeated` is no news, as in
   * a snapshot.
   */
  apply(message, now, { isOld = false, isRepeated = message.snapshot === true } = {}) {
    if (!Object.hasOwn(handlers, message.type)) return;
    if (typeof message.seq === "number") {
      if (!isRepeated && message.seq <= this.seq) return;
      this.seq = Math.max(this.seq, message.seq);
    }
    const at = isOld ? this.clock.happenedAt(message.time, now)
      : this.clock.sentAt(message.time, now);
    // A snapshot begins with the lot or its end, and ends with `paused` if the sale is paused.
    if (message.snapshot && starts.has(message.type)) this.isPaused = false;
    handlers[message.type](this, message, { at, isOld, isRepeated });
    this.version += 1;
  }

  /** Shows the loaded bids of the lot: all that the server has, and the number of all. */
  loadLaps(laps, count) {
    this.laps.load(laps, count);
    this.series.load(laps);
    this.hasBid ||= laps.some((lap) => sameName(lap.bidder, this.me));
    this.version += 1;
  }

  /** Shows the loaded results, newest last. */
  loadResults(results) {
    const loaded = results.map((m) => ({
      lot: m.lot, title: m.content, bidder: m.bidder ?? null, amount: m.amount ?? null,
    }));
    const last = loaded.at(-1)?.lot ?? 0;
    const newer = this.results.filter((result) => result.lot > last);
    this.results = [...loaded, ...newer].slice(-most.results);
    this.version += 1;
  }

  /** Shows the loaded names of the connected bidders. */
  loadPeople(names) {
    const kept = names.slice(0, most.people);
    this.people = new Map(kept.map((name) => [name.toLowerCase(), name]));
    this.version += 1;
  }

  /** Sets the name of this page's bidder. */
  takeName(name) {
    // After a reconnection the name is the same, and its bid may be older than the kept laps.
    if (!sameName(name, this.me)) {
      this.hasBid = this.laps.rows.some((lap) => sameName(lap.bidder, name));
    }
    this.me = name;
    this.version += 1;
  }

  /** Whether `me` has an accepted bid of this amount on this lot. */
  accepted(amount) {
    const isMine = (lap) => lap.amount === amount && sameName(lap.bidder, this.me);
    return this.laps.rows.some(isMine) || (this.leading !== null && isMine(this.leading));
  }

  /** Notes that news after `heardAt` was missed and cannot be had any more; a snapshot follows. */
  miss(now, heardAt) {
    if (this.isOpen) this.series.known = this.elapsed(heardAt) ?? 0;
    this.people = null;
    this.next = null;
    this.tell("gap", "Some news was missed while this page was away", now);
    this.version += 1;
  }

  /** Adds an entry to the ticker. */
  tell(kind, text, at) {
    this.ticker.unshift({ kind, text, at });
    if (this.ticker.length > most.ticker) this.ticker.pop();
  }

  /** Adds a bid to the ticker; bids within a quarter of a second share an entry. */
  #tellBid(lap, at) {
    const text = `${lap.bidder} bids ${grouped(lap.amount)}`;
    const newest = this.ticker[0];
    if (newest?.kind !== "bid" || at - newest.since > 250) {
      this.tell("bid", text, at);
      Object.assign(this.ticker[0], { since: at, count: 1 });
    } else {
      const count = newest.count + 1;
      const all = `${grouped(count)} bids, up to ${grouped(lap.amount)} by ${lap.bidder}`;
      this.ticker[0] = { kind: "bid", text: all, at, since: newest.since, count };
    }
  }

  /** Tells observers, and the ticker, about an event unless it is repeated or old. */
  report(kind, text, how, facts = {}) {
    if (how.isRepeated) return;
    if (text) this.tell(kind, text, how.at);
    if (!how.isOld) this.#notify({ kind, text, ...facts });
  }

  #notify(event) {
    for (const observer of this.#observers) observer(event);
  }

  /** Opens or shows a lot. */
  open(number, title, start, elapsed, how) {
    const isKnown = this.lot?.number === number && this.isOpen;
    if (!isKnown) this.#clear();
    this.lot = { number, title, start };
    this.isOpen = true;
    this.isStopped = false;
    this.outcome = null;
    this.lotsInAll = null;
    this.next = null;
    this.openedAt = how.at - elapsed;
    // A snapshot without a price has no leader.
    if (how.isRepeated) this.leading = null;
    this.#stopCountdown();
  }

  /** Makes an accepted bid the price. */
  lead(lap, remaining, how) {
    const [before, led] = [this.leading, this.leads];
    const isSame = before?.bid === lap.bid && before.amount === lap.amount;
    this.leading = lap;
    const isNew = this.laps.add(lap);
    this.series.addBid(lap);
    this.hasBid ||= this.leads;
    // No bid is later than now: the message that opened the lot was delayed.
    if (!how.isOld || this.openedAt === null) {
      this.openedAt = Math.min(this.openedAt ?? Infinity, how.at - lap.elapsed);
    }
    if (!this.isPaused && !how.isOld) this.#run(how.at, remaining ?? this.seconds * 1_000);
    if (isSame || !isNew || how.isRepeated) return;
    this.#tellBid(lap, how.at);
    if (how.isOld) return;
    const amount = grouped(lap.amount);
    if (led && !this.leads) {
      const text = `Outbid by ${lap.bidder}. Bid at least ${grouped(lap.amount + this.step)}`;
      this.#notify({ kind: "outbid", text });
    } else if (!led && this.leads) this.#notify({ kind: "lead", text: `You lead with ${amount}` });
    else this.#notify({ kind: "bid", text: `${lap.bidder} bids ${amount}` });
  }

  /** Takes back the last bid; `earlier` leads again, or nobody. */
  unbid(bid, earlier, how) {
    this.leading = earlier;
    this.laps.void(bid);
    const fallAt = how.at - (this.openedAt ?? how.at);
    this.series.void(fallAt, bid, earlier?.amount ?? null);
    this.hasBid = this.leads || this.laps.rows.some((lap) => sameName(lap.bidder, this.me));
    this.#stopCountdown();
    if (this.leads && !how.isOld && !how.isRepeated) {
      this.#notify({ kind: "lead", text: "You lead again" });
    }
  }

  /** Ends the lot. */
  end(lot, title, outcome, elapsed, how) {
    if (this.lot?.number !== lot) {
      this.#clear();
      this.lot = { number: lot, title, start: 1 };
    }
    this.outcome = outcome;
    this.length = elapsed ?? (how.isRepeated ? this.length : this.elapsed(how.at));
    this.isOpen = false;
    this.#stopCountdown();
    if (this.results.at(-1)?.lot !== lot) {
      this.results.push({ lot, title, bidder: outcome.bidder ?? null,
        amount: outcome.amount ?? null });
      if (this.results.length > most.results) this.results.shift();
    }
  }

  pause() {
    this.isPaused = true;
    this.next = null;
    this.#stopCountdown();
  }

  /**
   * Follows an announced countdown. A later end is due to delay in the network and ignored,
   * unless it is later by a second: then the server itself stood still.
   */
  follow(at, remaining) {
    if (this.isPaused || !this.isOpen) return;
    const announced = at + remaining;
    if (this.endsAt !== null && announced < this.endsAt + 1_000) {
      this.endsAt = Math.min(this.endsAt, announced);
    } else {
      this.#run(at, remaining);
    }
  }

  #run(at, remaining) {
    this.endsAt = at + remaining;
    this.going = null;
  }

  #stopCountdown() {
    this.endsAt = null;
    this.going = null;
  }
}

/** The messages with which a snapshot begins. */
const starts = new Set(["lot", "winner", "passed"]);

/** Why a lot was not sold, in plain words. */
const reasons = { "no-bids": "nobody bid", closed: "closed by the auctioneer" };

/** What each type of message does. */
const handlers = {
  hello(model, m) {
    if (model.game !== null && model.game !== m.game) model.forget();
    model.game = m.game ?? null;
    model.seconds = m.seconds;
    model.step = m.step;
    model.isPaused = false;
    model.isStopped = false;
  },
  lot(model, m, how) {
    model.open(m.lot, m.content, m.start, m.elapsedMilliseconds, how);
    model.report("lot", `Lot ${m.lot} is open: ${m.content}`, how);
  },
  price(model, m, how) {
    model.lead(lapOf(m), m.remainingMilliseconds, how);
  },
  countdown(model, m, how) {
    if (how.isOld) return;
    const remaining = Math.min(m.remainingMilliseconds ?? Infinity, m.seconds * 1_000);
    model.follow(how.at, remaining);
    // A snapshot has no `going`; the warnings come at 2/5 and 1/5 of the full countdown.
    if (how.isRepeated && model.seconds >= 5 && m.seconds <= Math.round(model.seconds * 0.4)) {
      model.going = m.seconds <= Math.round(model.seconds / 5) ? "twice" : "once";
    }
  },
  last(model, _, how) {
    model.isLast = true;
    model.report("last", "Last round: bids no longer set the countdown back", how);
  },
  going(model, m, how) {
    model.going = m.content;
    model.report("going", `Going ${m.content}`, how);
  },
  winner(model, m, how) {
    const outcome = { bidder: m.bidder, amount: m.amount };
    model.end(m.lot, m.title, outcome, m.elapsedMilliseconds, how);
    const text = `${m.bidder} has won ${m.title} for ${grouped(m.amount)}`;
    model.report("sold", text, how, { isMine: sameName(m.bidder, model.me) });
  },
  passed(model, m, how) {
    const reason = Object.hasOwn(reasons, m.reason) ? reasons[m.reason] : m.reason;
    model.end(m.lot, m.content, { reason }, m.elapsedMilliseconds, how);
    model.report("passed", `${m.content} stays unsold: ${reason}`, how);
  },
  next(model, m, how) {
    model.next = { title: m.content, at: how.at + m.seconds * 1_000 };
    model.report("next", `${m.content} opens in ${counted(m.seconds, "second")}`, how);
  },
  over(model, m, how) {
    model.lotsInAll = m.lots;
    model.isPaused = false;
    model.next = null;
    model.report("over", `The sale is over after ${counted(m.lots, "lot")}`, how);
  },
  paused(model, _, how) {
    model.pause();
    model.report("paused", "The auctioneer has paused the sale", how);
  },
  resumed(model, _, how) {
    model.isPaused = false;
    model.report("resumed", "The sale goes on", how);
  },
  hammered(model, _, how) {
    model.report("hammered", "The auctioneer lets the hammer fall", how);
  },
  voided(model, m, how) {
    const earlier = m.leadingBid === undefined ? null : { bid: m.leadingBid,
      amount: m.leadingAmount, bidder: m.leadingBidder,
      elapsed: m.leadingElapsedMilliseconds };
    model.unbid(m.bid, earlier, how);
    const text = `The bid of ${grouped(m.amount)} by ${m.bidder} is void`;
    model.report("voided", text, how);
  },
  kicked(model, m, how) {
    const isMine = sameName(m.bidder, model.me);
    model.report("kicked", `${m.bidder} was removed: ${m.reason}`, how, { isMine, reason: m.reason });
  },
  stopped(model, _, how) {
    model.isStopped = true;
    model.pause();
    model.isPaused = false;
    model.report("stopped", "The auctioneer has ended the server", how);
  },
  joined(model, m, how) {
    if ((model.people?.size ?? 0) < most.people) {
      model.people?.set(m.bidder.toLowerCase(), m.bidder);
    }
    if (!how.isRepeated && model.isOpen && model.openedAt !== null) {
      model.series.addJoin(Math.max(0, how.at - model.openedAt), m.bidder);
    }
    model.report("joined", `${m.bidder} has joined`, how);
  },
  left(model, m, how) {
    model.people?.delete(m.bidder.toLowerCase());
    model.report("left", `${m.bidder} has left`, how);
  },
  skipped(model, m, how) {
    model.tell("gap", `This page was too slow: ${counted(m.lines, "line")} skipped`, how.at);
  },
};
