// The chart of one lot: the price as steps, bids per second as bars below, a line for each newcomer.
//
// What was drawn stays: new columns are added at the right. Everything is drawn again only when the
// scales, the size, the colours or the past change.

import { clockText, grouped } from "./words.js";

// Returns a step of 1, 2 or 5 times a power of ten, at least `least`.
function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999_999);
}

// Draws on a canvas, over a second one with the grid, the labels and the joins.
export class Chart {
	fullDraws = 0;

	#front; #back; #readColors; #colors;
	#series = null;
	#epoch = 0;
	#scale = null;
	#size = { width: 0, height: 0, ratio: 1 };
	// How far the price is drawn, and which steps, joins and bars.
	#drawn = null;

	// `readColors` returns the colours `price`, `rate`, `join`, `gap` and `ink`, and the `font`.
	constructor(front, back, readColors) {
		[this.#front, this.#back, this.#readColors] = [front, back, readColors];
	}

	invalidate() {
		this.#series = null;
	}

	resize(width, height, ratio) {
		this.#size = { width, height, ratio };
		this.invalidate();
	}

	// Draws what was added to the series up to `until`, in milliseconds since the lot opened.
	update(series, until) {
		if (this.#size.width < 1 || this.#size.height < 1) return;
		const end = Math.max(until, series.end);
		const isSame = series === this.#series && series.epoch === this.#epoch;
		if (!isSame || !this.#fits(series, end)) this.#begin(series, end);
		this.#drawJoins(series);
		this.#drawRates(series, end);
		this.#drawPrices(series, end);
	}

	#fits(series, end) {
		const { until, low, high, rate } = this.#scale;
		return end <= until && series.highestRate <= rate &&
			series.steps.slice(this.#drawn.steps)
				.every(({ price }) => price === null || (price >= low && price <= high));
	}

	// Chooses scales with room to grow, and draws the grid on an empty chart.
	#begin(series, end) {
		const { width, height, ratio } = this.#size;
		this.fullDraws += 1;
		this.#series = series;
		this.#epoch = series.epoch;
		this.#colors = this.#readColors();
		for (const canvas of [this.#front, this.#back]) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
			const pen = canvas.getContext("2d");
			pen.scale(ratio, ratio);
			pen.font = `${this.#colors.font}px ui-sans-serif, "Liberation Sans", Arial, sans-serif`;
		}
		let until = 30_000;
		while (until < end * 1.05) until *= 2;
		const prices = series.steps.map((step) => step.price).filter((price) => price !== null);
		if (prices.length === 0) prices.push(0);
		const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
		const step = niceStep(Math.max(1, (highest - lowest) * 0.4));
		const low = Math.floor(lowest / step) * step;
		const [floor, high] = [height - 20, low + 4 * step];
		const rate = niceStep(Math.max(1, series.highestRate * 1.3));
		const pen = this.#back.getContext("2d");
		// Beside the labels, the widest of which is that of the highest price or of the rate.
		const left = Math.ceil(Math.max(...[grouped(high), `${rate}/s`].map((text) => pen.measureText(text).width))) + 8;
		this.#scale = {
			until, low, step, high, rate, left, bar: Math.max(1_000, until / 240),
			top: 20, bottom: series.isFalling ? floor : height * 0.68, floor,
		};
		this.#drawn = { x: this.#x(0), price: null, steps: 0, joins: 0, bars: 0, labels: -Infinity };
		this.#drawGrid();
		for (const gap of series.gaps) this.#drawGap(gap);
	}

	// Rounds to whole pixels of the screen, so that parts meet.
	#snap(length) {
		return Math.round(length * this.#size.ratio) / this.#size.ratio;
	}

	#x(at) {
		const { left, until } = this.#scale;
		return this.#snap(left + (at / until) * (this.#size.width - left));
	}

	#y(price) {
		const { low, high, top, bottom } = this.#scale;
		return this.#snap(bottom - ((price - low) / (high - low)) * (bottom - top));
	}

	#drawGrid() {
		const { low, step, bottom, floor, until, rate, left } = this.#scale;
		const { width } = this.#size;
		const pen = this.#back.getContext("2d");
		pen.fillStyle = this.#colors.ink;
		pen.globalAlpha = 0.25;
		const prices = [low, low + 2 * step, low + 4 * step];
		for (const y of [...prices.map((price) => this.#y(price)), floor]) pen.fillRect(left, y, width - left, 1);
		pen.globalAlpha = 1;
		pen.textAlign = "right";
		if (this.#series.steps.length) {
			for (const price of prices) pen.fillText(grouped(price), left - 6, this.#y(price) + 4);
		}
		if (bottom < floor) pen.fillText(`${rate}/s`, left - 6, bottom + 22);
		// Thirds are whole seconds.
		for (const third of [1, 2, 3]) {
			const at = (until * third) / 3;
			pen.fillText(clockText(at).slice(0, -2), this.#x(at) - 2, floor + 14);
		}
		pen.textAlign = "left";
	}

	#drawGap({ from, to }) {
		const { top, floor } = this.#scale;
		const pen = this.#front.getContext("2d");
		const left = this.#x(from);
		const right = Math.max(this.#x(to), left + 2);
		pen.save();
		pen.beginPath();
		pen.rect(left, top, right - left, floor - top);
		pen.clip();
		pen.strokeStyle = this.#colors.gap;
		pen.beginPath();
		for (let x = left - (floor - top); x < right; x += 8) {
			pen.moveTo(x, floor);
			pen.lineTo(x + floor - top, top);
		}
		pen.stroke();
		pen.restore();
	}

	// Draws lines where somebody joined, with the names for which there is room.
	#drawJoins(series) {
		const { top, floor } = this.#scale;
		const pen = this.#back.getContext("2d");
		pen.fillStyle = this.#colors.join;
		for (const { at, name } of series.joins.slice(this.#drawn.joins)) {
			const x = this.#x(at);
			for (let y = top; y < floor; y += 6) pen.fillRect(x, y, 1, 3);
			const { width } = pen.measureText(name);
			const left = Math.min(x, this.#size.width - width);
			if (left < this.#drawn.labels) continue;
			pen.fillText(name, left, top - 5);
			this.#drawn.labels = left + width + 8;
		}
		this.#drawn.joins = series.joins.length;
	}

	#drawRates(series, end) {
		if (series.isFalling) return;
		const { bottom, floor, rate, bar } = this.#scale;
		const pen = this.#front.getContext("2d");
		pen.fillStyle = this.#colors.rate;
		const last = Math.floor(end / bar);
		for (let index = this.#drawn.bars; index <= last; index += 1) {
			const [from, to] = [index * bar, (index + 1) * bar];
			if (series.gaps.some((gap) => gap.from < from && gap.to > to)) continue;
			const height = this.#snap(Math.min(1, series.rateAt(to) / rate) * (floor - bottom - 18));
			const [left, right] = [this.#x(from), this.#x(to)];
			const space = right - left > 4 ? 1 : 0;
			pen.fillRect(left, floor - height, right - left - space, height);
		}
		this.#drawn.bars = last;
	}

	#drawPrices(series, end) {
		const pen = this.#front.getContext("2d");
		pen.fillStyle = this.#colors.price;
		for (const { at, price } of series.steps.slice(this.#drawn.steps)) {
			const gap = series.gaps.find(({ to }) => to === at);
			if (gap) {
				this.#extend(pen, gap.from);
				this.#drawn.price = null;
			}
			this.#extend(pen, at);
			this.#climb(pen, price);
		}
		this.#drawn.steps = series.steps.length;
		this.#extend(pen, end);
	}

	#extend(pen, at) {
		const [{ x: from, price }, to] = [this.#drawn, this.#x(at)];
		if (to <= from) return;
		if (price !== null) pen.fillRect(from, this.#y(price) - 1, to - from, 2);
		this.#drawn.x = to;
	}

	#climb(pen, price) {
		const { x, price: before } = this.#drawn;
		if (before !== null && price !== null) {
			const [a, b] = [this.#y(before), this.#y(price)];
			pen.fillRect(x - 1, Math.min(a, b) - 1, 2, Math.abs(a - b) + 2);
		}
		this.#drawn.price = price;
	}
}
