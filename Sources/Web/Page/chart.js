// The chart of one lot: the price as steps, bids per second as bars below, a line for each newcomer.
//
// What was drawn stays: new columns are added at the right. Everything is drawn again only when the
// scales, the size, the colours or the past change; `fullDraws` and `appends` count both.

import { clockText, grouped } from "./model.js";

/** Returns a step of 1, 2 or 5 times a power of ten, at least `least`. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999_999);
}

const family = "ui-sans-serif, 'Liberation Sans', Arial, sans-serif";

/** Draws a series on a canvas, over a second canvas with the grid and the labels. */
export class Chart {
  fullDraws = 0;
  appends = 0;

  #canvas;
  #back;
  #colors = () => ({});
  #series = null;
  #epoch = -1;
  #scale = null;
  /** How far the time, the steps, the joins and the bins are drawn. */
  #drawn = { x: 0, steps: 0, joins: 0, bins: 0 };
  #price = null;
  #labelEnd = -Infinity;
  #size = { width: 0, height: 0, ratio: 1 };

  /** `colors` returns the current colours, and the size of the font: see `chartColors`. */
  constructor(canvas, back, colors) {
    this.#canvas = canvas;
    this.#back = back;
    this.#colors = colors;
  }

  /** Makes the next update draw everything, as for another theme. */
  invalidate() {
    this.#epoch = -1;
  }

  /** Sets the size in CSS pixels. */
  resize(width, height, ratio) {
    const size = this.#size;
    if (size.width === width && size.height === height && size.ratio === ratio) return;
    this.#size = { width, height, ratio };
    this.invalidate();
  }

  /** The milliseconds that one column of pixels shows; the chart changes no faster. */
  get columnMilliseconds() {
    return this.#scale ? this.#scale.until / this.#scale.width : 250;
  }

  /** Draws what was added to the series up to `until`, in milliseconds since the lot opened. */
  update(series, until) {
    if (this.#size.width < 1 || this.#size.height < 1) return;
    const end = Math.max(until, series.end);
    if (series !== this.#series || series.epoch !== this.#epoch || !this.#fits(series, end)) {
      this.#begin(series, end);
    } else this.appends += 1;
    this.#append(series, end);
  }

  #fits(series, end) {
    const { until, low, high, rate } = this.#scale;
    if (end > until) return false;
    for (let index = this.#drawn.steps; index < series.steps.length; index += 1) {
      const price = series.steps[index].price;
      if (price !== null && (price < low || price > high)) return false;
    }
    for (let bin = this.#drawn.bins; bin < series.bins.length; bin += 1) {
      if (series.rate(bin) > rate) return false;
    }
    // Merged steps have lower indices.
    return this.#drawn.steps <= series.steps.length;
  }

  /** Chooses scales with room to grow, and draws the grid on an empty chart. */
  #begin(series, end) {
    this.fullDraws += 1;
    this.#series = series;
    this.#epoch = series.epoch;
    const { width, height, ratio } = this.#size;
    for (const canvas of [this.#canvas, this.#back]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    let until = 30_000;
    while (until < end * 1.05) until *= 2;
    const prices = series.steps.map((step) => step.price).filter((price) => price !== null);
    const lowest = prices.length ? prices.reduce((a, b) => Math.min(a, b)) : 0;
    const highest = prices.length ? prices.reduce((a, b) => Math.max(a, b)) : 0;
    const step = Math.max(1, niceStep(((highest - lowest) * 1.6) / 4));
    const low = Math.floor(lowest / step) * step;
    const rate = niceStep(Math.max(1, series.highestRate * 1.3));
    this.#scale = {
      until, low, step, high: low + 4 * step, rate, width: this.#canvas.width,
      top: Math.round(20 * ratio), bottom: Math.round((height * 0.68) * ratio),
      floor: Math.round((height - 20) * ratio),
    };
    this.#drawn = { x: 0, steps: 0, joins: 0, bins: 0 };
    this.#price = null;
    this.#labelEnd = -Infinity;
    this.#drawGrid();
    for (const gap of series.gaps) this.#drawGap(gap);
  }

  #x(at) {
    return Math.round((at / this.#scale.until) * this.#scale.width);
  }

  #y(price) {
    const { low, high, top, bottom } = this.#scale;
    return Math.round(bottom - ((price - low) / (high - low)) * (bottom - top));
  }

  #drawGrid() {
    const { ratio, width } = this.#size;
    const { low, step, bottom, floor, until, rate } = this.#scale;
    const { ink, line, font } = this.#colors();
    const pen = this.#back.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = `${font}px ${family}`;
    const rule = (y) => {
      pen.fillStyle = line;
      pen.fillRect(0, Math.round(y), width, 1);
      pen.fillStyle = ink;
    };
    for (let index = 0; index <= 4; index += 2) {
      const y = this.#y(low + index * step) / ratio;
      rule(y);
      if (this.#series.steps.length) pen.fillText(grouped(low + index * step), 2, y - 3);
    }
    rule(floor / ratio);
    pen.fillText(`${rate}/s`, 2, bottom / ratio + 14);
    pen.textAlign = "right";
    for (let part = 1; part <= 4; part += 1) {
      pen.fillText(clockText((until * part) / 4).slice(0, -2), (width * part) / 4 - 2,
        floor / ratio + 14);
    }
  }

  #drawGap({ from, to }) {
    const { top, floor } = this.#scale;
    const pen = this.#canvas.getContext("2d");
    const [left, right] = [this.#x(from), Math.max(this.#x(to), this.#x(from) + 2)];
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, floor - top);
    pen.clip();
    pen.strokeStyle = this.#colors().gap;
    pen.lineWidth = this.#size.ratio;
    pen.beginPath();
    const spacing = 8 * this.#size.ratio;
    for (let x = left - (floor - top); x < right; x += spacing) {
      pen.moveTo(x, floor);
      pen.lineTo(x + floor - top, top);
    }
    pen.stroke();
    pen.restore();
  }

  #append(series, end) {
    const pen = this.#canvas.getContext("2d");
    const colors = this.#colors();
    const drawn = this.#drawn;
    pen.fillStyle = colors.rate;
    const since = (drawn.bins - 1) * series.binMilliseconds;
    this.#appendRates(pen, series, end);
    // A bar that has grown may cover lines that were drawn before it.
    pen.fillStyle = colors.join;
    series.joins.forEach(({ at, name }, index) => {
      if (at >= since) this.#drawJoin(pen, this.#x(at), index < drawn.joins ? "" : name);
    });
    drawn.joins = series.joins.length;
    pen.fillStyle = colors.price;
    for (; drawn.steps < series.steps.length; drawn.steps += 1) {
      const step = series.steps[drawn.steps];
      const gap = series.gaps.find(({ to }) => to === step.at);
      if (gap) {
        this.#extend(pen, this.#x(gap.from));
        this.#price = null;
      }
      this.#extend(pen, this.#x(step.at));
      this.#climb(pen, step.price);
    }
    this.#extend(pen, this.#x(end));
  }

  /** Draws the bars of the rates; the one of the current second may still grow. */
  #appendRates(pen, series, end) {
    const { bottom, floor, rate } = this.#scale;
    const width = series.binMilliseconds;
    const last = Math.floor(end / width);
    const room = floor - bottom - 18 * this.#size.ratio;
    for (let bin = Math.max(0, this.#drawn.bins - 1); bin <= last; bin += 1) {
      const isMissing = series.gaps.some(({ from, to }) => {
        return from < bin * width && to > (bin + 1) * width;
      });
      const height = isMissing ? 0 : Math.round((series.rate(bin) / rate) * room);
      const left = this.#x(bin * width);
      const right = this.#x((bin + 1) * width);
      const inset = right - left > 4 * this.#size.ratio ? this.#size.ratio : 0;
      pen.fillRect(left, floor - height, Math.max(1, right - left - inset), height);
    }
    this.#drawn.bins = last + 1;
  }

  /** Draws a dashed line where somebody joined, with the name if there is room for it. */
  #drawJoin(pen, x, name) {
    const { top, floor } = this.#scale;
    const ratio = this.#size.ratio;
    for (let y = top; y < floor; y += 6 * ratio) pen.fillRect(x, y, ratio, 3 * ratio);
    pen.font = `${this.#colors().font * ratio}px ${family}`;
    const width = pen.measureText(name).width;
    const left = Math.min(x, this.#scale.width - width);
    if (!name || left < this.#labelEnd) return;
    pen.fillText(name, left, top - 5 * ratio);
    this.#labelEnd = left + width + 8 * ratio;
  }

  /** Draws the price as a level line to `x`. */
  #extend(pen, x) {
    const { x: from } = this.#drawn;
    if (x <= from) return;
    const thick = Math.round(2 * this.#size.ratio);
    if (this.#price !== null) {
      pen.fillRect(from, this.#y(this.#price) - thick / 2, x - from, thick);
    }
    this.#drawn.x = x;
  }

  #climb(pen, price) {
    const thick = Math.round(2 * this.#size.ratio);
    if (this.#price !== null && price !== null) {
      const [a, b] = [this.#y(this.#price), this.#y(price)];
      const top = Math.min(a, b) - thick / 2;
      pen.fillRect(this.#drawn.x - thick / 2, top, thick, Math.abs(a - b) + thick);
    }
    this.#price = price;
  }
}
