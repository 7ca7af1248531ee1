import { Chart } from "/chart.js";
import { Series } from "/series.js";
import { equal, test } from "./testing.js";

const [width, height] = [600, 240];
const colors = { price: "#00f", rate: "#080", join: "#f0f", gap: "#888", ink: "#000", line: "#ccc", font: 12 };

test("the price is drawn up to now, and nothing behind it", () => {
  const { chart, series, canvas } = start();
  chart.draw(series, 15_000);
  const early = pixels(canvas);
  equal(columns(early, [0, 0, 255]).at(-1) < 0.6 * width, true, "the price is drawn too far");
  chart.draw(series, 28_000);
  equal(columns(pixels(canvas), [0, 0, 255]).at(-1) > 0.9 * width, true, "the price is not drawn to the end");
  chart.draw(series, 15_000);
  equal(pixels(canvas).every((value, index) => value === early[index]), true, "what was drawn before is still there");
});

test("the price is interrupted where bids were missed", () => {
  const { chart, series, canvas } = start();
  series.addBid({ bid: 20, amount: 210, elapsed: 20_000 });
  chart.draw(series, 25_000);
  const priced = columns(pixels(canvas), [0, 0, 255]);
  const widest = Math.max(...priced.slice(1).map((column, index) => column - priced[index]));
  equal(widest > 0.4 * width, true, `the widest interruption has ${widest} pixels`);
});

test("labels are beside the plot, and times are whole seconds", () => {
  const { chart, series, labels } = start();
  series.addBid({ bid: 12, amount: 8_000_000, elapsed: 16_000 });
  series.addJoin(0, "alice");
  chart.draw(series, 16_000);
  equal(labels.filter(({ text }) => text.includes(":")).map(({ text }) => text), ["00:10", "00:20", "00:30"]);
  const [prices, names] = [labels.filter(({ text }) => /^[\d,]+$/.test(text)), labels.filter(({ text }) => text === "alice")];
  equal(prices.length, 3);
  equal(prices.every(({ align, x }) => align === "right" && x < names[0].x), true, "a price is on the plot");
});

test("a price that falls has no bids per second", () => {
  const { chart, series, canvas, labels } = start(0);
  series.addAsk(0, 900);
  series.addAsk(5_000, 880);
  series.addBid({ bid: 1, amount: 880, elapsed: 6_000 });
  chart.draw(series, 7_000);
  equal([columns(pixels(canvas), [0, 136, 0]), labels.some(({ text }) => text.includes("/s"))], [[], false]);
});

test("nothing is drawn without room, or before a bid", () => {
  const { chart, canvas } = start();
  canvas.style.display = "none";
  chart.draw(new Series(), 0);
  equal(pixels(canvas).some((value) => value !== 0), false, "a pixel of a chart without room");
  canvas.style.display = "";
  chart.draw(new Series(), 1_000);
  equal(columns(pixels(canvas), [0, 0, 255]), [], "a price without a bid");
});

/** A chart of eleven bids in the first seconds, from 100 to 200, or of fewer; and the labels that are drawn. */
function start(bids = 11) {
  const canvas = document.createElement("canvas");
  [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  document.body.append(canvas);
  const chart = new Chart(canvas, () => colors), series = new Series();
  const labels = [], pen = canvas.getContext("2d"), write = pen.fillText.bind(pen);
  pen.fillText = (text, x, y) => {
    labels.push({ text, x, align: pen.textAlign });
    write(text, x, y);
  };
  for (let bid = 1; bid <= bids; bid += 1) series.addBid({ bid, amount: 90 + 10 * bid, elapsed: 300 * bid });
  return { chart, series, canvas, labels };
}

function pixels(canvas) {
  return canvas.getContext("2d").getImageData(0, 0, width, height).data;
}

/** The columns that have a pixel of this colour, from the left. */
function columns(data, [red, green, blue]) {
  const found = new Set();
  for (let index = 0; index < data.length; index += 4) {
    if (data[index] === red && data[index + 1] === green && data[index + 2] === blue && data[index + 3] === 255) {
      found.add((index / 4) % width);
    }
  }
  return [...found].sort((a, b) => a - b);
}
