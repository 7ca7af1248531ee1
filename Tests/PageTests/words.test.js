import { Model } from "/model.js";
import {
  ageText, callText, championText, clockText, connectionText, counted, gameText, grouped, nameComplaint, reserveText, ruleText,
  sameName, signed, standingText, termsTexts, worthTexts,
} from "/words.js";
import { equal, table, test } from "./testing.js";

const second = 1_000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

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

table("the terms of a lot are told, and a plain English one has none", [
  ["plain", {}, []], ["English", { format: "english" }, []], ["Dutch", { format: "dutch" }, [/price falls/]],
  ["sealed", { format: "sealed" }, [/pays its amount/]], ["Vickrey", { format: "vickrey" }, [/second-highest/]],
  ["the longest time", { format: "english", longest: 60 }, [/60 seconds/]],
  ["a kind of the future", { format: "constructor" }, []],
], (terms, patterns) => {
  const texts = termsTexts(sale(terms.format && { type: "terms", ...terms }));
  equal([texts.length, texts.every((text, index) => patterns[index].test(text))], [patterns.length, true]);
});

table("a reserve is met or not yet, and stays secret", [
  ["none", [], ""], ["not yet", [terms("english", { reserve: true })], "Reserve not met yet"],
  ["met", [terms("english", { reserve: true }), { type: "reserve", content: "met" }], "Reserve met"],
  ["of sealed bids", [terms("sealed", { reserve: true })], "There is a reserve"],
], (messages, text) => equal(reserveText(sale(...messages)), text));

table("a bidder reads what is at stake", [
  ["no value", [price("bob", 100)], ["", ""]],
  ["a value", [worth(143), price("bob", 120)], ["Your private value: 143", "+23 at 120"]],
  ["a loss", [worth(100), price("bob", 120)], ["Your private value: 100", "−20 at 120"]],
  ["an estimate", [worth(128, true), price("bob", 120)], ["Your private estimate: about 128", "perhaps +8 at 120"]],
  ["a Dutch price", [terms("dutch"), ask(900), worth(828)], ["Your private value: 828", "−72 at 900"]],
  ["no sealed bid yet", [terms("sealed"), worth(143)], ["Your private value: 143", ""]],
  ["a sealed bid", [terms("sealed"), worth(143), yours(120)], ["Your private value: 143", "+23 if you win"]],
  ["a sealed bid of a Vickrey auction", [terms("vickrey"), worth(143), yours(140)],
    ["Your private value: 143", "at least +3 if you win"]],
  ["a lot that is won", [worth(143), winner("alice", 120)], ["Your private value: 143", "You earn +23"]],
  ["an estimate of a lot that is won", [worth(128, true), winner("alice", 120)],
    ["Your private estimate: about 128", "You earn perhaps +8"]],
  ["another's lot", [worth(143), winner("bob", 120)], ["Your private value: 143", ""]],
  ["the true value of another's lot", [worth(128, true), winner("bob", 120), { type: "value", value: 117 }],
    ["Your private estimate: about 128 · True value: 117", "bob earns −3"]],
], (messages, texts) => equal(worthTexts(sale(...messages)), texts));

table("a bidder reads how the lot stands", [
  ["a bid", [price("bob", 100)], "bob leads with 100"],
  ["a bid that is the highest", [{ ...price("bob", 1e12), minimum: undefined }],
    "bob leads with 1,000,000,000,000 – the price can rise no more"],
  ["outbid for good", [price("alice", 100), { ...price("bob", 1e12), bid: 2, minimum: undefined }],
    "Outbid by bob at 1,000,000,000,000 – the price can rise no more"],
  ["a Dutch lot", [terms("dutch"), ask(900)], "The first to take it wins"],
  ["no sealed bid", [terms("sealed")], "Bid in secret: you have no bid yet"],
  ["a sealed bid", [terms("sealed"), yours(1_200)], "Your sealed bid: 1,200 – you can replace it"],
  ["a reserve that was missed", [{ type: "passed", lot: 1, content: "Vase", text: "Vase is unsold: the reserve was not met" }],
    "Vase is unsold: the reserve was not met"],
  ["the highest sealed bid", [terms("sealed"), revealed("bob", 120), winner("bob", 120)], "Sold to bob"],
  ["the second price", [terms("vickrey"), revealed("alice", 140), revealed("bob", 120), winner("alice", 120)],
    "You have won it for 120, the second-highest bid"],
  ["a single bid", [terms("vickrey"), revealed("alice", 140), winner("alice", 10)],
    "You have won it for 10, the lowest possible price"],
  ["a purchase among sealed bids", [terms("vickrey"), revealed("bob", 120), winner("alice", 500)],
    "You have won it for 500"],
], (messages, text) => equal(standingText(sale(...messages)), text));

test("a lot that nobody may bid on yet says what it waits for", () => {
  equal(callText(sale(), 0), "The first bid starts the countdown");
  equal(callText(sale(terms("dutch")), 0), "The countdown starts when somebody joins");
});

test("the end of a lot is told beside what comes next", () => {
  const next = { type: "next", seconds: 4, content: "Clock" };
  equal(callText(sale(winner("bob", 120), next), 0), "Sold · next in 4 s: Clock");
  equal(callText(sale({ type: "passed", lot: 1, content: "Vase", text: "Vase is unsold: nobody bid" }, next), 0), "Unsold · next in 4 s: Clock");
});

table("without a connection the page says so, and when it tries again", [
  ["live", "live", true, ""], ["at first", "connecting", false, "Connecting…"],
  ["lost", "lost", true, "Connection lost, reconnecting in 4 s"], ["trying", "connecting", true, "Connection lost, reconnecting…"],
  ["refused at first", "lost", false, "The server is full, next try in 4 s"], ["no such room", "gone", false, "This room is not open"],
], (phase, isKnown, text) => {
  equal(connectionText({ phase, reason: "the server is full", retryAt: 5_000 }, isKnown, 1_500), text);
});

table("the terms of a game are told to everybody", [
  ["none", [], ""],
  ["private values", [{ type: "game", lots: 10, purse: 1_200, worth: [50, 150] }],
    "10 lots · you can spend 1,200 · each lot is worth 50 to 150 to you"],
  ["a common value", [{ type: "game", common: [50, 150], noise: 20 }], "each lot is worth 50 to 150, the same to all"],
  ["a purse", [{ type: "game", lots: 1, purse: 200 }], "1 lot · you can spend 200"],
], (messages, text) => equal(gameText(sale(...messages)), text));

table("the rule of each format is told", [
  ["plain", [], /highest bid wins/], ["Dutch", [terms("dutch")], /first|falls/], ["sealed", [terms("sealed")], /highest wins/],
  ["Vickrey", [terms("vickrey")], /second-highest/], ["of the future", [terms("constructor")], /^$/],
  ["none is open", [winner("bob", 120)], /^$/],
], (messages, pattern) => equal(pattern.test(ruleText(sale(...messages))), true));

table("a text that is no name has a complaint that says which letters", [
  ["a name", "Zoe_1-x", /^$/], ["a letter with dots", "Zoë", /a to z.* no “ë”$/], ["two", "Zoë é", /no “ë” or spaces or “é”$/],
  ["in two parts", "Zoe\u0308", /no “ë”$/], ["a picture", "zoe👏", /no “👏”$/], ["nothing", "", /^Type a name$/],
  ["too long", "a".repeat(25), /at most 24/],
], (text, pattern) => equal(pattern.test(nameComplaint(text)), true, nameComplaint(text)));

table("champions are told with their profit, or without values with their lots", [
  ["nobody", [], ""], ["lots", [champion("bob", 2)], "Champion: bob, with 2 lots"],
  ["a profit", [worth(143), champion("bob", 37)], "Champion: bob, with a profit of +37"],
  ["a tie", [champion("Alice", 1), champion("bob", 1), champion("bob", 1)], "Champion: you and bob, with 1 lot"],
], (messages, text) => equal(championText(sale({ type: "over", lots: 2 }, ...messages)), text));

function terms(format, more = {}) {
  return { type: "terms", format, seconds: 20, start: 10, step: 5, ...more };
}

function ask(amount) {
  return { type: "ask", amount, remainingMilliseconds: 9_000 };
}

function worth(amount, isEstimate) {
  return { type: "worth", amount, isEstimate };
}

function yours(amount) {
  return { type: "yours", amount };
}

function revealed(bidder, amount) {
  return { type: "revealed", bidder, amount };
}

function champion(bidder, score) {
  return { type: "champion", bidder, score };
}

function winner(bidder, amount) {
  return { type: "winner", bidder, amount, title: "Vase", lot: 1, elapsedMilliseconds: 9_000 };
}

function price(bidder, amount) {
  return { type: "price", bidder, amount, bid: 1, lot: 1, elapsedMilliseconds: 1_000, remainingMilliseconds: 7_000,
    minimum: amount + 5 };
}

/** What alice's page knows after these messages on a lot that starts at 10. */
function sale(...messages) {
  const model = new Model();
  model.takeName("alice");
  const begin = [{ type: "hello", seconds: 7, step: 5, game: "k3v9" },
    { type: "lot", lot: 1, content: "Vase", start: 10, elapsedMilliseconds: 0, minimum: 10, maximum: 1e12 }];
  for (const message of [...begin, ...messages].filter(Boolean)) {
    model.apply({ time: "2026-11-20T10:00:00.000Z", ...message }, 0);
  }
  return model;
}
