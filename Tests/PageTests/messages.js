// Messages as the server sends them, with the members of the state that they change.

export const hello = { type: "hello", content: "auction/1", seconds: 7, step: 5, game: "k3v9", room: "main" };

/** The state before any lot. */
const nothing = {
  lot: 0, title: "", format: "english", stage: "waiting", price: null, leader: null, bids: 0, minimum: null, maximum: null,
  buy: null, reserve: "none", start: 10, step: 5, seconds: 7, going: null, isLast: false, remainingMilliseconds: null,
  elapsedMilliseconds: null, lots: 2, next: ["Clock"], nextMilliseconds: null, purse: null, worth: null, common: null,
  noise: null, people: 0,
};

/** The end of a snapshot, and what follows the answer to `resume`. */
export function whole(changes = {}, seq = 1) {
  return { seq, snapshot: true, type: "state", content: "", state: open(changes) };
}

/** A snapshot: messages that are repeated, and the whole state. */
export function snapshot(messages, changes) {
  const repeated = messages.map((message) => ({ ...missed(message), snapshot: true }));
  return [...repeated, whole(changes, Math.max(...messages.map(({ seq }) => seq)))];
}

/** News, as a sentence for people too. */
export function news(seq, type, members = {}) {
  return { seq, type, content: "", text: `${type} happened`, ...members };
}

/** The news that opens a lot, with these members of its state; unless it is a plain one also its terms. */
export function opening(changes = {}, seq = 1) {
  const { longest, ...state } = open(changes);
  const lot = news(seq, "lot", {
    lot: state.lot, content: state.title, text: `lot ${state.lot} is open`, state,
  });
  const { format, seconds, start, step, buy, reserve } = state;
  if (format === "english" && !buy && reserve === "none" && !longest) return [lot];
  const terms = { format, seconds, start, step, reserve: reserve !== "none", buy, longest };
  return [lot, news(seq, "terms", { ...terms, seq: seq + 1, text: `sold as ${format}` })];
}

export const [lot] = opening();

function open(changes) {
  return { ...nothing, lot: 1, title: "Vase", stage: "open", minimum: 10, maximum: 1e12, elapsedMilliseconds: 0, ...changes };
}

export function price(seq, bidder, amount, bid, state) {
  return news(seq, "price", {
    content: String(amount), amount, bidder, elapsedMilliseconds: 1_000 * bid, bid, lot: 1, text: `${bidder} bids ${amount}`,
    state: {
      price: amount, leader: bidder, bids: bid, minimum: amount + 5, maximum: 1e12, remainingMilliseconds: 7_000, ...state,
    },
  });
}

export function countdown(seq, seconds, remainingMilliseconds = 1_000 * seconds) {
  return { seq, type: "countdown", content: String(seconds), seconds, state: { remainingMilliseconds } };
}

export function ask(seq, amount, remainingMilliseconds) {
  return news(seq, "ask", { content: String(amount), amount, state: { price: amount, minimum: amount, remainingMilliseconds } });
}

const ended = { minimum: null, maximum: null, buy: null, going: null, remainingMilliseconds: null, nextMilliseconds: null };

export function winner(seq, bidder, amount, { lot = 1, ...state } = {}) {
  return news(seq, "winner", {
    content: bidder, bidder, amount, elapsedMilliseconds: 9_000, title: "Vase", lot, text: `${bidder} has won Vase for ${amount}`,
    state: { ...ended, lot, stage: "sold", price: amount, leader: bidder, elapsedMilliseconds: 9_000, ...state },
  });
}

export function passed(seq, lot = 1) {
  return news(seq, "passed", {
    lot, reason: "no-bids", content: "Vase", elapsedMilliseconds: 7_000, text: "Vase is unsold: nobody bid",
    state: { ...ended, lot, stage: "passed", price: null, leader: null, elapsedMilliseconds: 7_000 },
  });
}

/** The last bid, alice's of 120, is void: nobody leads, or bob with 100. */
export function voided(seq, isBobBack) {
  const back = { leadingAmount: 100, leadingBidder: "bob", leadingElapsedMilliseconds: 1_000, leadingBid: 1 };
  const state = isBobBack ? { price: 100, leader: "bob", bids: 1, minimum: 105 } : { price: null, leader: null, bids: 0, minimum: 10 };
  return news(seq, "voided", { amount: 120, bidder: "alice", bid: 2, lot: 1, ...(isBobBack ? back : {}), state });
}

export function paused(seq) {
  return news(seq, "paused", { state: { stage: "paused", remainingMilliseconds: null } });
}

export function over(seq) {
  return news(seq, "over", { content: "2", lots: 2, state: { ...ended, stage: "over" } });
}

export function next(seq, seconds) {
  return news(seq, "next", { content: "Clock", seconds, state: { nextMilliseconds: 1_000 * seconds } });
}

export function revealed(seq, bidder, amount) {
  return news(seq, "revealed", { content: String(amount), amount, bidder });
}

/** What the bidder alone may know. */
export function you(members) {
  return { type: "you", you: members };
}

/** A message as it is repeated to somebody who missed it: without a state. */
export function missed({ state, ...message }) {
  return message;
}
