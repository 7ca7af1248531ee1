// The chart of one lot: the price as steps, bids per second as bars below, a line for each newcomer.

import { clockText, grouped } from "./words.js";

// Returns a step of 1, 2 or 5 times a power of ten, at least `least`.
function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999_999);
}

export class Chart {
	#canvas; #readColors; #colors; #pen; #scale;

	// `readColors` returns the colours `price`, `rate`, `join`, `gap` and `ink`, and the `font`.
	constructor(canvas, readColors) {
		[this.#canvas, this.#readColors] = [canvas, readColors];
	}

	// Draws the series up to `end`, in milliseconds since the lot opened.
	draw(series, end) {
		const { clientWidth: width, clientHeight: height } = this.#canvas;
		if (width === 0 || height === 0) return;
		this.#colors = this.#readColors();
		// Setting the width clears the canvas.
		this.#canvas.width = Math.round(width * devicePixelRatio);
		this.#canvas.height = Math.round(height * devicePixelRatio);
		this.#pen = this.#canvas.getContext("2d");
		this.#pen.scale(devicePixelRatio, devicePixelRatio);
		this.#pen.font = `${this.#colors.font}px ui-sans-serif, "Liberation Sans", Arial, sans-serif`;
		this.#chooseScale(series, end, width, height);
		this.#drawGrid(series);
		for (const gap of series.gaps) this.#drawGap(gap);
		this.#drawJoins(series);
		if (!series.isFalling) this.#drawRates(series, end);
		this.#drawPrices(series, end);
	}

	// The scales change in large steps, so that the chart seldom moves.
	#chooseScale(series, end, width, height) {
		let until = 30_000;
		while (until < end * 1.05) until *= 2;
		const prices = series.steps.map((step) => step.price).filter((price) => price !== null);
		if (prices.length === 0) prices.push(0);
		const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
		const step = niceStep(Math.max(1, (highest - lowest) * 0.4));
		const low = Math.floor(lowest / step) * step;
		const [floor, high] = [height - 20, low + 4 * step];
		const rate = niceStep(Math.max(1, series.highestRate * 1.3));
		// Beside the labels, the widest of which is that of the highest price or of the rate.
		const left = Math.ceil(Math.max(...[grouped(high), `${rate}/s`].map((text) => this.#pen.measureText(text).width))) + 8;
		this.#scale = {
			width, until, low, step, high, rate, left, bar: Math.max(1_000, until / 240),
			top: 20, bottom: series.isFalling ? floor : height * 0.68, floor,
		};
	}

	// Rounds to whole pixels of the screen, so that parts meet.
	#snap(length) {
		return Math.round(length * devicePixelRatio) / devicePixelRatio;
	}

	#x(at) {
		const { width, left, until } = this.#scale;
		return this.#snap(left + (at / until) * (width - left));
	}

	#y(price) {
		const { low, high, top, bottom } = this.#scale;
		return this.#snap(bottom - ((price - low) / (high - low)) * (bottom - top));
	}

	#drawGrid(series) {
		const { width, low, step, bottom, floor, until, rate, left } = this.#scale;
		const pen = this.#pen;
		pen.fillStyle = this.#colors.ink;
		pen.globalAlpha = 0.25;
		const prices = [low, low + 2 * step, low + 4 * step];
		for (const y of [...prices.map((price) => this.#y(price)), floor]) pen.fillRect(left, y, width - left, 1);
		pen.globalAlpha = 1;
		pen.textAlign = "right";
		if (series.steps.length) {
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
		const pen = this.#pen;
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
		const { width, top, floor } = this.#scale;
		const pen = this.#pen;
		let labelled = -Infinity;
		pen.fillStyle = pen.strokeStyle = this.#colors.join;
		pen.setLineDash([3]);
		pen.beginPath();
		for (const { at, name } of series.joins) {
			const x = this.#x(at);
			pen.moveTo(x + 0.5, top);
			pen.lineTo(x + 0.5, floor);
			const { width: length } = pen.measureText(name);
			const left = Math.min(x, width - length);
			if (left < labelled) continue;
			pen.fillText(name, left, top - 5);
			labelled = left + length + 8;
		}
		pen.stroke();
		pen.setLineDash([]);
	}

	#drawRates(series, end) {
		const { bottom, floor, rate, bar } = this.#scale;
		this.#pen.fillStyle = this.#colors.rate;
		for (let from = 0; from <= end; from += bar) {
			const to = from + bar;
			if (series.gaps.some((gap) => gap.from < from && gap.to > to)) continue;
			const height = this.#snap(Math.min(1, series.rateAt(to) / rate) * (floor - bottom - 18));
			const [left, right] = [this.#x(from), this.#x(to)];
			const space = right - left > 4 ? 1 : 0;
			this.#pen.fillRect(left, floor - height, right - left - space, height);
		}
	}

	// One line, which is interrupted where bids are missing.
	#drawPrices(series, end) {
		const pen = this.#pen;
		pen.strokeStyle = this.#colors.price;
		pen.lineWidth = 2;
		pen.beginPath();
		let y = null;
		for (const { at, price } of series.steps) {
			const x = this.#x(at);
			const gap = series.gaps.find(({ to }) => to === at);
			if (y !== null) pen.lineTo(gap ? this.#x(gap.from) : x, y);
			const isJoined = y !== null && !gap;
			y = price === null ? null : this.#y(price);
			if (y !== null) isJoined ? pen.lineTo(x, y) : pen.moveTo(x, y);
		}
		if (y !== null) pen.lineTo(this.#x(end), y);
		pen.stroke();
	}
}
