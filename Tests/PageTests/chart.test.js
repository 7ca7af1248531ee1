import { Chart } from "/chart.js";
import { Series } from "/series.js";
import { equal, table, test } from "./testing.js";

const [width, height] = [600, 240];
const colors = { price: "#00f", rate: "#080", join: "#f0f", gap: "#888", ink: "#000", line: "#ccc", font: 12 };

table("what is added is drawn beside what was drawn, which stays", [
  ["a bid", (series) => series.addBid({ bid: 12, amount: 210, elapsed: 20_000 }), 20_000],
  ["somebody who joins", (series) => series.addJoin(20_000, "zoe"), 20_000],
  ["a void", (series) => series.void(20_000, 11, 190), 20_000],
  ["time", () => {}, 20_000],
], (add, until) => {
  const { chart, series, canvas } = start();
  chart.update(series, 15_000);
  const before = pixels(canvas), old = Math.floor((14_000 / 30_000) * width);
  add(series);
  chart.update(series, until);
  const after = pixels(canvas);
  equal(chart.fullDraws, 1);
  equal(differences(before, after, 0, old), 0, "changed pixels of the old part");
  equal(differences(before, after, old, width) > 0, true, "the new part changed");
});

test("drawn in a hundred parts it looks the same as drawn at once", () => {
  const { chart, series, canvas } = start();
  chart.update(series, 5_000);
  for (let at = 5_250; at <= 28_000; at += 250) {
    if (at % 2_000 === 0) series.addBid({ bid: series.steps.at(-1).bid + 1, amount: 100 + at % 7, elapsed: at });
    chart.update(series, at);
  }
  const parts = pixels(canvas);
  equal(chart.fullDraws, 1);
  chart.invalidate();
  chart.update(series, 28_000);
  equal(differences(parts, pixels(canvas), 0, width), 0, "different pixels");
});

table("everything is drawn again when the old part is wrong", [
  ["a price above the scale", (series) => series.addBid({ bid: 12, amount: 900, elapsed: 16_000 })],
  ["a time behind the scale", (series) => series.addBid({ bid: 12, amount: 210, elapsed: 40_000 })],
  ["a rate above the scale", (series) => {
    for (let bid = 12; bid < 112; bid += 1) series.addBid({ bid, amount: 201, elapsed: 16_000 });
  }],
  ["bids that were missing", (series) => series.load([[1, 100, 500], [2, 150, 700], [3, 160, 900]].map(
    ([bid, amount, elapsed]) => ({ bid, amount, elapsed })))],
  ["another size", (_, chart) => chart.resize(500, height, 1)],
  ["other colours", (_, chart) => chart.invalidate()],
], (change) => {
  const { chart, series } = start();
  chart.update(series, 15_000);
  series.gaps.push({ from: 0, to: 100_000 });
  change(series, chart);
  chart.update(series, 16_000);
  equal(chart.fullDraws, 2);
});

test("labels are beside the plot, and times are whole seconds", () => {
  const { chart, series, labels } = start();
  series.addBid({ bid: 12, amount: 8_000_000, elapsed: 16_000 });
  series.addJoin(0, "alice");
  chart.update(series, 16_000);
  equal(labels.filter(({ text }) => text.includes(":")).map(({ text }) => text), ["00:10", "00:20", "00:30"]);
  const [prices, names] = [labels.filter(({ text }) => /^[\d,]+$/.test(text)), labels.filter(({ text }) => text === "alice")];
  equal(prices.length, 3);
  equal(prices.every(({ align, x }) => align === "right" && x < names[0].x), true, "a price is on the plot");
});

test("a price that falls has no bids per second", () => {
  const { chart, series, count } = start(0);
  chart.update(series, 1_000);
  series.addAsk(0, 900);
  series.addAsk(5_000, 880);
  series.addBid({ bid: 1, amount: 880, elapsed: 6_000 });
  const before = count();
  chart.update(series, 7_000);
  equal([chart.fullDraws, series.isFalling], [2, true]);
  equal(count() - before <= 6, true, `${count() - before} rectangles`);
});

test("another lot is another chart", () => {
  const { chart, series } = start();
  chart.update(series, 15_000);
  chart.update(new Series(), 0);
  equal(chart.fullDraws, 2);
});

test("a thousand bids a second draw each bid once", () => {
  const { chart, series, count } = start();
  for (let bid = 12; bid < 3_012; bid += 1) series.addBid({ bid, amount: bid + 200, elapsed: 2_000 + bid });
  chart.update(series, 6_000);
  const before = count();
  for (let bid = 3_012; bid < 3_028; bid += 1) series.addBid({ bid, amount: bid + 200, elapsed: 6_001 });
  chart.update(series, 6_016);
  equal(count() - before < 16 * 4, true, `${count() - before} rectangles for 16 bids`);
});

test("nothing is drawn without room, or before a bid", () => {
  const { chart, canvas } = start();
  chart.resize(0, 0, 1);
  chart.update(new Series(), 0);
  equal(chart.fullDraws, 0);
  chart.resize(width, height, 1);
  chart.update(new Series(), 1_000);
  equal(pixels(canvas).some((value) => value !== 0), false, "a pixel of a chart without bids");
});

/** A chart of eleven bids in the first seconds, from 100 to 200, or of fewer; and what is counted and written. */
function start(bids = 11) {
  const [canvas, back] = [document.createElement("canvas"), document.createElement("canvas")];
  const chart = new Chart(canvas, back, () => colors), series = new Series();
  let rectangles = 0;
  const pen = canvas.getContext("2d"), fill = pen.fillRect.bind(pen);
  pen.fillRect = (...words) => {
    rectangles += 1;
    fill(...words);
  };
  const labels = [], paper = back.getContext("2d"), write = paper.fillText.bind(paper);
  paper.fillText = (text, x, y) => {
    labels.push({ text, x, align: paper.textAlign });
    write(text, x, y);
  };
  chart.resize(width, height, 1);
  for (let bid = 1; bid <= bids; bid += 1) series.addBid({ bid, amount: 90 + 10 * bid, elapsed: 300 * bid });
  return { chart, series, canvas, labels, count: () => rectangles };
}

function pixels(canvas) {
  return canvas.getContext("2d").getImageData(0, 0, width, height).data;
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
