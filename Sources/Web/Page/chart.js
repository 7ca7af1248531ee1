// The chart of one lot: the price as steps, bids per second as bars below, a line for each newcomer.

import { clockText, grouped } from "./words.js";

function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999_999);
}

export class Chart {
	#canvas; #pen; #readColors;
	#colors = null;
	#size = { width: 0, height: 0, ratio: 1 };
	#scale = null;

	// `readColors` returns the colours `price`, `rate`, `join` and `ink`, and the `font`.
	constructor(canvas, readColors) {
		[this.#canvas, this.#pen, this.#readColors] = [canvas, canvas.getContext("2d"), readColors];
	}

	invalidate() {
		this.#colors = null;
	}

	resize(width, height, ratio) {
		this.#size = { width, height, ratio };
		this.invalidate();
	}

	draw(series, until) {
		const { width, height, ratio } = this.#size;
		if (width < 1 || height < 1) return;
		if (!this.#colors) {
			this.#colors = this.#readColors();
			Object.assign(this.#canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
			this.#pen.scale(ratio, ratio);
			this.#pen.font = `${this.#colors.font}px ui-sans-serif, "Liberation Sans", Arial, sans-serif`;
		}
		this.#pen.clearRect(0, 0, width, height);
		const end = Math.max(until, series.end);
		this.#choose(series, end);
		this.#drawGrid(series);
		this.#drawJoins(series);
		if (!series.isFalling) this.#drawRates(series, end);
		this.#drawPrices(series, end);
	}

	#choose(series, end) {
		let until = 30_000;
		while (until < end * 1.05) until *= 2;
		const known = series.steps.map((step) => step.price).filter((price) => price !== null);
		const prices = known.length ? known : [0];
		const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
		const step = niceStep(Math.max(1, (highest - lowest) * 0.4));
		const low = Math.floor(lowest / step) * step;
		const high = low + 4 * step;
		const rate = niceStep(Math.max(1, series.highestRate * 1.3));
		const floor = this.#size.height - 20;
		// Beside the labels, the widest of which is that of the highest price or of the rate.
		const left = Math.ceil(Math.max(...[grouped(high), `${rate}/s`].map((text) => this.#pen.measureText(text).width))) + 8;
		const bottom = series.isFalling ? floor : this.#size.height * 0.68;
		this.#scale = { until, low, step, high, rate, left, floor, bottom, top: 20, bar: Math.max(1_000, until / 240) };
	}

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

	#drawGrid({ steps }) {
		const { low, step, bottom, floor, until, rate, left } = this.#scale;
		const pen = this.#pen;
		pen.fillStyle = this.#colors.ink;
		pen.globalAlpha = 0.25;
		const prices = [low, low + 2 * step, low + 4 * step];
		for (const y of [...prices.map((price) => this.#y(price)), floor]) pen.fillRect(left, y, this.#size.width - left, 1);
		pen.globalAlpha = 1;
		pen.textAlign = "right";
		if (steps.length) for (const price of prices) pen.fillText(grouped(price), left - 6, this.#y(price) + 4);
		if (bottom < floor) pen.fillText(`${rate}/s`, left - 6, bottom + 22);
		// Thirds are whole seconds.
		for (const at of [until / 3, (2 * until) / 3, until]) pen.fillText(clockText(at).slice(0, -2), this.#x(at) - 2, floor + 14);
		pen.textAlign = "left";
	}

	#drawJoins({ joins }) {
		const { top, floor } = this.#scale;
		const pen = this.#pen;
		pen.fillStyle = this.#colors.join;
		let free = -Infinity;
		for (const { at, name } of joins) {
			const x = this.#x(at);
			for (let y = top; y < floor; y += 6) pen.fillRect(x, y, 1, 3);
			const { width } = pen.measureText(name);
			const left = Math.min(x, this.#size.width - width);
			if (left < free) continue;
			pen.fillText(name, left, top - 5);
			free = left + width + 8;
		}
	}

	#drawRates(series, end) {
		const { bottom, floor, rate, bar } = this.#scale;
		this.#pen.fillStyle = this.#colors.rate;
		for (let from = 0; from <= end; from += bar) {
			const to = from + bar;
			const height = this.#snap(Math.min(1, series.rateAt(to) / rate) * (floor - bottom - 18));
			const [left, right] = [this.#x(from), this.#x(to)];
			this.#pen.fillRect(left, floor - height, right - left - (right - left > 4 ? 1 : 0), height);
		}
	}

	#drawPrices({ steps }, end) {
		const pen = this.#pen;
		let isDrawn = false;
		pen.beginPath();
		steps.forEach(({ at, price }, index) => {
			if (price !== null) {
				const y = this.#y(price);
				if (isDrawn) pen.lineTo(this.#x(at), y);
				else pen.moveTo(this.#x(at), y);
				pen.lineTo(this.#x(steps[index + 1]?.at ?? end), y);
			}
			isDrawn = price !== null;
		});
		pen.strokeStyle = this.#colors.price;
		pen.lineWidth = 2;
		pen.stroke();
	}
}
