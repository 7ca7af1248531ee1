// What a bidder can do: the least bid, raises, a bid under way and its answer. No DOM.

import { counted, grouped } from "./model.js";

/** The highest amount of the protocol. */
const highest = 1_000_000_000_000;

/** How long an answer is shown if nothing makes it untrue before. */
const answerMilliseconds = 8_000;

/** Returns the amount that a person typed, such as `1,050`, or null if it is not a whole number. */
export function parsedAmount(text) {
  const digits = text.trim();
  if (!/^(\d+|\d{1,3}([ ,'\u00a0\u202f]\d{3})+)$/.test(digits)) return null;
  const amount = Number(digits.replace(/\D/g, ""));
  return amount >= 1 && amount <= highest ? amount : null;
}

/** The bid box without its looks; `answer` is `{ kind, text }`, kind "sending", "good" or "bad". */
export class Bidding {
  answer = null;
  /** The amount whose answer is awaited; null if none is. */
  pending = null;
  changed = () => {};

  #model;
  #connection;
  #clock;
  #basis = "";
  #answeredAt = 0;

  constructor({ model, connection, clock }) {
    this.#model = model;
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Why no bid is possible now, in the words of the button; null if one is. */
  get obstacle() {
    const model = this.#model;
    if (this.#connection.phase !== "live") return "Not connected";
    if (this.pending !== null) return `Sending ${grouped(this.pending)}…`;
    if (model.lotsInAll !== null) return "Sale over";
    if (model.isPaused) return "Paused";
    if (!model.isOpen) return "Wait for the lot";
    return model.leads ? "You lead" : null;
  }

  /** The one-tap raises as `{ amount, more }`: the least bid, and two larger round steps. */
  get raises() {
    const { least, step, leading } = this.#model;
    if (least === null) return [];
    const base = leading ? leading.amount : least;
    const scale = 10 ** Math.max(0, Math.floor(Math.log10(base / step)) - 2);
    // The first bid is not above another one.
    const from = leading ? leading.amount : least - step;
    const amounts = [1, 5 * scale, 10 * scale].map((steps) => from + steps * step);
    return amounts.filter((amount) => amount <= highest)
      .map((amount) => ({ amount, more: amount - base }));
  }

  /** Sends a bid, and shows the answer. */
  async place(amount) {
    if (this.obstacle) return;
    if (amount === null) return this.#show("bad", "A bid is a whole number, such as 120");
    const model = this.#model;
    const lot = model.lot?.number;
    this.pending = amount;
    this.#show("sending", `Sending ${grouped(amount)}…`);
    const answer = await this.#connection.request(`bid ${amount}`);
    this.pending = null;
    if (answer.isOK) this.#show("good", `Your bid of ${grouped(amount)} is in`, amount);
    else if (answer.code === "lost") {
      const text = `The connection was lost: unknown whether ${grouped(amount)} is in`;
      this.#show("bad", text, amount, { amount, lot });
    } else this.#show("bad", this.#advice(answer));
  }

  /** Drops an answer that is no longer true, or old. */
  expire() {
    if (!this.answer || this.answer.doubt || this.pending !== null) return;
    const isOld = this.#clock.now() - this.#answeredAt > answerMilliseconds;
    if (isOld || this.#basis !== this.#state()) this.answer = null;
  }

  /** Says, once the connection is back, whether a bid without an answer was accepted. */
  settle() {
    const doubt = this.answer?.doubt;
    if (!doubt) return;
    if (this.#model.lot?.number !== doubt.lot) this.answer = null;
    else if (this.#model.accepted(doubt.amount)) {
      this.#show("good", `Your bid of ${grouped(doubt.amount)} is in`, doubt.amount);
    } else {
      this.#show("bad", `Your bid of ${grouped(doubt.amount)} was not accepted`);
    }
  }

  #advice({ code, content, message }) {
    const { minimum, maximum, seconds } = message;
    const advice = {
      "too-low": `Too low: bid at least ${grouped(minimum)}`,
      "too-high": `Too high: bid at most ${grouped(maximum)}`,
      leading: "You lead already", closed: "No lot is open", paused: "The sale is paused",
      "slow-down": `Wait ${counted(seconds, "second")}`,
    };
    return Object.hasOwn(advice, code) ? advice[code] : content;
  }

  #show(kind, text, amount = 0, doubt = null) {
    this.answer = { kind, text, amount, doubt };
    this.#answeredAt = this.#clock.now();
    this.#basis = this.#state();
    this.changed();
  }

  /** What an answer depends on: it stays while our own bid becomes the price. */
  #state() {
    const { lot, leading, isOpen, isPaused } = this.#model;
    const { kind, amount } = this.answer ?? {};
    if (kind === "good") return leading && leading.amount > amount ? "outbid" : "";
    return `${lot?.number} ${leading?.bid} ${leading?.amount} ${isOpen} ${isPaused}`;
  }
}
