// Reactions and confetti over the page. Screen readers get none.

import { $, make } from "./dom.js";

const most = 20;
export const stillness = matchMedia("(prefers-reduced-motion: reduce)");

function float(item, milliseconds) {
	item.style.setProperty("--at", `${5 + 60 * Math.random()}vw`);
	$("floats").append(item);
	setTimeout(() => item.remove(), milliseconds);
}

// Floats a reaction, or what somebody says. Returns whether that is all about the message.
export function floatMessage({ type, content, bidder } = {}, nameOf) {
	if (["reacted", "said"].includes(type) && $("floats").children.length < most) {
		const item = make("i", { textContent: content, className: type });
		item.append(make("small", { textContent: nameOf(bidder) }));
		float(item, type === "said" ? 7_000 : 3_400);
	}
	return type === "reacted";
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
