import { ServerClock } from "/clock.js";
import { Model } from "/model.js";
import { Series } from "/series.js";
import { equal, table, test } from "./testing.js";

const epoch = Date.parse("2026-11-20T10:00:00.000Z");

const hello = { type: "hello", content: "auction/1", seconds: 7, step: 5, game: "k3v9" };
const lot = { seq: 1, type: "lot", lot: 1, content: "Vase", start: 10, elapsedMilliseconds: 0, minimum: 10, maximum: 1e12 };
const winner = { seq: 9, type: "winner", content: "alice", bidder: "alice", amount: 120, elapsedMilliseconds: 9_000,
  title: "Vase", lot: 1 };
const voided = { seq: 8, type: "voided", content: "120", amount: 120, bidder: "alice", bid: 2, lot: 1 };
const backToBob = { leadingAmount: 100, leadingBidder: "bob", leadingElapsedMilliseconds: 1_000, leadingBid: 1 };

table("a message changes what it says", [
  ["hello", [hello], { game: "k3v9", seconds: 7, step: 5, standing: "waiting", least: null }],
  ["lot", [hello, lot], { "lot.title": "Vase", isOpen: true, standing: "first", least: 10, seq: 1 }],
  ["price", [hello, lot, price(2, "bob", 100, 1)],
    { "leading.amount": 100, "leading.bidder": "bob", standing: "watch", least: 105, "series.count": 1 }],
  ["a price that ends all bids", [hello, lot, { ...price(2, "bob", 100, 1), minimum: undefined, maximum: undefined }],
    { least: null, most: null, isFinal: true }],
  ["a price below that of a purchase", [hello, lot, { ...price(2, "bob", 95, 1), minimum: 100 }], { least: 100, isFinal: false }],
  ["voided, with the bounds of the bid before", [hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2),
    { ...voided, ...backToBob, minimum: 105 }], { least: 105 }],
  ["a price of one's own", [hello, lot, price(2, "Alice", 100, 1)], { standing: "lead", leads: true, hasBid: true }],
  ["a price over one's own", [hello, lot, price(2, "alice", 100, 1), price(3, "bob", 120, 2)],
    { standing: "outbid", leads: false }],
  ["last", [hello, lot, { seq: 2, type: "last", content: "" }], { isLast: true }],
  ["going", [hello, lot, price(2, "bob", 100, 1), { seq: 3, type: "going", content: "once" }], { going: "once" }],
  ["a bid after going", [hello, lot, price(2, "bob", 100, 1), { seq: 3, type: "going", content: "once" },
    price(4, "zoe", 120, 2)], { going: null }],
  ["winner", [hello, lot, price(2, "alice", 120, 1), winner],
    { standing: "won", isOpen: false, least: null, length: 9_000, endsAt: null }],
  ["another winner", [hello, lot, price(2, "alice", 120, 1), { ...winner, bidder: "bob" }], { standing: "sold" }],
  ["passed", [hello, lot, { seq: 2, type: "passed", lot: 1, reason: "no-bids", content: "Vase" }],
    { standing: "passed", "outcome.text": "Passed happened" }],
  ["next", [hello, lot, winner, { seq: 10, type: "next", seconds: 3, content: "Clock" }],
    { "next.title": "Clock", "next.at": 3_000 }],
  ["over", [hello, lot, winner, { seq: 10, type: "over", content: "2", lots: 2 }], { lotsInAll: 2 }],
  ["paused", [hello, lot, price(2, "bob", 100, 1), { seq: 3, type: "paused", content: "" }],
    { isPaused: true, endsAt: null }],
  ["resumed", [hello, lot, { seq: 3, type: "paused", content: "" }, { seq: 4, type: "resumed", content: "" }],
    { isPaused: false }],
  ["voided", [hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2), { ...voided, ...backToBob }],
    { "leading.bidder": "bob", "leading.amount": 100, "series.count": 1, standing: "watch", hasBid: false }],
  ["voided, the only bid", [hello, lot, price(2, "alice", 120, 2), voided], { leading: null, standing: "first" }],
  ["stopped", [hello, lot, { seq: 2, type: "stopped", content: "" }], { isStopped: true }],
  ["terms", [hello, lot, terms("vickrey", { reserve: true })],
    { format: "vickrey", isSealed: true, seconds: 20, step: 2, standing: "unsealed", least: 10, buyPrice: null }],
  ["the next lot after one with terms", [hello, lot, terms("dutch"), { ...lot, seq: 9, lot: 2 }],
    { format: "english", seconds: 7, step: 5, price: 10 }],
  ["a Dutch lot that has not fallen yet", [hello, lot, terms("dutch", { start: 900 })],
    { ask: 900, price: 900, standing: "falling", endsAt: null, "series.steps.length": 1 }],
  ["ask", [hello, lot, terms("dutch", { start: 900 }), ask(3, 880, 9_000), ask(4, 860, 8_000)],
    { ask: 860, price: 860, standing: "falling", least: null, endsAt: 8_000, "series.steps.length": 3 }],
  ["a Dutch lot that is taken", [hello, lot, terms("dutch"), ask(3, 900, 9_000), price(4, "alice", 900, 1)],
    { standing: "lead", "leading.amount": 900 }],
  ["sealed", [hello, lot, terms("sealed"), { seq: 3, type: "sealed", content: "3", bids: 3 }],
    { sealed: 3, leading: null }],
  ["yours", [hello, lot, terms("sealed"), { type: "yours", amount: 120 }],
    { yours: 120, standing: "sealed", price: 120 }],
  ["revealed, also a second time", [hello, lot, terms("sealed"), revealed(3, "bob", 120), revealed(4, "zoe", 90),
    { ...revealed(3, "bob", 120), snapshot: true }], { "revealed.length": 2 }],
  ["reserve", [hello, lot, { seq: 2, type: "reserve", content: "met" }], { reserveMet: true }],
  ["a void after the reserve was met", [hello, lot, price(2, "alice", 120, 2),
    { seq: 3, type: "reserve", content: "met" }, voided], { reserveMet: false }],
  ["buy", [hello, lot, terms("english", { buy: 100 }), price(3, "bob", 99, 1)], { buyPrice: 100 }],
  ["buy at a price as high", [hello, lot, terms("english", { buy: 100 }), price(3, "bob", 100, 1)], { buyPrice: null }],
  ["purse", [hello, lot, { type: "purse", left: 860 }], { purse: 860, affordable: 860 }],
  ["purse of the leader", [hello, lot, price(2, "alice", 140, 1), { type: "purse", left: 860 }], { affordable: 1_000 }],
  ["worth", [hello, lot, { type: "worth", amount: 143 }, price(2, "bob", 120, 1)],
    { gain: 23, hasValues: true, "worth.isEstimate": false }],
  ["the value of the next lot", [hello, lot, { type: "worth", amount: 143 }, { ...lot, seq: 9, lot: 2 }],
    { worth: null, gain: null }],
  ["value", [hello, lot, { type: "worth", amount: 143, isEstimate: true }, winner, { seq: 10, type: "value", value: 117 }],
    { value: 117, gain: -3 }],
  ["max", [hello, lot, { type: "max", amount: 200 }], { maximum: 200 }],
  ["a void of the own bid under a maximum", [hello, lot, { type: "max", amount: 200 }, price(2, "alice", 120, 2), voided],
    { maximum: null }],
  ["champion", [hello, lot, winner, { seq: 10, type: "over", lots: 1 },
    { seq: 11, type: "champion", bidder: "bob", score: 1 }], { "champions.length": 1, standing: "won" }],
  ["a lot that is added after the end", [hello, lot, winner, { seq: 10, type: "over", lots: 1 },
    { seq: 11, type: "champion", bidder: "bob", score: 1 }, { ...lot, seq: 12, lot: 2 }],
    { "champions.length": 0, lotsInAll: null }],
  ["bye", [hello, lot, { type: "bye", content: "shutdown" }], { "lot.title": "Vase" }],
  ["a type of the future", [hello, lot, { seq: 2, type: "tomorrow", content: "3" }], { "lot.title": "Vase" }],
  ["a type that every object has", [hello, lot, { seq: 2, type: "constructor" }], { "lot.title": "Vase" }],
  ["no type", [hello, lot, {}], { "lot.title": "Vase" }],
], (messages, expected) => {
  const model = sale(...messages);
  for (const [path, value] of Object.entries(expected)) {
    equal(path.split(".").reduce((object, member) => object?.[member], model), value, path);
  }
});

table("news is reported once", [
  ["lot", lot, "lot"], ["last", { seq: 2, type: "last", content: "" }, "last"],
  ["going", { seq: 2, type: "going", content: "once" }, "going"], ["winner", winner, "winner"],
  ["passed", { seq: 2, type: "passed", lot: 1, reason: "closed", content: "Vase" }, "passed"],
  ["next", { seq: 2, type: "next", seconds: 3, content: "Clock" }, "next"],
  ["over", { seq: 2, type: "over", content: "2", lots: 2 }, "over"],
  ["paused", { seq: 2, type: "paused", content: "" }, "paused"],
  ["resumed", { seq: 2, type: "resumed", content: "" }, "resumed"],
  ["hammered", { seq: 2, type: "hammered", content: "" }, "hammered"], ["voided", voided, "voided"],
  ["kicked", { seq: 2, type: "kicked", content: "bob", bidder: "bob", reason: "two names" }, "kicked"],
  ["stopped", { seq: 2, type: "stopped", content: "" }, "stopped"],
  ["joined", { seq: 2, type: "joined", content: "bob", bidder: "bob" }, "joined"],
  ["left", { seq: 2, type: "left", content: "bob", bidder: "bob" }, "left"],
  ["price", price(2, "bob", 100, 1), "bid"],
  ["sealed", { seq: 2, type: "sealed", content: "3", bids: 3 }, "sealed"], ["revealed", revealed(2, "bob", 120), "revealed"],
  ["reserve", { seq: 2, type: "reserve", content: "met" }, "reserve"],
  ["value", { seq: 2, type: "value", content: "117", value: 117 }, "value"],
  ["champion", { seq: 2, type: "champion", content: "bob", bidder: "bob", score: 1 }, "champion"],
  ["said", { seq: 2, type: "said", content: "hello", bidder: "bob" }, "said"],
], (message, kind) => {
  const model = sale(hello), kinds = [];
  model.observer = (event) => kinds.push(event.kind);
  receive(model, message);
  receive(model, message);
  equal([kinds, model.ticker.map((entry) => entry.kind)], [[kind], [kind]]);
});

test("asks and what one bidder alone is told are announced, and stand not in the ticker", () => {
  const model = sale(hello, lot, terms("dutch")), kinds = [];
  model.observer = (event) => kinds.push(event.kind);
  for (const message of [ask(3, 900, 9_000), ask(4, 880, 8_000), { type: "worth", amount: 143 }]) receive(model, message);
  equal([kinds, model.ticker.length], [["ask", "ask", "worth"], 1]);
});

test("another name has nothing of what the first one was told", () => {
  const model = sale(hello, lot);
  for (const message of [{ type: "purse", left: 860 }, { type: "worth", amount: 143 }, { type: "max", amount: 200 },
    { type: "yours", amount: 120 }]) receive(model, message);
  model.takeName("ALICE");
  equal([model.purse, model.worth.amount, model.maximum, model.yours], [860, 143, 200, 120], "the same name");
  model.takeName("bob");
  equal([model.purse, model.worth, model.maximum, model.yours], [null, null, null, null]);
});

test("counts of sealed bids share one entry of the ticker", () => {
  const model = sale(hello, lot, terms("sealed"));
  for (const bids of [1, 2, 3]) receive(model, { seq: 2 + bids, type: "sealed", bids, text: `${bids} sealed bids` });
  equal(model.ticker.map(({ text }) => text), ["3 sealed bids", "Lot happened"]);
});

test("a Dutch lot that is joined late misses some asks, and keeps the others when laps are loaded", () => {
  const model = sale(hello, { ...lot, elapsedMilliseconds: 5_000, snapshot: true }, terms("dutch", { start: 900 }));
  receive(model, { ...ask(3, 700, 4_000), snapshot: true });
  receive(model, ask(4, 680, 3_000), 1_000);
  model.loadLaps([]);
  equal(model.series.steps.map(({ at, price }) => [at, price]), [[0, 900], [5_000, 700], [6_000, 680]]);
  equal(model.series.gaps, [{ from: 0, to: 5_000 }]);
});

test("a snapshot is shown, and is no news", () => {
  const model = new Model(), kinds = [];
  model.observer = (event) => kinds.push(event.kind);
  for (const message of [hello, lot, price(7, "bob", 100, 3)]) receive(model, { ...message, snapshot: true });
  equal([kinds, model.ticker, model.leading.amount, model.least, model.seq], [[], [], 100, 105, 7]);
});

test("the last winner of a snapshot is no news", () => {
  const model = new Model(), kinds = [];
  model.observer = (event) => kinds.push(event.kind);
  receive(model, hello);
  receive(model, { ...winner, snapshot: true });
  equal([kinds, model.ticker, model.standing], [[], [], "sold"]);
});

test("old news changes the sale and stands in the ticker, and alarms nobody", () => {
  const model = sale(hello, lot, price(2, "alice", 100, 1)), kinds = [];
  model.observer = (event) => kinds.push(event.kind);
  model.apply(price(3, "bob", 120, 2), 9_000, { isOld: true });
  equal([kinds, model.standing, model.ticker.length], [[], "outbid", 3]);
});

test("who is outbid is told so", () => {
  const model = sale(hello, lot, price(2, "alice", 100, 1)), kinds = [];
  model.observer = ({ kind }) => kinds.push(kind);
  receive(model, price(3, "bob", 120, 2));
  equal(kinds.filter((kind) => kind !== "bid"), ["outbid"]);
});

test("the price that a void repeats is no bid", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2), { ...voided, ...backToBob });
  const kinds = [];
  model.observer = (event) => kinds.push(event.kind);
  receive(model, price(9, "bob", 100, 1));
  equal([kinds, model.series.count, model.series.laps.length, model.remaining(0)], [[], 1, 1, 7_000]);
});

test("after a void the next bid has the number of the voided one", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2), { ...voided, ...backToBob });
  receive(model, price(10, "zoe", 130, 2));
  equal(model.series.laps.map(({ bid, bidder }) => [bid, bidder]), [[1, "bob"], [2, "zoe"]]);
});

test("the countdown runs between messages", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1));
  equal([0, 2_500, 8_000].map((now) => model.remaining(now)), [7_000, 4_500, 0]);
});

test("a late message does not give more time, and an early one takes some", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1));
  receive(model, { seq: 3, type: "countdown", seconds: 6, remainingMilliseconds: 6_000 }, 1_000, 1_200);
  equal(model.remaining(1_200), 5_800);
  receive(model, { seq: 4, type: "countdown", seconds: 5, remainingMilliseconds: 5_000 }, 1_900, 1_900);
  equal(model.remaining(1_900), 5_000);
});

test("a server that stood still gives the full countdown", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1));
  receive(model, { seq: 3, type: "countdown", seconds: 7, remainingMilliseconds: 7_000 }, 5_000);
  equal(model.remaining(5_000), 7_000);
});

test("after a pause the countdown is full", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), { seq: 3, type: "paused", content: "" },
    { seq: 4, type: "resumed", content: "" });
  receive(model, { seq: 5, type: "countdown", seconds: 7, remainingMilliseconds: 7_000 }, 60_000);
  equal(model.remaining(60_000), 7_000);
});

test("a lot has its time, which stops at its end", () => {
  const model = sale(hello, lot, winner);
  equal([model.elapsed(1_000), model.elapsed(50_000)], [9_000, 9_000]);
  const open = sale(hello, { ...lot, elapsedMilliseconds: 4_000, snapshot: true });
  equal(open.elapsed(1_500), 5_500);
});

test("another game is another sale", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), { ...hello, game: "zzzz" });
  equal([model.lot, model.leading, model.seq, model.ticker, model.game], [null, null, 0, [], "zzzz"]);
});

test("the same game goes on after a new greeting", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), hello);
  equal([model.seq, model.leading.bidder], [2, "bob"]);
});

test("somebody who joins stands in the chart at the time of the event", () => {
  const model = sale(hello, lot);
  receive(model, { seq: 2, type: "joined", content: "zoe", bidder: "zoe" }, 2_500, 2_900);
  equal(model.series.joins, [{ at: 2_500, name: "zoe" }]);
});

test("somebody who joined while the page was away stands in the chart at the time of the event", () => {
  const model = sale(hello, lot);
  model.apply(timed({ seq: 2, type: "joined", content: "zoe", bidder: "zoe" }, 2_500), 60_000, { isOld: true });
  equal(model.series.joins, [{ at: 2_500, name: "zoe" }]);
});

test("who is here follows from the list and from the news", () => {
  const model = sale(hello, lot);
  model.loadPeople(["bob", "Zoe"]);
  receive(model, { seq: 2, type: "joined", content: "carol", bidder: "carol" });
  receive(model, { seq: 3, type: "left", content: "zoe", bidder: "zoe" });
  equal([...model.people.values()], ["bob", "carol"]);
});

test("many bids at once are one entry of the ticker", () => {
  const model = sale(hello, lot);
  for (let bid = 1; bid <= 1_500; bid += 1) receive(model, price(bid + 1, "bob", bid * 5, bid));
  equal(model.ticker.length, 2);
  equal(model.ticker[0].text, "1,500 bids, up to 7,500 by bob");
});

test("what is kept is bounded", () => {
  const model = sale(hello, lot);
  for (let seq = 2; seq < 3_000; seq += 1) receive(model, price(seq, "bob", seq, seq - 1), seq * 300);
  for (let seq = 3_000; seq < 6_000; seq += 1) receive(model, { ...winner, seq, lot: seq });
  equal([model.series.laps.length <= 400, model.ticker.length <= 60, model.results.length <= 100], [true, true, true]);
});

test("laps that are loaded stand before those that arrived since", () => {
  const series = new Series();
  series.addBid({ bid: 4, amount: 40, bidder: "bob", elapsed: 4_000 });
  series.load([1, 2, 3].map((bid) => ({ bid, amount: 10 * bid, bidder: "zoe", elapsed: 1_000 * bid })));
  equal([series.laps.map((lap) => lap.bid), series.count], [[1, 2, 3, 4], 4]);
  equal(series.laps.map(({ split }) => split), [1_000, 1_000, 1_000, 1_000]);
});

test("a split is not shown where the bid before is missing", () => {
  const series = new Series();
  series.addBid({ bid: 1, amount: 10, bidder: "bob", elapsed: 700 });
  series.addBid({ bid: 5, amount: 50, bidder: "bob", elapsed: 4_000 });
  equal(series.laps.map(({ split }) => split), [700, null]);
});

test("a message that was late does not move the server's clock", () => {
  const clock = new ServerClock();
  equal(clock.sentAt(time(0), 100), 100);
  equal(clock.sentAt(time(1_000), 1_100), 1_100);
  equal(clock.sentAt(time(2_000), 2_900), 2_100, "it was sent when an undelayed one would have come");
  equal(clock.sentAt("no time", 5_000), 5_000);
});

test("a clock that was set, here or at the server, is followed", () => {
  const clock = new ServerClock();
  clock.sentAt(time(0), 0);
  equal(clock.sentAt(time(3_600_000), 1_000), 1_000);
  equal(clock.sentAt(time(2_000), 2_000), 2_000);
});

function terms(format, more = {}) {
  return { seq: 2, type: "terms", format, seconds: 20, start: 10, step: 2, ...more };
}

function ask(seq, amount, remainingMilliseconds) {
  return { seq, type: "ask", content: String(amount), amount, remainingMilliseconds };
}

function revealed(seq, bidder, amount) {
  return { seq, type: "revealed", content: String(amount), amount, bidder };
}

/** A price in JSON. */
function price(seq, bidder, amount, bid) {
  return { seq, type: "price", content: String(amount), amount, bidder, elapsedMilliseconds: 1_000 * bid, bid, lot: 1,
    remainingMilliseconds: 7_000, minimum: amount + 5, maximum: 1e12 };
}

/** What alice's page knows after these messages, all at time 0. */
function sale(...messages) {
  const model = new Model();
  model.takeName("alice");
  for (const message of messages) receive(model, message);
  return model;
}

/** Applies a message that was sent and received at these milliseconds. */
function receive(model, message, sent = 0, received = sent) {
  model.apply(timed(message, sent), received);
}

function timed(message, sent) {
  const isTold = message.seq !== undefined && message.type !== "countdown";
  return { time: time(sent), ...(isTold ? { text: `${message.type} happened` } : {}), ...message };
}

function time(milliseconds) {
  return new Date(epoch + milliseconds).toISOString();
}
