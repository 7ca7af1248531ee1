import { Bidding, Trigger, parsedAmount } from "/bidding.js";
import { Model } from "/model.js";
import { ask, hello, opening, over, passed, paused, price as priceOf, revealed, winner, you } from "./messages.js";
import { Clock, equal, settle, table, test } from "./testing.js";

table("an amount is a whole number, with or without groups", [
  ["digits", "120", 120], ["blanks around", " 120 ", 120], ["commas", "1,050", 1_050],
  ["blanks", "1 050 000", 1_050_000],
  ["apostrophes", "1'050", 1_050], ["the highest", "1,000,000,000,000", 1_000_000_000_000],
  ["above the highest", "1000000000001", null], ["zero", "0", null], ["nothing", "", null], ["a fraction", "1.5", null],
  ["a sign", "-5", null], ["a power", "1e3", null], ["odd groups", "1,05", null], ["words", "ten", null],
  ["digits of another script", "١٢", null],
], (text, amount) => equal(parsedAmount(text), amount));

table("the raises are the minimum bid and two round steps", [
  ["the first bid", [], [10, 20, 30]],
  ["a low price", [price(2, "bob", 20, 1)], [30, 40, 50]], ["a higher price", [price(2, "bob", 40, 1)], [50, 90, 140]],
  ["a price of thousands", [price(2, "bob", 12_000, 1)], [12_010, 12_500, 13_000]],
  ["near the highest amount", [price(2, "bob", 999_999_999_990, 1)], [1_000_000_000_000]],
  ["no lot is open", [winner(3, "bob", 20)], []],
], (messages, amounts) => equal(start(...messages).bidding.raises.map(({ amount }) => amount), amounts));

table("nobody can bid while it would be refused", [
  ["a lot is open", [], null], ["while one's own bid leads", [price(2, "alice", 20, 1)], "You lead"],
  ["at the highest price", [price(2, "bob", 1e12, 1, null)], "No higher bid"],
  ["during a pause", [paused(2)], "Paused"],
  ["between lots", [passed(2)], "Wait for the next lot"],
  ["after the last lot", [passed(2), over(3)], "Sale over"],
], (messages, obstacle) => equal(start(...messages).bidding.obstacle, obstacle));

test("nobody can bid while the connection cannot send it, not even with a press that began before", () => {
  const { bidding, connection, sent } = start();
  const offer = bidding.offer("bid", 20);
  connection.block = "Changing rooms";
  bidding.accept(offer);
  equal([bidding.obstacle, bidding.offer("bid", 20), sent], ["Changing rooms", null, []]);
});

test("one bid is under way at a time", async () => {
  const { bidding, sent } = start();
  const offer = bidding.offer("bid", 30);
  bid(bidding, 20);
  bidding.accept(offer);
  equal([sent.map(({ command }) => command), bidding.answer.kind], [["bid 20 lot=1"], "sending"]);
  await answer(sent[0], { isOK: true, content: "bid 20" });
  equal([bidding.obstacle, bidding.answer.kind], [null, "good"]);
});

table("a refusal says what to do", [
  ["too low", { code: "too-low", content: "bid at least 1050", message: { minimum: 1_050 } }, /^Bid at least 1,050$/],
  ["closed", { code: "closed", content: "no lot is open, wait for the next LOT line" }, /wait for the next one$/],
  ["another lot", { code: "other-lot", content: "lot 5 is open now" }, /^Lot 5 is open/],
  ["an error of the future", { code: "over-purse", content: "you can bid at most 860", message: {} }, /at most 860/],
  ["a code that every object has", { code: "constructor", content: "no", message: {} }, /^No$/],
], async (refusal, pattern) => {
  const { bidding, sent } = start();
  bid(bidding, 20);
  await answer(sent[0], { isOK: false, content: "", ...refusal });
  equal([bidding.answer.kind, pattern.test(bidding.answer.text)], ["bad", true], bidding.answer.text);
});

test("what is no amount is refused without the server", () => {
  const { bidding, sent } = start();
  bid(bidding, null);
  equal([sent, bidding.answer.kind], [[], "bad"]);
});

table("the answer to an accepted bid stays while it leads, and goes when it does not", [
  ["the first bid", []], ["a higher bid", [price(2, "bob", 20, 1)]],
], async (before) => {
  const { bidding, model, sent, clock } = start(...before);
  bid(bidding, 40);
  await answer(sent[0], { isOK: true, content: "bid 40" });
  bidding.expire();
  receive(model, price(3, "alice", 40, 2));
  clock.advance(1_000);
  bidding.expire();
  equal(bidding.answer?.kind, "good", "after the price");
  receive(model, price(4, "bob", 60, 3));
  bidding.expire();
  equal(bidding.answer, null, "after a higher bid");
});

test("a refusal goes when the price changes, but not before it can be read", async () => {
  const { bidding, model, sent, clock } = start();
  bid(bidding, 5);
  await answer(sent[0], { isOK: false, code: "too-low", content: "", message: { minimum: 10 } });
  bidding.expire();
  equal(bidding.answer.kind, "bad");
  receive(model, price(2, "bob", 20, 1));
  clock.advance(1_900);
  bidding.expire();
  equal(bidding.answer.kind, "bad");
  clock.advance(200);
  bidding.expire();
  equal(bidding.answer, null);
});

test("an answer goes after eight seconds", async () => {
  const { bidding, clock } = start();
  bid(bidding, null);
  clock.advance(7_900);
  bidding.expire();
  equal(bidding.answer.kind, "bad");
  clock.advance(200);
  bidding.expire();
  equal(bidding.answer, null);
});

table("the result of an unanswered command is shown when the connection is back", [
  ["a bid", [], "bid 20", [price(2, "alice", 20, 1)], "was accepted"],
  ["a refused bid", [], "bid 20", [price(2, "bob", 30, 1)], "was not accepted"],
  ["a bid that another one exceeds", [], "bid 20", [price(2, "alice", 20, 1), price(3, "bob", 30, 2)], "was accepted"],
  ["a sealed bid", [terms("sealed")], "bid 20", [you({ sealed: 20 })], "was accepted"],
  ["a refused sealed bid", [terms("sealed"), you({ sealed: 30 })], "bid 20", [], "was not accepted"],
  ["a revealed bid", [terms("sealed")], "bid 20", [revealed(3, "alice", 20), ...end()], "was accepted"],
  ["a revealed bid that was not replaced", [terms("sealed"), you({ sealed: 30 })], "bid 20",
    [revealed(3, "alice", 30), ...end()], "was not accepted"],
  ["a sealed bid that was paid", [terms("allpay")], "bid 20", end({ paid: 20 }), "was accepted"],
  ["a sealed bid at the end", [terms("vickrey")], "bid 20", end({ paid: 15 }), "has ended: unknown whether"],
  ["a maximum", [], "max 200", [you({ max: 200 })], "was accepted"],
  ["a refused maximum", [], "max 200", [], "was not accepted"],
  ["a maximum above the price to buy at", [buyAt(500)], "max 600", [you({ max: 500 })], "was accepted"],
  ["a maximum at the end", [], "max 200", end(), "has ended: unknown whether"],
  ["a maximum that is taken back", [you({ max: 200 })], "max", [you({ max: null })], "was accepted"],
  ["a maximum that is not taken back", [you({ max: 200 })], "max", [], "was not accepted"],
  ["a maximum that is taken back at the end", [you({ max: 200 })], "max", end(), "has ended: unknown whether"],
  ["a taken lot", [terms("dutch"), ask(3, 900)], "take", [price(9, "alice", 880, 1)], "was accepted"],
  ["a lot that another one took", [terms("dutch"), ask(3, 900)], "take", [price(9, "bob", 880, 1)], "was not accepted"],
  ["a bought lot", [buyAt(500)], "buy", [price(9, "alice", 500, 1)], "was accepted"],
  ["a lot that the leader did not buy", [buyAt(500), price(2, "alice", 20, 1)], "buy", [], "was not accepted"],
], async (before, command, after, words) => {
  const { bidding, model, sent, clock } = start(...before);
  const [verb, amount] = command.split(" "), offer = bidding.offer(verb, amount ? Number(amount) : null);
  bidding.accept(offer);
  clock.advance(500);
  // A purchase must be confirmed.
  if (sent.length === 0) bidding.accept(offer);
  await answer(sent[0], { isOK: false, code: "lost", content: "the connection was lost", message: {} });
  bidding.expire();
  equal(bidding.answer.kind, "unknown");
  for (const message of after) receive(model, message);
  bidding.settle();
  equal([bidding.answer.kind, bidding.answer.text.includes(words)], [words === "was accepted" ? "good" : "bad", true],
    bidding.answer.text);
});

test("a sealed bid can be replaced, but not by itself", () => {
  const { model, bidding } = start(terms("sealed"), you({ sealed: 120 }));
  equal([model.standing, bidding.obstacle], ["sealed", null]);
  equal([bidding.offer("bid", 90)?.command, bidding.offer("bid", 120)], ["bid 90 lot=1", null]);
});

test("a Dutch lot is taken, and offers no raises", async () => {
  const { bidding, sent } = start(terms("dutch"), ask(3, 900));
  equal([bidding.raises, bidding.allowsMaximum], [[], false]);
  bidding.accept(bidding.offer("take"));
  equal(sent[0].command, "take lot=1");
  await answer(sent[0], { isOK: true, content: "take 880" });
  equal(bidding.answer.text, "You bought it for 880");
});

test("a bid that buys the lot says so, and at what price", async () => {
  const { bidding, sent, clock } = start(terms("english", { buy: 500 }));
  bid(bidding, 900);
  clock.advance(500);
  bid(bidding, 900);
  await answer(sent[0], { isOK: true, content: "buy 500" });
  equal(bidding.answer.text, "You bought it for 500");
});

table("what may be a mistake is asked about, and done with a second press", [
  ["a purchase", [buyAt(500)], "buy", null, /^This buys the lot for 500: sure/],
  ["a purchase, also while one's own bid leads", [buyAt(500), price(3, "alice", 20, 1)], "buy", null, /buys the lot for 500/],
  ["a bid that buys", [buyAt(500)], "bid", 1_310, /^This buys the lot for 500: /],
  ["a bid that buys at a loss", [buyAt(500), worth(143)], "bid", 500, /buys the lot for 500, 357 above your value/],
  ["a loss", [worth(143), price(2, "bob", 130, 1)], "bid", 160, /^This is 17 above your value/],
  ["above the estimate", [worth(143, true), price(2, "bob", 130, 1)], "bid", 160, /17 above your estimate/],
  ["a maximum at a loss", [worth(143)], "max", 160, /17 above/],
  ["a Dutch price at a loss", [terms("dutch"), ask(3, 900), worth(143)], "take", null, /757 above/],
  ["a sealed loss", [terms("vickrey"), worth(143)], "bid", 160, /17 above/],
  ["five times the price", [price(2, "bob", 20, 1)], "bid", 100, /^This is 5 times the price/],
  ["five times the lowest first bid", [], "bid", 50, /5 times the price/],
], (messages, verb, amount, pattern) => {
  const { bidding, sent, clock } = start(...messages);
  const press = () => bidding.accept(bidding.offer(verb, amount));
  press();
  equal([sent, bidding.answer.kind, pattern.test(bidding.answer.text)], [[], "ask", true], bidding.answer.text);
  clock.advance(400);
  press();
  equal(sent, [], "after a press that was doubled");
  clock.advance(200);
  press();
  equal([sent.length, bidding.answer.kind], [1, "sending"]);
});

table("what hardly is a mistake is done at once", [
  ["at the value", [worth(143), price(2, "bob", 100, 1)], "bid", 143],
  ["below five times the price", [price(2, "bob", 20, 1)], "bid", 99],
  ["the minimum, however high", [terms("english", { step: 500 }), price(3, "bob", 20, 1, 520)], "bid", 520],
  ["a sealed bid", [terms("sealed")], "bid", 5_000], ["a high maximum", [], "max", 5_000],
  ["a Dutch price", [terms("dutch"), ask(3, 900)], "take", null],
], (messages, verb, amount) => {
  const { bidding, sent } = start(...messages);
  bidding.accept(bidding.offer(verb, amount));
  equal(sent.length, 1, bidding.answer.text);
});

test("a question leaves when its amount is no longer offered, and its words stay right", () => {
  const { bidding, model } = start(terms("dutch"), ask(3, 163), worth(143));
  bidding.accept(bidding.offer("take"));
  receive(model, ask(4, 153));
  bidding.follow([null, bidding.offer("take")]);
  equal(/10 above/.test(bidding.answer.text), true, bidding.answer.text);
  receive(model, ask(5, 143));
  bidding.follow([bidding.offer("take")]);
  equal(bidding.answer, null);
});

table("an answer leaves with its lot", [
  ["an accepted bid", { isOK: true, content: "bid 20" }], ["a purchase", { isOK: true, content: "buy 500" }],
  ["a refusal", { isOK: false, code: "too-low", content: "", message: { minimum: 30 } }],
], async (outcome) => {
  const { bidding, model, sent } = start();
  bid(bidding, 20);
  await answer(sent[0], outcome);
  bidding.expire();
  equal(bidding.answer !== null, true);
  receive(model, opening({ lot: 2 }, 3)[0]);
  bidding.expire();
  equal(bidding.answer, null);
});

test("a press is for the lot that the button showed", () => {
  const { bidding, model, sent } = start();
  const offer = bidding.offer("bid", 40);
  receive(model, opening({ lot: 2 }, 3)[0]);
  bidding.accept(offer);
  equal(sent.map(({ command }) => command), ["bid 40 lot=1"]);
});

/** What a button shows at which time, and what a press then means. */
const [ten, twenty, thirty] = [10, 20, 30].map((amount) => ({ command: `bid ${amount} lot=1`, lot: 1 }));
const other = { command: "bid 10 lot=2", lot: 2 };
table("a press means what has been shown for half a second", [
  ["at first", [[ten, 0]], 499, null], ["after that", [[ten, 0]], 500, ten],
  ["a change", [[ten, 0], [twenty, 1_000]], 1_499, ten], ["some time after it", [[ten, 0], [twenty, 1_000]], 1_500, twenty],
  ["many changes", [[ten, 0], [twenty, 1_000], [thirty, 1_300]], 1_600, twenty],
  ["the same again", [[ten, 0], [{ ...ten }, 490]], 500, ten],
  ["nothing can be bid", [[ten, 0], [null, 1_000]], 1_500, null],
  ["the next lot", [[ten, 0], [other, 1_000]], 1_300, ten],
  ["typed", [[ten, 0], [twenty, 1_000, true]], 1_001, twenty],
  ["typed after a change", [[ten, 0], [twenty, 1_000], [thirty, 1_100, true]], 1_101, thirty],
  ["typed on a lot that has just opened", [[ten, 0], [null, 900], [other, 1_000], [{ ...other, command: "b" }, 1_100, true]],
    1_400, null],
], (shown, at, offer) => equal(pressed(shown).meant(at)?.command, offer?.command));

test("what changes under a finger stays, and is what the press means", () => {
  const trigger = pressed([[ten, 0]]);
  trigger.hold(1_000);
  trigger.show(twenty, 1_100);
  equal([trigger.offer, trigger.meant(9_000)], [ten, ten]);
  trigger.release();
  equal([trigger.offer, trigger.meant(9_000)], [twenty, twenty]);
});

test("a press that begins before a change was read shows what it means", () => {
  const trigger = pressed([[ten, 0], [twenty, 1_000]]);
  equal([trigger.offer, trigger.isRead(1_200)], [twenty, false]);
  trigger.hold(1_200);
  equal([trigger.offer, trigger.meant(1_800)], [ten, ten]);
});

test("a maximum is set while one leads, and taken back", async () => {
  const { bidding, sent } = start(price(2, "alice", 20, 1));
  bidding.accept(bidding.offer("max", 200));
  await answer(sent[0], { isOK: true, content: "max 200" });
  equal([sent[0].command, bidding.answer.text], ["max 200 lot=1", "Your maximum of 200 was accepted"]);
  bidding.accept(bidding.offer("max", null));
  await answer(sent[1], { isOK: true, content: "max 0" });
  equal([sent[1].command, bidding.answer.text], ["max 0 lot=1", "Your order to stop was accepted"]);
});

table("an amount that would harm the bidder is warned of", [
  ["a harmless one", [worth(143), purse(860)], 143, /^$/], ["none", [worth(143)], null, /^$/],
  ["above the value", [worth(143)], 160, /^17 above your value$/],
  ["above the estimate", [worth(143, true)], 160, /^17 above your estimate$/],
  ["over the purse", [worth(143), purse(100)], 120, /at most 100/],
  ["over the purse, with a price to buy at within it", [buyAt(500), purse(600)], 1_310, /^$/],
  ["over the purse with the price to buy at", [buyAt(500), purse(400)], 1_310, /at most 400/],
  ["a loss at the price to buy at", [buyAt(500), worth(143)], 1_310, /^357 above your value$/],
  ["within the purse, with what the sealed bid reserves", [terms("sealed"), purse(120), you({ sealed: 80 })],
    120, /^$/],
  ["too low", [worth(143)], 5, /minimum bid is now 10/], ["a Dutch price", [terms("dutch"), worth(1_430)], 990, /^$/],
], (messages, amount, pattern) => {
  const text = start(...messages).bidding.warning(amount);
  equal(pattern.test(text), true, text);
});

function bid(bidding, amount) {
  return bidding.accept(bidding.offer("bid", amount));
}

function pressed(shown) {
  const trigger = new Trigger();
  for (const [offer, at, isTyped] of shown) trigger.show(offer, at, isTyped);
  return trigger;
}

/** The lot is won by bob, and alice is told these members of `you`. */
function end(members = {}) {
  return [winner(8, "bob", 130), you({ max: null, sealed: null, ...members })];
}

function buyAt(buy) {
  return terms("english", { buy });
}

/** How the lot is sold, with these members of its state. */
function terms(format, state) {
  return { opens: { format, ...(format === "dutch" ? { price: 990, minimum: 990 } : {}), ...state } };
}

function worth(amount, isEstimate = false) {
  return you({ worth: amount, isEstimate });
}

function purse(most) {
  return you({ left: most, most });
}

/** The bid box of alice on a lot that starts at 10 with steps of 10, after these messages. */
function start(...messages) {
  const clock = new Clock(), model = new Model(), sent = [];
  const connection = {
    block: null,
    request: (command) => new Promise((resolve) => sent.push({ command, resolve })),
  };
  model.takeName("alice");
  const state = Object.assign({ step: 10 }, ...messages.map(({ opens }) => opens));
  for (const message of [hello, ...opening(state), ...messages.filter(({ opens }) => !opens)]) receive(model, message);
  return { bidding: new Bidding({ model, connection, clock }), model, connection, clock, sent };
}

async function answer(request, outcome) {
  request.resolve({ code: "", data: [], message: {}, ...outcome });
  await settle();
}

function receive(model, message) {
  model.apply({ time: "2026-11-20T10:00:00.000Z", ...message }, 0);
}

function price(seq, bidder, amount, bid, minimum = amount + 10) {
  return priceOf(seq, bidder, amount, bid, { minimum });
}
