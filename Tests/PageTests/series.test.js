import { Series } from "/series.js";
import { equal, table, test } from "./testing.js";

test("a bid is a step at its own time", () => {
  const series = bids([1_200, 100], [3_400, 120]);
  equal(series.steps, [{ at: 1_200, price: 100, bid: 1, count: 1 }, { at: 3_400, price: 120, bid: 2, count: 2 }]);
  equal([series.end, series.isPartial], [3_400, false]);
});

test("a bid that is known already adds nothing", () => {
  const series = bids([1_000, 100], [2_000, 110]);
  series.addBid({ bid: 2, amount: 110, elapsed: 2_000 });
  series.addBid({ bid: 1, amount: 100, elapsed: 1_000 });
  equal([series.steps.length, series.rateAt(2_000)], [2, 0.4]);
});

table("the rate is of the 5 s that end now", [
  ["before the first bid", [], 0, 0],
  ["one bid", [1_000], 1_000, 0.2],
  ["ten at once", Array(10).fill(2_500), 2_500, 2],
  ["all in the window", [0, 1_000, 2_000, 3_000, 4_000], 4_500, 1],
  ["the oldest has left the window", [0, 1_000, 2_000, 3_000, 4_000], 5_500, 0.8],
  ["after a pause", [0, 1_000], 9_000, 0],
], (times, at, rate) => {
  const series = bids(...times.map((time, index) => [time, index + 1]));
  equal(series.rateAt(at), rate);
});

test("while bids are missing there is no price", () => {
  const series = bids([1_000, 100]);
  series.addBid({ bid: 5, amount: 200, elapsed: 9_000 });
  equal(series.steps.map(({ at, price }) => [at, price]), [[1_000, 100], [1_000, null], [9_000, 200]]);
  equal(series.isPartial, true);
});

test("the list of bids has those that are missing", () => {
  const series = bids([1_000, 100]);
  series.addBid({ bid: 3, amount: 120, elapsed: 3_000 });
  series.load([[1, 100, 1_000], [2, 110, 2_000], [3, 120, 3_000]].map(lap));
  equal(series.steps.map((step) => [step.at, step.price]), [[1_000, 100], [2_000, 110], [3_000, 120]]);
  equal([series.isPartial, series.rateAt(3_000)], [false, 0.6]);
});

test("a list that has not all of them is taken as it is", () => {
  const series = bids([1_000, 100]);
  series.load([[3, 120, 3_000], [4, 130, 4_000]].map(lap));
  equal([series.isPartial, series.steps.map(({ price }) => price)], [true, [100, null, 120, 130]]);
});

test("a list of known bids changes nothing", () => {
  const series = bids([1_000, 100], [2_000, 110]);
  series.load([[1, 100, 1_000], [2, 110, 2_000]].map(lap));
  equal([series.steps.length, series.rateAt(2_000)], [2, 0.4]);
});

test("somebody who joins is shown at the time of the event", () => {
  const series = bids([1_000, 100]);
  series.addJoin(2_500, "zoe");
  equal([series.joins, series.end], [[{ at: 2_500, name: "zoe" }], 2_500]);
});

test("a void lets the price fall, and its number is used again", () => {
  const series = bids([1_000, 100], [2_000, 200]);
  series.void(3_000, 2, 100);
  series.addBid({ bid: 2, amount: 150, elapsed: 4_000 });
  equal(series.steps.map((step) => [step.at, step.price]), [[1_000, 100], [2_000, 200], [3_000, 100], [4_000, 150]]);
  equal(series.isPartial, false);
});

test("a void of the only bid leaves no price, and the next bid is number 1", () => {
  const series = bids([1_000, 100]);
  series.void(2_000, 1, null);
  series.addBid({ bid: 1, amount: 50, elapsed: 3_000 });
  equal([series.steps.at(-1).price, series.isPartial], [50, false]);
});

test("what is kept is bounded, and keeps the first and the newest price", () => {
  const series = new Series();
  for (let bid = 1; bid <= 20_000; bid += 1) {
    series.addBid({ bid, amount: bid, elapsed: bid * 500 });
    series.addJoin(bid * 500, "zoe");
  }
  equal(series.steps.length <= 8_192 && series.joins.length <= 256, true);
  equal([series.steps.at(-1).price, series.end], [20_000, 10_000_000]);
  equal(series.steps.at(-1).count, 20_000, "the number of bids");
  for (const at of [1_000_000, 5_000_000, 9_999_000]) {
    equal(Math.abs(series.rateAt(at) - 2) <= 0.5, true, `${series.rateAt(at)} bids a second`);
  }
  equal(Math.abs(series.highestRate - 2) <= 0.5, true, `at most ${series.highestRate}`);
});

test("times never run backwards", () => {
  const series = bids([2_000, 100], [1_000, 110]);
  equal(series.steps.map((step) => step.at), [2_000, 2_000]);
});

/** A series with these bids: the time and the amount of each. */
function bids(...pairs) {
  const series = new Series();
  pairs.forEach(([elapsed, amount], index) => series.addBid({ bid: index + 1, amount, elapsed }));
  return series;
}

function lap([bid, amount, elapsed]) {
  return { bid, amount, elapsed };
}
