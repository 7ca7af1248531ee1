import { Bidding, parsedAmount } from "/bidding.js";
import { Model } from "/model.js";
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
  ["the first bid", [], [10, 50, 100]],
  ["a low price", [price(2, "bob", 20, 1)], [30, 70, 120]],
  ["a price of thousands", [price(2, "bob", 12_000, 1)], [12_010, 12_500, 13_000]],
  ["near the highest amount", [price(2, "bob", 999_999_999_990, 1)], [1_000_000_000_000]],
  ["no lot is open", [{ seq: 3, type: "winner", bidder: "bob", amount: 20, title: "Vase", lot: 1 }], []],
], (messages, amounts) => equal(start(...messages).bidding.raises.map(({ amount }) => amount), amounts));

table("nobody can bid while it would be refused", [
  ["a lot is open", [], null], ["while one's own bid leads", [price(2, "alice", 20, 1)], "You lead"],
  ["during a pause", [{ seq: 2, type: "paused" }], "Paused"],
  ["between lots", [{ seq: 2, type: "passed", lot: 1, reason: "no-bids", content: "Vase" }], "Wait for the next lot"],
  ["after the last lot", [{ seq: 2, type: "over", lots: 1 }], "Sale over"],
], (messages, obstacle) => equal(start(...messages).bidding.obstacle, obstacle));

test("nobody can bid without a connection", () => {
  const { bidding, connection } = start();
  connection.phase = "lost";
  equal(bidding.obstacle, "Not connected");
});

test("nobody can bid on the way to another room", () => {
  const { bidding, connection, sent } = start();
  connection.destination = "blue";
  bidding.place(20);
  equal([bidding.obstacle, sent], ["Changing rooms", []]);
});

test("one bid is under way at a time", async () => {
  const { bidding, sent } = start();
  bidding.place(20);
  bidding.place(30);
  equal([sent.map(({ command }) => command), bidding.answer.kind], [["bid 20"], "sending"]);
  await answer(sent[0], { isOK: true, content: "bid 20" });
  equal([bidding.obstacle, bidding.answer.kind], [null, "good"]);
});

table("a refusal says what to do", [
  ["too low", { code: "too-low", message: { minimum: 1_050 } }, /at least 1,050/],
  ["too high", { code: "too-high", message: { maximum: 5_000 } }, /at most 5,000/],
  ["slow down", { code: "slow-down", message: { seconds: 1 } }, /1 second$/],
  ["an error of the future", { code: "over-purse", content: "you can bid at most 860", message: {} }, /at most 860/],
  ["a code that every object has", { code: "constructor", content: "no", message: {} }, /^no$/],
], async (refusal, pattern) => {
  const { bidding, sent } = start();
  bidding.place(20);
  await answer(sent[0], { isOK: false, content: "", ...refusal });
  equal([bidding.answer.kind, pattern.test(bidding.answer.text)], ["bad", true], bidding.answer.text);
});

test("what is no amount is refused without the server", () => {
  const { bidding, sent } = start();
  bidding.place(null);
  equal([sent, bidding.answer.kind], [[], "bad"]);
});

table("the answer to an accepted bid stays while it leads, and goes when it does not", [
  ["the first bid", []], ["a higher bid", [price(2, "bob", 20, 1)]],
], async (before) => {
  const { bidding, model, sent, clock } = start(...before);
  bidding.place(50);
  await answer(sent[0], { isOK: true, content: "bid 50" });
  bidding.expire();
  receive(model, price(3, "alice", 50, 2));
  clock.advance(1_000);
  bidding.expire();
  equal(bidding.answer?.kind, "good", "after the price");
  receive(model, price(4, "bob", 60, 3));
  bidding.expire();
  equal(bidding.answer, null, "after a higher bid");
});

test("a refusal goes when the price changes", async () => {
  const { bidding, model, sent } = start();
  bidding.place(5);
  await answer(sent[0], { isOK: false, code: "too-low", content: "", message: { minimum: 10 } });
  bidding.expire();
  equal(bidding.answer.kind, "bad");
  receive(model, price(2, "bob", 20, 1));
  bidding.expire();
  equal(bidding.answer, null);
});

test("an answer goes after eight seconds", async () => {
  const { bidding, clock } = start();
  bidding.place(null);
  clock.advance(7_900);
  bidding.expire();
  equal(bidding.answer.kind, "bad");
  clock.advance(200);
  bidding.expire();
  equal(bidding.answer, null);
});

table("a bid whose answer was lost is told when the connection is back", [
  ["accepted", [price(2, "alice", 20, 1)], "good"], ["not accepted", [price(2, "bob", 30, 1)], "bad"],
  ["accepted and outbid", [price(2, "alice", 20, 1), price(3, "bob", 30, 2)], "good"],
], async (after, kind) => {
  const { bidding, model, sent } = start();
  bidding.place(20);
  await answer(sent[0], { isOK: false, code: "lost", content: "the connection was lost", message: {} });
  bidding.expire();
  equal(/unknown/.test(bidding.answer?.text), true, "while it is unknown");
  for (const message of after) receive(model, message);
  bidding.settle();
  equal([bidding.answer.kind, /unknown/.test(bidding.answer.text)], [kind, false]);
});

test("a sealed bid is known to its bidder once it is accepted, and can be replaced", async () => {
  const { bidding, model, sent } = start(terms("sealed"));
  bidding.place(120);
  equal(model.yours, null);
  await answer(sent[0], { isOK: true, content: "bid 120" });
  equal([model.yours, model.standing, bidding.obstacle], [120, "sealed", null]);
  bidding.place(90);
  await answer(sent[1], { isOK: true, content: "bid 90" });
  equal(model.yours, 90);
});

test("a Dutch lot is taken, and offers no raises", async () => {
  const { bidding, sent } = start(terms("dutch"), { seq: 3, type: "ask", amount: 900 });
  equal([bidding.raises, bidding.allowsMaximum], [[], false]);
  bidding.take();
  equal(sent[0].command, "take");
  await answer(sent[0], { isOK: true, content: "take 880" });
  equal(bidding.answer.text, "Your offer was accepted");
});

test("a lot is bought at once, also while one's own bid leads", async () => {
  const { bidding, sent } = start(terms("english", { buy: 500 }), price(3, "alice", 20, 1));
  bidding.buy();
  equal(sent.map(({ command }) => command), ["buy"]);
});

table("a lot is not bought if the bidder was asked about another offer", [
  ["the next lot", [{ seq: 3, type: "lot", lot: 2, content: "Clock", start: 10, elapsedMilliseconds: 0 },
    { ...terms("english", { buy: 900 }), seq: 4 }]],
  ["a lot of another room", [{ type: "hello", seconds: 7, step: 10, game: "k3v9", room: "blue" },
    { seq: 1, type: "lot", lot: 1, content: "Vase", start: 10, elapsedMilliseconds: 0 }, terms("english", { buy: 500 })]],
  ["none, because the price has reached it", [price(3, "bob", 500, 1)]],
], (messages) => {
  const { bidding, model, sent } = start(terms("english", { buy: 500 }));
  const { offer } = bidding;
  for (const message of messages) receive(model, message);
  bidding.buy(offer);
  equal([sent, bidding.answer.kind], [[], "bad"]);
});

test("a maximum is set while one leads, and taken back", async () => {
  const { bidding, model, sent } = start(price(2, "alice", 20, 1));
  bidding.setMaximum(200);
  await answer(sent[0], { isOK: true, content: "max 200" });
  equal([sent[0].command, model.maximum, bidding.answer.kind], ["max 200", 200, "good"]);
  bidding.setMaximum(null);
  await answer(sent[1], { isOK: true, content: "max 0" });
  equal([sent[1].command, model.maximum], ["max 0", null]);
});

test("a maximum that is refused is not shown", async () => {
  const { bidding, model, sent } = start();
  bidding.setMaximum(5);
  await answer(sent[0], { isOK: false, code: "too-low", content: "", message: { minimum: 10 } });
  equal([model.maximum, bidding.answer.kind], [null, "bad"]);
});

table("an amount that would harm the bidder is warned of", [
  ["a harmless one", [worth(143), purse(860)], 143, /^$/], ["none", [worth(143)], null, /^$/],
  ["above the value", [worth(143)], 160, /^17 above your value$/],
  ["above the estimate", [worth(143, true)], 160, /^17 above your estimate$/],
  ["over the purse", [worth(143), purse(100)], 120, /at most 100/],
  ["within the purse, with what the sealed bid reserves", [terms("sealed"), purse(40), { type: "yours", amount: 80 }],
    120, /^$/],
  ["too low", [worth(143)], 5, /minimum bid is now 10/], ["a Dutch price", [terms("dutch"), worth(143)], 5, /^$/],
], (messages, amount, pattern) => {
  const text = start(...messages).bidding.warning(amount);
  equal(pattern.test(text), true, text);
});

table("a purchase whose answer was lost is told when the connection is back", [
  ["accepted", [price(9, "alice", 880, 1)], "good"], ["not accepted", [price(9, "bob", 880, 1)], "bad"],
], async (after, kind) => {
  const { bidding, model, sent } = start(terms("dutch"), { seq: 3, type: "ask", amount: 900 });
  bidding.take();
  await answer(sent[0], { isOK: false, code: "lost", content: "the connection was lost", message: {} });
  for (const message of after) receive(model, message);
  bidding.settle();
  equal(bidding.answer.kind, kind);
});

function terms(format, more = {}) {
  return { seq: 2, type: "terms", format, seconds: 20, start: 10, step: 5, ...more };
}

function worth(amount, isEstimate) {
  return { type: "worth", amount, isEstimate };
}

function purse(left) {
  return { type: "purse", left };
}

/** The bid box of alice on a lot that starts at 10 with steps of 10, after these messages. */
function start(...messages) {
  const clock = new Clock(), model = new Model(), sent = [];
  const connection = {
    phase: "live",
    request: (command) => new Promise((resolve) => sent.push({ command, resolve })),
  };
  model.takeName("alice");
  receive(model, { type: "hello", seconds: 7, step: 10, game: "k3v9" });
  receive(model, { seq: 1, type: "lot", lot: 1, content: "Vase", start: 10, elapsedMilliseconds: 0 });
  for (const message of messages) receive(model, message);
  return { bidding: new Bidding({ model, connection, clock }), model, connection, clock, sent };
}

async function answer(request, outcome) {
  request.resolve({ code: "", data: [], message: {}, ...outcome });
  await settle();
}

function receive(model, message) {
  model.apply({ time: "2026-11-20T10:00:00.000Z", ...message }, 0);
}

function price(seq, bidder, amount, bid) {
  return { seq, type: "price", amount, bidder, elapsedMilliseconds: 1_000 * bid, bid, lot: 1,
    remainingMilliseconds: 7_000 };
}
