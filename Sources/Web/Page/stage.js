// The lot: its terms, the price, the countdown, and how this page's bidder stands.

import { $, h, set, showRows } from "./dom.js";
import {
	callText, connectionText, grouped, lotText, newsText, reserveText, sameName, secondsLeft, standingText, worthTexts,
} from "./words.js";

export function titleText(model, phase, now) {
	const { state: { stage, title }, endsAt, room, lot } = model;
	if (phase !== "live") return "Not connected · Live auction";
	if (lot === 0) return "Live auction";
	const time = stage === "paused" ? "paused" : endsAt && `${secondsLeft(endsAt, now)}s`;
	return [time, standingText(model), title, room !== "main" && room].filter(Boolean).join(" · ");
}

// While the connection is lost nothing runs on: what is known stands, and the strip says so.
export function showStage(model, connection, now) {
	const { lot, state, you, standing, endsAt, isSealed, isOpen, outcome } = model;
	const isLive = connection.phase === "live";
	const [shown, going] = isLive ? [standing, state.going ?? ""] : ["unknown", ""];
	const paused = isLive && state.stage === "paused";
	Object.assign(document.body.dataset, { standing: shown, going, paused, format: isSealed ? "sealed" : state.format });
	showChampion(model);
	set($("lot-number"), lot ? lotText(model) : "\u00a0");
	set($("lot"), lot ? state.title : isLive ? "Waiting for the first lot" : "Live auction");
	$("lot").title = lot ? state.title : "";
	set($("reserve"), reserveText(model));
	$("reserve").dataset.kind = state.reserve === "met" ? "good" : "";
	set($("price-label"), priceLabel(model));
	const isCount = isSealed && isOpen;
	const amount = isCount ? state.bids : model.price;
	const price = amount !== null ? grouped(amount) : outcome ? "Unsold" : "";
	set($("price"), price);
	$("price").style.setProperty("--digits", Math.max(4, price.length));
	showEnvelopes(isCount ? state.bids : 0, you.sealed);
	showWorth(model);
	set($("call"), isLive ? callText(model, now) : "\u00a0");
	set($("seconds"), isLive && endsAt !== null ? String(secondsLeft(endsAt, now)) : "–");
	moveBar(model, now, isLive);
	set($("standing-text"), connectionText(connection, lot > 0, now) || standingText(model));
}

function priceLabel({ outcome, lot, isSealed, state: { leader, format } }) {
	if (lot === 0 || (outcome && !outcome.bidder)) return "\u00a0";
	if (outcome) return "Sold for";
	if (leader) return "Price";
	if (isSealed) return "Sealed bids";
	return format === "dutch" ? "Asking price" : "First bid from";
}

function showChampion({ champions, me }) {
	$("champion").hidden = champions.length === 0;
	$("champion").dataset.kind = champions.some(({ bidder }) => sameName(bidder, me)) ? "good" : "";
	set($("champion"), champions.map(newsText).join(" · "));
}

function showEnvelopes(count, ownBid) {
	const kinds = Array.from({ length: Math.min(count, 12) }, (_, index) => (ownBid && !index ? "mine" : index));
	showRows($("envelopes"), kinds, (kind) => h("i", { class: kind }));
}

function showWorth(model) {
	const [worth, gain] = worthTexts(model);
	$("worth").hidden = !worth;
	set($("value"), worth);
	set($("gain"), gain);
	$("gain").dataset.kind = model.gain < 0 ? "bad" : model.gain > 0 ? "good" : "";
}

const stillness = matchMedia("(prefers-reduced-motion: reduce)");
let bar = null;
let barEnd = null;

// The bar runs down on the compositor, and is moved only if the end has moved.
function moveBar({ state, endsAt, isOpen }, now, isLive) {
	const full = state.seconds * 1_000;
	const remaining = endsAt === null ? null : endsAt - now;
	if (remaining === null || stillness.matches || !isLive) {
		bar?.cancel();
		bar = barEnd = null;
		const part = isLive ? Math.max(0, remaining ?? (isOpen ? full : 0)) / full : 0;
		$("bar").style.transform = `scaleX(${Math.min(1, part)})`;
	} else if (barEnd === null || Math.abs(barEnd - endsAt) > 60) {
		barEnd = endsAt;
		bar ??= $("bar").animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { fill: "both" });
		bar.effect.updateTiming({ duration: full });
		bar.currentTime = full - remaining;
	}
}
