import { Model } from "/model.js";
import {
  ageText, callText, chipTexts, clockText, connectionText, counted, endText, gameText, grouped, lotText, moveText, newsText, ordinal,
  plainName, ruleText, sameName, sentence, signed, standingText,
} from "/words.js";
import { ask, hello, news, next, opening, over, passed, paused, price, revealed, winner, you } from "./messages.js";
import { equal, table, test } from "./testing.js";

const second = 1_000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

table("a name for people has one for the protocol", [
  ["accents", "Zoë", "Zoe"], ["other letters", "Łukasz Øst", "Lukasz-Ost"], ["two letters for one", "Weiß", "Weiss"],
  ["dots and quotes", "J. O'Neil", "J-O-Neil"], ["a long one", "a".repeat(30), "a".repeat(24)],
], (typed, name) => equal(plainName(typed), name));

table("a time is MM:SS.d, rounded down", [
  ["none", 0, "00:00.0"], ["just below", 99, "00:00.0"], ["a tenth", 100, "00:00.1"], ["minutes", 754_321, "12:34.3"],
  ["an hour and more", 6_000_000, "100:00.0"], ["below zero", -5, "00:00.0"],
], (milliseconds, text) => equal(clockText(milliseconds), text));

table("an age is in the largest unit that it reaches", [
  ["of the future", -hour, "just now"],
  ["none", 0, "just now"],
  ["below 5 s", 4_999, "just now"],
  ["5 s", 5 * second, "5s ago"],
  ["below a minute", minute - 1, "59s ago"],
  ["a minute", minute, "1m ago"],
  ["below an hour", hour - 1, "59m ago"],
  ["below a day", day - 1, "23h ago"],
  ["days", 4 * day + hour, "4d ago"],
  ["no number", NaN, "just now"],
], (age, text) => equal(ageText(age), text));

table("a count has its noun", [
  ["none", 0, "no bids"], ["one", 1, "1 bid"], ["some", 3, "3 bids"], ["many", 1_200, "1,200 bids"],
], (count, text) => equal(counted(count, "bid"), text));

table("thousands are apart", [
  ["small", 999, "999"], ["thousand", 1_000, "1,000"], ["the largest amount", 1_000_000_000_000, "1,000,000,000,000"],
], (amount, text) => equal(grouped(amount), text));

table("names that differ in case are the same", [
  ["case", "Alice", "alice", true], ["other", "alice", "bob", false], ["nobody", null, null, false],
], (a, b, same) => equal(sameName(a, b), same));

table("a gain and a loss have their sign", [
  ["a gain", 1_023, "+1,023"], ["a loss", -17, "−17"], ["neither", 0, "±0"],
], (amount, text) => equal(signed(amount), text));

table("what the server says begins with a capital, unless it begins with a name", [
  ["news", newsText({ text: "lot 2 is open" }), "Lot 2 is open"],
  ["of a bidder", newsText({ text: "bob bids 20", bidder: "bob" }), "bob bids 20"], ["no text", newsText({}), ""],
  ["an answer, with groups of digits", sentence("bid at least 1050"), "Bid at least 1,050"],
], (text, expected) => equal(text, expected));

table("the terms of a lot are told, and a plain English one has none", [
  ["plain", {}, "Lot 1 of 2"], ["English", { reserve: "unmet" }, "Lot 1 of 2"],
  ["Dutch", { format: "dutch" }, "Lot 1 of 2 · Sold as dutch"],
  ["the longest time", { longest: 60 }, "Lot 1 of 2 · bids reset the countdown for 60 seconds"],
], (state, text) => equal(lotText(sale(state)), text));

test("a round of a class is told before it begins, and stands in the place of the lot's number", () => {
  const round = { type: "round", round: 3, rounds: 12, practice: "no", format: "sealed", size: 3 };
  const model = sale({});
  model.apply({ ...hello, room: "class" }, 1);
  model.apply({ ...round, instructions: { title: "Secret bids" } }, 2);
  equal(standingText(model), ["Round 3 of 12", "Sealed bids. Groups of 3."]);
  model.apply(next(2), 3);
  equal(model.round.instructions, undefined);
  model.apply({ ...round, practice: "yes", group: 2, of: 10 }, 4);
  model.apply({ ...hello, room: "class-2" }, 5);
  equal(lotText(model), "Round 3 of 12 · practice · group 2 of 10, 3 bidders");
  model.apply({ ...hello, room: "class" }, 6);
  equal(model.round, null);
});

table("a reserve is met or not yet, and stays secret", [
  ["none", {}, [], undefined], ["not yet", { reserve: "unmet" }, [], "not met"],
  ["met", { reserve: "met" }, [], "met"], ["of sealed bids", { format: "sealed", reserve: "unmet" }, [], "secret"],
  ["missed", { reserve: "unmet" }, [passed(3)], false],
], (state, messages, text) => equal(chipTexts(sale(state, ...messages)).reserve[1], text));

const [dutch, sealed, vickrey] = ["dutch", "sealed", "vickrey"].map((format) => ({ format }));
const worth = (amount, isEstimate = false) => you({ worth: amount, isEstimate });

table("a bidder reads the own figures, each with one word", [
  ["a value", [worth(1_143)], "value", ["Worth", "1,143"]], ["an estimate", [worth(128, true)], "value", ["Estimate", "128"]],
  ["the true value", [worth(128, true), winner(3, "bob", 120), news(4, "value", { value: 117 })], "value", ["True value", "117"]],
  ["an empty purse", [you({ left: 0 })], "purse", ["Purse", "0"]], ["a rank", [you({ rank: 2 })], "place", ["Place", "2nd"]],
], (messages, name, texts) => equal(chipTexts(sale({}, ...messages))[name], texts));

table("a rank is a word", [
  ["1", 1, "1st"], ["2", 2, "2nd"], ["3", 3, "3rd"], ["4", 4, "4th"], ["11", 11, "11th"], ["22", 22, "22nd"],
], (rank, text) => equal(ordinal(rank), text));

table("a bidder reads how far it moved", [
  ["up", 1, 3, "▲ from 3rd"], ["down", 4, 2, "▼ to 4th"], ["not at all", 2, 2, ""], ["from nowhere", 2, null, ""],
], (rank, former, text) => equal(moveText(rank, former), text));

test("the rank before a lot is kept when it has ended", () => {
  const model = sale({}, you({ rank: 3 }), winner(3, "alice", 100), you({ rank: 1 }));
  equal([model.formerRank, model.you.rank], [3, 1]);
});

table("the end says who is the champion, and one's own place", [
  ["the own", "alice", "You are the champion with +37"], ["another's", "bob", "You came 2nd bob: champion with +37"],
], (bidder, text) => {
  equal(endText(sale({}, winner(3, "bob", 9), over(4), news(5, "champion", { bidder, score: 37 }), you({ rank: 2 }))).join(" "), text);
});

const highest = { minimum: null };
table("a bidder reads how the lot stands", [
  ["a bid", {}, [price(3, "bob", 100, 1)], "bob leads with 100"],
  ["outbid", {}, [price(3, "alice", 100, 1), price(4, "bob", 1_000, 2)], "Outbid by bob at 1,000 – bid\u00a01,005"],
  ["a bid that is the highest", {}, [price(3, "bob", 1e12, 1, highest)],
    "bob leads with 1,000,000,000,000 – the price can rise no more"],
  ["outbid for good", {}, [price(3, "alice", 100, 1), price(4, "bob", 1e12, 2, highest)],
    "Outbid by bob at 1,000,000,000,000 – the price can rise no more"],
  ["a Dutch lot", dutch, [ask(3, 900)], "Falling price The first to take it wins"],
  ["no sealed bid", sealed, [], "Bid in secret You have no bid yet"],
  ["a sealed bid", sealed, [you({ sealed: 1_200 })], "Sealed: 1,200 You can replace it"],
  ["a lot that was not sold", {}, [passed(3)], "Unsold Nobody bid"],
  ["another's lot", sealed, [revealed(3, "bob", 120), winner(4, "bob", 120)], "bob won it for 120"],
  ["the second price", vickrey, [revealed(3, "alice", 140), revealed(4, "bob", 120), winner(5, "alice", 120)],
    "Yours for 120 with a bid of 140"],
  ["the second price of another's lot", vickrey, [revealed(3, "bob", 140), winner(5, "bob", 10)],
    "bob won it for 10 · with a bid of 140"],
  ["a lot that everybody pays for", { format: "allpay" },
    [revealed(3, "bob", 120), revealed(4, "alice", 90), winner(5, "bob", 120), you({ paid: 90 })],
    "bob won it for 120 · you pay 90"],
  ["a purchase among sealed bids", vickrey, [revealed(3, "bob", 120), winner(4, "alice", 500)], "Yours for 500"],
  ["a gain", {}, [worth(143), price(3, "alice", 120, 1)], "You lead with 120: you earn +23"],
  ["a perhaps", {}, [worth(128, true), price(3, "alice", 120, 1)], "You lead with 120: you earn perhaps +8"],
  ["a sealed gain", vickrey, [worth(143), you({ sealed: 140 })], "Sealed: 140 You can replace it · at least +3 if you win"],
  ["a lot that was worth it", {}, [worth(143), winner(3, "alice", 120)], "Yours for 120 worth 143 to you: you earn +23"],
  ["a lot that was too dear", {}, [worth(100), winner(3, "alice", 512)], "Yours, but 412 too dear You pay 512 · worth 100 to you: you earn −412"],
  ["another's worth", {}, [worth(143), winner(3, "bob", 120, { winnerWorth: 150 })], "bob won it for 120 · worth 150 to bob: bob earns +30"],
  ["another's secret", {}, [worth(143), winner(3, "bob", 120)], "bob won it for 120"],
  ["the true value", {}, [worth(128, true), winner(3, "bob", 120), news(4, "value", { value: 117 })],
    "bob won it for 120 · worth 117: bob earns −3"],
], (state, messages, text) => equal(standingText(sale(state, ...messages)).filter(Boolean).join(" "), text));

table("a bidder reads what happens with the countdown", [
  ["a lot that waits for a bid", {}, [], "The first bid starts the countdown"],
  ["a lot that waits for a bidder", dutch, [], "The countdown starts when somebody joins"],
  ["a countdown", {}, [price(3, "bob", 20, 1)], ""],
  ["a warning", {}, [price(3, "bob", 20, 1), news(4, "going", { state: { going: "once" } })], "Going once"],
  ["the last round", {}, [price(3, "bob", 20, 1), news(4, "last", { text: "last round", state: { isLast: true } })], "Last round"],
  ["a pause", {}, [price(3, "bob", 20, 1), paused(4)], "Paused happened"],
  ["a sale", {}, [winner(3, "bob", 120)], "Sold"], ["the next lot after it", {}, [winner(3, "bob", 120), next(4, 4)],
    "Sold · next in 4 s: Clock"],
  ["the next lot after an unsold one", {}, [passed(3), next(4, 4)], "Unsold · next in 4 s: Clock"],
  ["the end", {}, [winner(3, "bob", 120), over(4)], "Over happened"],
  ["the end of the server", {}, [news(3, "stopped")], "Stopped happened"],
], (state, messages, text) => equal(callText(sale(state, ...messages), 0), text));

table("without a connection the page says so, and when it tries again", [
  ["live", "live", true, ""], ["at first", "connecting", false, "Connecting…"],
  ["lost", "lost", true, "Connection lost, reconnecting in 4 s"], ["trying", "connecting", true, "Connection lost, reconnecting…"],
  ["refused at first", "lost", false, "The server is full, next try in 4 s"], ["no such room", "gone", false, "This room is not open"],
], (phase, isKnown, text) => {
  equal(connectionText({ phase, reason: "the server is full", retryAt: 5_000 }, isKnown, 1_500), text);
});

table("the terms of a game are told to everybody", [
  ["none", { lots: null }, ""],
  ["private values", { lots: 10, purse: 1_200, worth: [50, 150] },
    "10 lots · you can spend 1,200 · each lot is worth 50 to 150 to you"],
  ["a common value", { lots: null, common: [50, 150], noise: 20 }, "each lot is worth 50 to 150, the same to all"],
  ["a purse", { lots: 1, purse: 200 }, "1 lot · you can spend 200"],
], (state, text) => equal(gameText(sale(state).state), text));

table("the rule of the open lot is told", [
  ["plain", {}, [], /highest bid wins/], ["Dutch", dutch, [], /^Sold as dutch$/], ["none is open", {}, [winner(3, "bob", 120)], /^$/],
], (state, messages, pattern) => equal(pattern.test(ruleText(sale(state, ...messages))), true));

/** What alice's page knows after these messages on a lot with these members of its state. */
function sale(state, ...messages) {
  const model = new Model();
  model.takeName("alice");
  for (const message of [hello, ...opening(state), ...messages]) {
    model.apply({ time: "2026-11-20T10:00:00.000Z", ...message }, 0);
  }
  return model;
}
