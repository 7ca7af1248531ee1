// What a bidder can do: the least bid, raises, a bid under way and its answer. No DOM.

import { counted, grouped } from "./model.js";

/** The highest amount of the protocol. */
const highest = 1_000_000_000_000;

/** How long an answer is shown if nothing makes it untrue before. */
const answerMilliseconds = 8_000;

/** Returns the amount that a person typed, such as `1,050`, or null if it is not a whole number. */
export function parsedAmount(text) {
  if (!/^\s*(\d+|\d{1,3}([ ,'\u00a0\u202f]\d{3})+)\s*$/.test(text)) return null;
  const amount = Number(text.replace(/\D/g, ""));
  return amount >= 1 && amount <= highest ? amount : null;
}

export class Bidding {
  /** `{ kind, text }` with kind "sending", "unknown", "good" or "bad"; null if none is shown. */
  answer = null;

  #model;
  #connection;
  #clock;

  constructor({ model, connection, clock }) {
    this.#model = model;
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Why no bid is possible now, in the words of the button; null if one is. */
  get obstacle() {
    const { lotsInAll, isPaused, isOpen, leads } = this.#model;
    if (this.#connection.phase !== "live") return "Not connected";
    if (this.answer?.kind === "sending") return this.answer.text;
    if (lotsInAll !== null) return "Sale over";
    if (isPaused) return "Paused";
    if (!isOpen) return "Wait for the next lot";
    return leads ? "You lead" : null;
  }

  /** The one-tap raises as `{ amount, more }`: the least bid, and two larger round steps. */
  get raises() {
    const { least, step, leading } = this.#model;
    if (least === null) return [];
    const base = leading?.amount ?? least;
    const scale = 10 ** Math.max(0, Math.floor(Math.log10(base / step)) - 2);
    return [1, 5 * scale, 10 * scale].map((steps) => least + (steps - 1) * step)
      .filter((amount) => amount <= highest)
      .map((amount) => ({ amount, more: amount - base }));
  }

  async place(amount) {
    if (this.obstacle) return;
    if (amount === null) return this.#show("bad", "A bid is a whole number, such as 120");
    const lot = this.#model.lot?.number;
    this.#show("sending", `Sending ${grouped(amount)}…`);
    const answer = await this.#connection.request(`bid ${amount}`);
    if (answer.isOK) this.#show("good", `Your bid of ${grouped(amount)} was accepted`, amount);
    else if (answer.code === "lost") {
      const text = `The connection was lost: unknown whether ${grouped(amount)} was accepted`;
      this.#show("unknown", text, amount, lot);
    } else this.#show("bad", advice(answer));
  }

  /** Drops an answer that is no longer true, or old. */
  expire() {
    if (this.answer?.kind !== "good" && this.answer?.kind !== "bad") return;
    const isOld = this.#clock.now() - this.answer.at > answerMilliseconds;
    if (isOld || this.answer.basis !== this.#basis(this.answer)) this.answer = null;
  }

  /** Says, once the connection is back, whether a bid without an answer was accepted. */
  settle() {
    if (this.answer?.kind !== "unknown") return;
    const { amount, lot } = this.answer;
    const text = `Your bid of ${grouped(amount)}`;
    if (this.#model.lot?.number !== lot) this.answer = null;
    else if (this.#model.accepted(amount)) this.#show("good", `${text} was accepted`, amount);
    else this.#show("bad", `${text} was not accepted`);
  }

  #show(kind, text, amount = 0, lot = null) {
    this.answer = { kind, text, amount, lot, at: this.#clock.now() };
    this.answer.basis = this.#basis(this.answer);
  }

  /** What an answer depends on: a good one stays while our own bid becomes the price. */
  #basis({ kind, amount }) {
    const { lot, leading, isOpen, isPaused } = this.#model;
    if (kind === "good") return leading?.amount > amount;
    return [lot?.number, leading?.bid, leading?.amount, isOpen, isPaused].join();
  }
}

function advice({ code, content, message: { minimum, maximum, seconds } }) {
  switch (code) {
    case "too-low": return `Too low: bid at least ${grouped(minimum)}`;
    case "too-high": return `Too high: bid at most ${grouped(maximum)}`;
    case "leading": return "You already lead";
    case "closed": return "No lot is open, wait for the next one";
    case "paused": return "The sale is paused, wait until it resumes";
    case "slow-down": return `Wait ${counted(seconds, "second")}`;
    default: return content;
  }
}
