import { Model } from "/model.js";
import {
  ageText, callText, clockText, connectionText, counted, gameText, grouped, lotText, newsText, plainName, reserveText, ruleText, sameName,
  sentence, signed, standingText, worthTexts,
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
  ["none", 0, "no laps"], ["one", 1, "1 lap"], ["some", 3, "3 laps"], ["many", 1_200, "1,200 laps"],
], (count, text) => equal(counted(count, "lap"), text));

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

table("a reserve is met or not yet, and stays secret", [
  ["none", {}, [], ""], ["not yet", { reserve: "unmet" }, [], "Reserve not met yet"],
  ["met", { reserve: "met" }, [], "Reserve met"], ["of sealed bids", { format: "sealed", reserve: "unmet" }, [], "There is a reserve"],
  ["missed", { reserve: "unmet" }, [passed(3)], ""],
], (state, messages, text) => equal(reserveText(sale(state, ...messages)), text));

const [dutch, sealed, vickrey] = ["dutch", "sealed", "vickrey"].map((format) => ({ format }));
const worth = (amount, isEstimate = false) => you({ worth: amount, isEstimate });

table("a bidder reads what is at stake", [
  ["no value", {}, [price(3, "bob", 100, 1)], ["", ""]],
  ["a value", {}, [worth(143), price(3, "bob", 120, 1)], ["Your private value: 143", "+23 at 120"]],
  ["a loss", {}, [worth(100), price(3, "bob", 120, 1)], ["Your private value: 100", "−20 at 120"]],
  ["an estimate", {}, [worth(128, true), price(3, "bob", 120, 1)], ["Your private estimate: about 128", "perhaps +8 at 120"]],
  ["a Dutch price", dutch, [ask(3, 900), worth(828)], ["Your private value: 828", "−72 at 900"]],
  ["no sealed bid yet", sealed, [worth(143)], ["Your private value: 143", ""]],
  ["a sealed bid", sealed, [worth(143), you({ sealed: 120 })], ["Your private value: 143", "+23 if you win"]],
  ["a sealed bid of a Vickrey auction", vickrey, [worth(143), you({ sealed: 140 })],
    ["Your private value: 143", "at least +3 if you win"]],
  ["a lot that is won", {}, [worth(143), winner(3, "alice", 120)], ["Your private value: 143", "You earn +23"]],
  ["an estimate of a lot that is won", {}, [worth(128, true), winner(3, "alice", 120)],
    ["Your private estimate: about 128", "You earn perhaps +8"]],
  ["another's lot", {}, [worth(143), winner(3, "bob", 120)], ["Your private value: 143", ""]],
  ["the true value of another's lot", {}, [worth(128, true), winner(3, "bob", 120), news(4, "value", { value: 117 })],
    ["Your private estimate: about 128 · True value: 117", "bob earns −3"]],
], (state, messages, texts) => equal(worthTexts(sale(state, ...messages)), texts));

const highest = { minimum: null };
table("a bidder reads how the lot stands", [
  ["a bid", {}, [price(3, "bob", 100, 1)], "bob leads with 100"],
  ["outbid", {}, [price(3, "alice", 100, 1), price(4, "bob", 1_000, 2)], "Outbid by bob at 1,000 – bid\u00a01,005"],
  ["a bid that is the highest", {}, [price(3, "bob", 1e12, 1, highest)],
    "bob leads with 1,000,000,000,000 – the price can rise no more"],
  ["outbid for good", {}, [price(3, "alice", 100, 1), price(4, "bob", 1e12, 2, highest)],
    "Outbid by bob at 1,000,000,000,000 – the price can rise no more"],
  ["a Dutch lot", dutch, [ask(3, 900)], "The first to take it wins"],
  ["no sealed bid", sealed, [], "Bid in secret: you have no bid yet"],
  ["a sealed bid", sealed, [you({ sealed: 1_200 })], "Your sealed bid: 1,200 – you can replace it"],
  ["a lot that was not sold", {}, [passed(3)], "Vase is unsold: nobody bid"],
  ["another's lot", sealed, [revealed(3, "bob", 120), winner(4, "bob", 120)], "bob has won Vase for 120"],
  ["the second price", vickrey, [revealed(3, "alice", 140), revealed(4, "bob", 120), winner(5, "alice", 120)],
    "You have won it for 120, with a bid of 140"],
  ["the second price of another's lot", vickrey, [revealed(3, "bob", 140), winner(5, "bob", 10)],
    "bob has won Vase for 10, with a bid of 140"],
  ["a lot that everybody pays for", { format: "allpay" },
    [revealed(3, "bob", 120), revealed(4, "alice", 90), winner(5, "bob", 120), you({ paid: 90 })],
    "bob has won Vase for 120, and you pay 90"],
  ["a purchase among sealed bids", vickrey, [revealed(3, "bob", 120), winner(4, "alice", 500)], "You have won it for 500"],
], (state, messages, text) => equal(standingText(sale(state, ...messages)), text));

table("a bidder reads what happens with the countdown", [
  ["a lot that waits for a bid", {}, [], "The first bid starts the countdown"],
  ["a lot that waits for a bidder", dutch, [], "The countdown starts when somebody joins"],
  ["a countdown", {}, [price(3, "bob", 20, 1)], "Time left"],
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
