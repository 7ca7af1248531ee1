// The chart of one lot: prices as steps, own bids as dots, newcomers as lines, and bids per second as bars.

import { clockText, grouped } from "./words.js";

// Milliseconds between two times on the axis.
const intervals = [10, 20, 30, 60, 120, 300, 600, 1_200, 1_800].map((seconds) => 1_000 * seconds);
const timeText = (at) => clockText(at).slice(0, -2).replace(/^0/, "");

function niceStep(least) {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999_999);
}

const textOf = ({ names }) => names.slice(0, 3).join(", ") + (names.length > 3 ? ` +${names.length - 3}` : "");

export class Chart {
	#canvas; #pen; #readColors;
	#colors = null;
	#size = { width: 0, height: 0, ratio: 1 };
	#scale = null;

	// `readColors` returns the colours by their names, and the `font`.
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

	draw(series, until, isMine) {
		const { width, height, ratio } = this.#size;
		if (width < 1 || height < 1) return;
		if (!this.#colors) {
			this.#colors = this.#readColors();
			Object.assign(this.#canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
			this.#pen.scale(ratio, ratio);
			this.#pen.font = `${this.#colors.font}px system-ui, sans-serif`;
		}
		this.#pen.clearRect(0, 0, width, height);
		const end = Math.max(until, series.end);
		this.#choose(series, end);
		this.#drawGrid(series);
		this.#drawJoins(series);
		if (this.#scale.rate) this.#drawRates(series, end);
		this.#drawPrices(series, end);
		this.#drawDots(series.laps.filter(isMine));
	}

	#choose(series, end) {
		const interval = intervals.find((each) => 3 * each >= end * 1.05) ?? 3_600_000 * Math.ceil(end / 10_000_000);
		const until = 3 * interval;
		const known = series.steps.map((step) => step.price).filter((price) => price !== null);
		const prices = known.length ? known : [0];
		const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
		const step = niceStep(Math.max(1, (highest - lowest) * 0.4));
		const low = Math.floor(lowest / step) * step;
		const high = low + 4 * step;
		// A bid now and then is no rate.
		const rate = series.highestRate < 1 ? 0 : niceStep(series.highestRate * 1.3);
		const floor = this.#size.height - 20;
		// Beside the widest labels.
		const left = Math.ceil(Math.max(...[grouped(high), `${rate}/s`].map((text) => this.#pen.measureText(text).width))) + 8;
		const bottom = rate ? this.#size.height * 0.68 : floor;
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
		const { low, step, floor, until, rate, left, bottom } = this.#scale;
		const pen = this.#pen;
		pen.fillStyle = this.#colors.ink;
		pen.globalAlpha = 0.15;
		const prices = [low, low + 2 * step, low + 4 * step];
		for (const y of [...prices.map((price) => this.#y(price)), floor]) pen.fillRect(left, y, this.#size.width - left, 1);
		pen.globalAlpha = 1;
		pen.textAlign = "right";
		if (steps.length) for (const price of prices) pen.fillText(grouped(price), left - 6, this.#y(price) + 4);
		if (rate) pen.fillText(`${rate}/s`, left - 6, bottom + 22);
		for (const at of [until / 3, (2 * until) / 3, until]) pen.fillText(timeText(at), this.#x(at) - 2, floor + 15);
		pen.textAlign = "left";
	}

	// Names that would be one over the other share a label.
	#drawJoins({ joins }) {
		const { top, floor } = this.#scale;
		const pen = this.#pen;
		pen.fillStyle = this.#colors.join;
		const labels = [];
		for (const { at, name } of joins) {
			const x = this.#x(at);
			for (let y = top; y < floor; y += 6) pen.fillRect(x, y, 1, 3);
			const last = labels.at(-1);
			if (last && x < last.x + pen.measureText(textOf(last)).width + 8) last.names.push(name);
			else labels.push({ x, names: [name] });
		}
		for (const label of labels) {
			const text = textOf(label);
			pen.fillText(text, Math.min(label.x, this.#size.width - pen.measureText(text).width), top - 6);
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
		pen.lineWidth = 2.5;
		pen.lineJoin = "round";
		pen.stroke();
	}

	#drawDots(laps) {
		const pen = this.#pen;
		pen.fillStyle = this.#colors.mine;
		for (const { elapsed, amount } of laps) {
			pen.beginPath();
			pen.arc(this.#x(elapsed), this.#y(amount), 5, 0, 2 * Math.PI);
			pen.fill();
			pen.stroke();
		}
	}
}
