import { Chart } from "/chart.js";
import { Series } from "/series.js";
import { equal, table, test } from "./testing.js";

const [width, height] = [600, 240];
const nobody = () => false;
const colors = { price: "#00f", mine: "#f00", rate: "#080", join: "#f0f", ink: "#000", font: 12 };

table("new data does not change the older part of the chart", [
  ["a bid", (series) => series.addBid({ bid: 12, amount: 210, elapsed: 20_000 })],
  ["somebody who joins", (series) => series.addJoin(20_000, "zoe")],
  ["a void", (series) => series.void(20_000, 11, 190)],
  ["time", () => {}],
], (change) => {
  const { chart, series, pixels } = start();
  chart.draw(series, 15_000, nobody);
  const before = pixels(), old = Math.floor((14_000 / 30_000) * width);
  change(series);
  chart.draw(series, 20_000, nobody);
  equal(differences(before, pixels(), 0, old), 0, "changed pixels of the old part");
  equal(differences(before, pixels(), old, width) > 0, true, "the new part changed");
});

table("the scales grow with the data", [
  ["a high price", (series) => series.addBid({ bid: 12, amount: 900, elapsed: 16_000 }), "2,000"],
  ["a later time", (series) => series.addBid({ bid: 12, amount: 210, elapsed: 40_000 }), "0:40"],
  ["many bids", (series) => {
    for (let bid = 12; bid < 112; bid += 1) series.addBid({ bid, amount: 201, elapsed: 16_000 });
  }, "50/s"],
], (change, label) => {
  const { chart, series, labels } = start();
  change(series);
  chart.draw(series, 16_000, nobody);
  equal(labels.some(({ text }) => text === label), true, labels.map(({ text }) => text).join(" "));
});

test("loading the missing bids draws the price across their gap", () => {
  const { chart, series, pixels } = start(1);
  series.addBid({ bid: 9, amount: 100, elapsed: 20_000 });
  chart.draw(series, 25_000, nobody);
  const gap = pixels();
  series.load(Array.from({ length: 9 }, (_, index) => ({ bid: index + 1, amount: 100, elapsed: 300 + 2_400 * index })));
  chart.draw(series, 25_000, nobody);
  equal(differences(gap, pixels(), 100, 400) > 300, true);
});

test("labels are beside the plot, and times are whole seconds", () => {
  const { chart, series, labels } = start();
  series.addBid({ bid: 12, amount: 8_000_000, elapsed: 16_000 });
  series.addJoin(0, "alice");
  chart.draw(series, 16_000, nobody);
  equal(labels.filter(({ text }) => text.includes(":")).map(({ text }) => text), ["0:10", "0:20", "0:30"]);
  const [prices, names] = [labels.filter(({ text }) => /^[\d,]+$/.test(text)), labels.filter(({ text }) => text === "alice")];
  equal(prices.length, 3);
  equal(prices.every(({ align, x }) => align === "right" && x < names[0].x), true, "a price is on the plot");
});

test("a falling-price chart has no bids-per-second scale", () => {
  const { chart, series, labels } = start(0);
  series.addAsk(0, 900);
  series.addAsk(5_000, 880);
  series.addBid({ bid: 1, amount: 880, elapsed: 6_000 });
  chart.draw(series, 7_000, nobody);
  equal(labels.filter(({ text }) => text.endsWith("/s")), []);
});

test("one's own bids are dots", () => {
  const { chart, series, pixels } = start();
  chart.draw(series, 16_000, nobody);
  const before = pixels();
  chart.draw(series, 16_000, ({ bid }) => bid === 5);
  equal(differences(before, pixels(), 0, width) > 100, true);
});

test("there is no scale of bids per second while bids are rare", () => {
  const { chart, series, labels } = start(3);
  chart.draw(series, 7_000, nobody);
  equal(labels.filter(({ text }) => text.endsWith("/s")), []);
});

test("names of two who join at once share a label", () => {
  const { chart, series, labels } = start(0);
  series.addJoin(5_000, "bob");
  series.addJoin(5_700, "zoe");
  series.addJoin(15_000, "kim");
  chart.draw(series, 20_000, nobody);
  equal(labels.map(({ text }) => text).filter((text) => /[a-z]/.test(text)), ["bob, zoe", "kim"]);
});

test("of many names a few are drawn", () => {
  const { chart, series, labels } = start(0);
  for (let at = 0; at < 20_000; at += 100) series.addJoin(at, `bidder-${at}`);
  chart.draw(series, 20_000, nobody);
  equal(labels.filter(({ text }) => text.startsWith("bidder")).length < 10, true);
});

test("a chart of no size has no labels, and one without bids has no price labels", () => {
  const { chart, labels } = start(0);
  chart.resize(0, 0, 1);
  chart.draw(new Series(), 0, nobody);
  equal(labels, []);
  chart.resize(width, height, 1);
  chart.draw(new Series(), 1_000, nobody);
  equal(labels.map(({ text }) => text), ["0:10", "0:20", "0:30"]);
});

/** A chart of eleven bids in the first seconds, from 100 to 200, or of fewer; its pixels, and what is written on it. */
function start(bids = 11) {
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d"), labels = [], write = pen.fillText.bind(pen);
  const chart = new Chart(canvas, () => colors), series = new Series();
  pen.fillText = (text, x, y) => {
    labels.push({ text, x, align: pen.textAlign });
    write(text, x, y);
  };
  chart.resize(width, height, 1);
  for (let bid = 1; bid <= bids; bid += 1) series.addBid({ bid, amount: 90 + 10 * bid, elapsed: 300 * bid });
  return { chart, series, labels, pixels: () => pen.getImageData(0, 0, width, height).data };
}

/** How many values differ in these columns. */
function differences(a, b, left, right) {
  let count = 0;
  for (let index = 0; index < a.length; index += 1) {
    const column = Math.floor(index / 4) % width;
    if (column >= left && column < right && a[index] !== b[index]) count += 1;
  }
  return count;
}
