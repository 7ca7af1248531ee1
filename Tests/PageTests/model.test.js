import { Model, ServerClock } from "/model.js";
import { Series } from "/series.js";
import {
  ask, countdown, hello, lot, missed, news, next, opening, over, passed, paused, price, revealed, snapshot, voided, whole, winner,
  you,
} from "./messages.js";
import { equal, table, test } from "./testing.js";

const epoch = Date.parse("2026-11-20T10:00:00.000Z");
const dutch = opening({ format: "dutch", price: 900, start: 900, minimum: 900, seconds: 20 });
const [sealed, vickrey] = ["sealed", "vickrey"].map((format) => opening({ format }));

table("a message changes what it says", [
  ["hello", [hello], { game: "k3v9", standing: "waiting", isOpen: false, price: null }],
  ["lot", [hello, lot], { "state.title": "Vase", isOpen: true, standing: "first", price: 10, seq: 1, endsAt: null }],
  ["price", [hello, lot, price(2, "bob", 100, 1)],
    { price: 100, "state.leader": "bob", "state.minimum": 105, standing: "watch", "series.count": 1, endsAt: 7_000 }],
  ["a price that ends all bids", [hello, lot, price(2, "bob", 100, 1, { minimum: null })], { isFinal: true }],
  ["a price of one's own", [hello, lot, price(2, "Alice", 100, 1)], { standing: "lead", leads: true, hasBid: true }],
  ["a price over one's own", [hello, lot, price(2, "alice", 100, 1), price(3, "bob", 120, 2)],
    { standing: "outbid", leads: false }],
  ["going", [hello, lot, price(2, "bob", 100, 1), news(3, "going", { state: { going: "once" } })], { "state.going": "once" }],
  ["winner", [hello, lot, price(2, "alice", 120, 1), winner(3, "alice", 120)],
    { standing: "won", isOpen: false, price: 120, endsAt: null }],
  ["another winner", [hello, lot, price(2, "alice", 120, 1), winner(3, "bob", 120)], { standing: "sold" }],
  ["passed", [hello, lot, passed(2)], { standing: "passed", price: null, "outcome.text": "Vase is unsold: nobody bid" }],
  ["next", [hello, lot, winner(9, "bob", 120), next(10, 3)], { nextAt: 3_000 }],
  ["the lot after that", [hello, lot, winner(9, "bob", 120), next(10, 3), ...opening({ lot: 2 }, 11)],
    { nextAt: null, outcome: null, standing: "first", "results.length": 1 }],
  ["over", [hello, lot, winner(9, "bob", 120), over(10)], { "state.stage": "over", standing: "sold" }],
  ["paused", [hello, lot, price(2, "bob", 100, 1), paused(3)], { endsAt: null, isOpen: true, standing: "watch" }],
  ["voided", [hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2), voided(4, true)],
    { "state.leader": "bob", price: 100, "series.count": 1, standing: "watch", hasBid: false }],
  ["voided, the only bid", [hello, lot, price(2, "alice", 120, 2), voided(3)], { price: 10, standing: "first" }],
  ["stopped", [hello, lot, news(2, "stopped")], { "news.stopped.seq": 2 }],
  ["stopped, and started again", [hello, lot, news(2, "stopped"), hello], { "news.stopped": undefined, standing: "first" }],
  ["a lot with terms", [hello, ...vickrey], { isSealed: true, standing: "unsealed", price: null, "news.terms.seq": 2 }],
  ["the next lot after one with terms", [hello, ...vickrey, ...opening({ lot: 2 }, 9)],
    { isSealed: false, "news.terms": undefined, price: 10 }],
  ["a Dutch lot that has not fallen yet", [hello, ...dutch], { price: 900, standing: "falling", "series.steps.length": 1 }],
  ["ask", [hello, ...dutch, ask(3, 880, 9_000), ask(4, 860, 8_000)],
    { price: 860, standing: "falling", endsAt: 8_000, "series.steps.length": 3 }],
  ["a Dutch lot that is taken", [hello, ...dutch, ask(3, 880, 9_000), price(4, "alice", 880, 1)], { standing: "lead" }],
  ["one's own sealed bid", [hello, ...sealed, you({ sealed: 120 })], { standing: "sealed", price: 120 }],
  ["revealed, also a second time", [hello, ...sealed, revealed(3, "bob", 120), revealed(4, "zoe", 90),
    { ...revealed(3, "bob", 120), snapshot: true }], { "revealed.length": 2 }],
  ["a value", [hello, lot, you({ worth: 143 }), price(2, "bob", 120, 1)], { gain: 23 }],
  ["the value of another's lot", [hello, lot, you({ worth: 143 }), winner(2, "bob", 120)], { gain: null }],
  ["the true value", [hello, lot, you({ worth: 143, isEstimate: true }), winner(9, "bob", 120), news(10, "value", { value: 117 })],
    { gain: -3 }],
  ["no value any more", [hello, lot, you({ worth: 143 }), ...opening({ lot: 2 }, 9), you({ worth: null })], { gain: null }],
  ["champion", [hello, lot, winner(9, "bob", 120), over(10), news(11, "champion", { bidder: "bob", score: 1 })],
    { "champions.length": 1 }],
  ["a lot that is added after the end", [hello, lot, winner(9, "bob", 120), over(10), news(11, "champion", { bidder: "bob" }),
    ...opening({ lot: 2 }, 12)], { "champions.length": 0, "state.stage": "open" }],
  ["a type of the future", [hello, lot, news(2, "tomorrow")], { "state.title": "Vase" }],
  ["a type that every object has", [hello, lot, news(2, "constructor")], { "state.title": "Vase" }],
  ["no type", [hello, lot, {}], { "state.title": "Vase" }],
], (messages, expected) => {
  const model = sale(...messages);
  for (const [path, value] of Object.entries(expected)) {
    equal(path.split(".").reduce((object, member) => object?.[member], model), value, path);
  }
});

table("news is reported once", [
  ["lot", lot, "lot"], ["last", news(2, "last"), "last"], ["going", news(2, "going"), "going"],
  ["winner", winner(2, "bob", 120), "winner"], ["passed", passed(2), "passed"], ["next", next(2, 3), "next"],
  ["over", over(2), "over"], ["paused", paused(2), "paused"], ["resumed", news(2, "resumed"), "resumed"],
  ["hammered", news(2, "hammered"), "hammered"], ["voided", voided(2), "voided"],
  ["kicked", news(2, "kicked", { bidder: "bob", reason: "two names" }), "kicked"], ["stopped", news(2, "stopped"), "stopped"],
  ["joined", news(2, "joined", { bidder: "bob" }), "joined"], ["left", news(2, "left", { bidder: "bob" }), "left"],
  ["price", price(2, "bob", 100, 1), "price"], ["sealed", news(2, "sealed", { state: { bids: 3 } }), "sealed"],
  ["revealed", revealed(2, "bob", 120), "revealed"], ["reserve", news(2, "reserve", { state: { reserve: "met" } }), "reserve"],
  ["value", news(2, "value", { value: 117 }), "value"], ["champion", news(2, "champion", { bidder: "bob" }), "champion"],
  ["said", news(2, "said", { bidder: "bob" }), "said"], ["news of the future", news(2, "tomorrow"), "tomorrow"],
], (message, kind) => {
  const model = sale(hello), kinds = observe(model);
  receive(model, message);
  receive(model, message);
  equal([kinds, model.ticker.map((entry) => entry.kind)], [[kind], [kind]]);
});

test("asks and what one bidder alone is told are announced, and stand not in the ticker", () => {
  const model = sale(hello, ...dutch), kinds = observe(model);
  for (const message of [ask(3, 880, 9_000), ask(4, 860, 8_000), you({ worth: 143 }), you({ left: 50 })]) receive(model, message);
  equal([kinds, model.ticker.length], [["ask", "ask", "worth"], 1]);
});

test("another name has nothing of what the first one was told", () => {
  const model = sale(hello, lot, you({ left: 860, worth: 143, max: 200, sealed: 120 }));
  model.takeName("ALICE");
  equal(model.you, { left: 860, worth: 143, max: 200, sealed: 120 }, "the same name");
  model.takeName("bob");
  equal(model.you, {});
});

test("counts of those who wait share one entry of the ticker", () => {
  const model = sale(hello);
  for (const people of [1, 2]) receive(model, news(people, "waiting", { text: `${people} bidders are here`, state: { people } }));
  equal(model.ticker.map(({ text }) => text), ["2 bidders are here"]);
});

test("counts of sealed bids share one entry of the ticker", () => {
  const model = sale(hello, ...sealed);
  for (const bids of [1, 2, 3]) receive(model, news(2 + bids, "sealed", { text: `${bids} sealed bids`, state: { bids } }));
  equal([model.ticker.map(({ text }) => text), model.state.bids], [["3 sealed bids", "Lot 1 is open"], 3]);
});

test("a Dutch lot that is joined late misses some asks, and keeps the others when it is repeated, or laps are loaded", () => {
  const model = sale(hello, ...snapshot([...dutch, ask(3, 700, 4_000)],
    { format: "dutch", price: 700, elapsedMilliseconds: 5_000 }));
  receive(model, ask(4, 680, 3_000), 1_000);
  for (const message of snapshot([...dutch, ask(4, 680, 2_000)], { format: "dutch", price: 680 })) receive(model, message, 2_000);
  model.loadLaps([]);
  equal(model.series.steps.map(({ at, price }) => [at, price]), [[0, 900], [0, null], [5_000, 700], [6_000, 680]]);
});

test("a snapshot is shown, and is no news", () => {
  const model = new Model(), kinds = observe(model);
  for (const message of [lot, price(7, "bob", 100, 3)]) receive(model, { ...missed(message), snapshot: true });
  receive(model, whole({ price: 100, leader: "bob", minimum: 105 }, 9));
  equal([kinds, model.ticker, model.price, model.state.minimum, model.seq], [[], [], 100, 105, 9]);
});

test("the last winner of a snapshot is no news", () => {
  const model = sale(hello), kinds = observe(model);
  receive(model, { ...missed(winner(3, "bob", 120)), snapshot: true });
  receive(model, whole({ stage: "sold", price: 120, leader: "bob" }, 3));
  equal([kinds, model.ticker, model.standing], [[], [], "sold"]);
});

test("old news changes the lists and stands in the ticker, and alarms nobody; the state follows", () => {
  const model = sale(hello, lot, price(2, "alice", 100, 1)), kinds = observe(model);
  model.apply(missed(price(3, "bob", 120, 2)), 9_000, true);
  receive(model, whole({ price: 120, leader: "bob" }, 3));
  equal([kinds, model.standing, model.ticker.length, model.series.count], [[], "outbid", 3, 2]);
});

test("who is outbid is told so, and who leads again", () => {
  const model = sale(hello, lot, price(2, "alice", 100, 1)), events = [];
  model.observer = ({ kind, text }) => events.push([kind, text]);
  receive(model, price(3, "bob", 120, 2));
  receive(model, news(4, "voided", { bid: 2, leadingBid: 1, leadingAmount: 100, leadingBidder: "alice",
    leadingElapsedMilliseconds: 1_000, state: { price: 100, leader: "alice" } }));
  equal(events, [["outbid", "Outbid by bob. Bid at least 125"], ["lead", "You lead with 100"]]);
});

test("the price that a void repeats is no bid", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2), voided(8, true));
  const kinds = observe(model);
  receive(model, price(9, "bob", 100, 1));
  equal([kinds, model.series.count, model.series.laps.length, model.endsAt], [[], 1, 1, 7_000]);
});

test("after a void the next bid has the number of the voided one", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), price(3, "alice", 120, 2), voided(8, true));
  receive(model, price(10, "zoe", 130, 2));
  equal(model.series.laps.map(({ bid, bidder }) => [bid, bidder]), [[1, "bob"], [2, "zoe"]]);
});

test("a late message does not give more time, and an early one takes some", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1));
  receive(model, countdown(3, 6), 1_000, 1_200);
  equal(model.endsAt, 7_000);
  receive(model, countdown(4, 5), 1_900, 1_900);
  equal(model.endsAt, 6_900);
});

test("a lot has its time, which stops at its end", () => {
  const model = sale(hello, lot, winner(9, "bob", 120));
  equal([model.elapsed(1_000), model.elapsed(50_000)], [9_000, 9_000]);
  const open = sale(hello, ...snapshot([lot], { elapsedMilliseconds: 4_000 }));
  equal(open.elapsed(1_500), 5_500);
});

test("another game is another sale", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), { ...hello, game: "zzzz" });
  equal([model.lot, model.price, model.seq, model.ticker, model.game], [0, null, 0, [], "zzzz"]);
});

test("the same game goes on after a new greeting", () => {
  const model = sale(hello, lot, price(2, "bob", 100, 1), hello);
  equal([model.seq, model.state.leader], [2, "bob"]);
});

test("somebody who joins stands in the chart at the time of the event", () => {
  const model = sale(hello, lot);
  receive(model, news(2, "joined", { bidder: "zoe" }), 2_500, 2_900);
  equal(model.series.joins, [{ at: 2_500, name: "zoe" }]);
});

test("somebody who joined while the page was away stands in the chart at the time of the event", () => {
  const model = sale(hello, lot);
  model.apply({ time: time(2_500), ...news(2, "joined", { bidder: "zoe" }) }, 60_000, true);
  equal(model.series.joins, [{ at: 2_500, name: "zoe" }]);
});

test("who is here follows from the list and from the news", () => {
  const model = sale(hello, lot);
  model.loadPeople([{ bidder: "bob" }, { bidder: "Zoe" }]);
  receive(model, news(2, "joined", { bidder: "carol" }));
  receive(model, news(3, "left", { bidder: "zoe" }));
  equal([...model.people.values()], ["bob", "carol"]);
});

test("people have the names that they chose, until they take them back", () => {
  const model = sale(hello, lot);
  model.loadPeople([{ bidder: "Zoe", display: "Zoë" }]);
  receive(model, news(2, "joined", { bidder: "bob", display: "Böb" }));
  equal([...model.displays], [["zoe", "Zoë"], ["bob", "Böb"]]);
  receive(model, news(3, "display", { bidder: "zoe" }));
  equal([...model.displays], [["bob", "Böb"]]);
});

test("each award of a game is kept once, and the next game has none", () => {
  const model = sale(hello, lot);
  const award = news(2, "award", { award: "bargain", bidder: "bob", text: "best bargain: bob" });
  receive(model, award);
  receive(model, { ...award, snapshot: true });
  equal(model.awards.map(({ award }) => award), ["bargain"]);
  receive(model, news(3, "rematch"));
  equal(model.awards, []);
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
  for (let seq = 3_000; seq < 6_000; seq += 1) receive(model, winner(seq, "bob", 120, { lot: seq }));
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

/** The kinds of what the model reports from now on. */
function observe(model) {
  const kinds = [];
  model.observer = ({ kind }) => kinds.push(kind);
  return kinds;
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
  model.apply({ time: time(sent), ...message }, received);
}

function time(milliseconds) {
  return new Date(epoch + milliseconds).toISOString();
}
