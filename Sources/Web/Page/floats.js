// Animations over the page: reactions and confetti. Screen readers get none.

import { $, make } from "./dom.js";

const most = 20;
export const stillness = matchMedia("(prefers-reduced-motion: reduce)");

function float(item, milliseconds) {
	item.style.setProperty("--at", `${5 + 60 * Math.random()}vw`);
	$("floats").append(item);
	setTimeout(() => item.remove(), milliseconds);
}

// Also what somebody says, as the class `said`.
export function floatReaction(reaction, name, className = "") {
	if ($("floats").children.length >= most) return;
	const item = make("i", { textContent: reaction, className });
	item.append(make("small", { textContent: name }));
	float(item, className ? 7_000 : 3_400);
}

export function throwConfetti() {
	if (stillness.matches) return;
	for (let index = 0; index < 60; index += 1) {
		const item = make("b");
		item.style.setProperty("--hue", String(Math.floor(360 * Math.random())));
		item.style.setProperty("--delay", `${0.5 * Math.random()}s`);
		float(item, 3_000);
		item.style.setProperty("--at", `${100 * Math.random()}vw`);
	}
}
