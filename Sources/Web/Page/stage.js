// The lot: its terms, the price, the countdown, and how this page's bidder stands.

import { $, h, set, showRows } from "./dom.js";
import {
	callText, championText, connectionText, grouped, reserveText, sameName, secondsLeft, standingText, termsTexts, worthTexts,
} from "./words.js";

export function titleText(model, phase, now) {
	if (phase !== "live") return "Not connected · Live auction";
	if (model.lot === null) return "Live auction";
	const time = model.isPaused ? "paused" : model.endsAt && `${secondsLeft(model.endsAt, now)}s`;
	const room = model.room === "main" ? "" : model.room;
	return [time, standingText(model), model.lot.title, room].filter(Boolean).join(" · ");
}

// While the connection is lost nothing runs on: what is known stands, and the strip says so.
export function showStage(model, connection, now) {
	const { lot, standing, endsAt, isPaused, format, isSealed, outcome } = model;
	const isLive = connection.phase === "live";
	const [shown, going] = isLive ? [standing, model.going ?? ""] : ["unknown", ""];
	Object.assign(document.body.dataset, { standing: shown, going, paused: isLive && isPaused, format });
	showChampion(model);
	set($("lot-number"), lot ? [`Lot ${lot.number}`, ...termsTexts(model)].join(" · ") : "\u00a0");
	set($("lot"), lot?.title ?? (isLive ? "Waiting for the first lot" : "Live auction"));
	$("lot").title = lot?.title ?? "";
	set($("reserve"), reserveText(model));
	$("reserve").dataset.kind = model.reserveMet ? "good" : "";
	set($("price-label"), priceLabel(model));
	const isCount = isSealed && model.isOpen;
	const amount = isCount ? model.sealed : model.price;
	const price = amount !== null ? grouped(amount) : outcome ? "Unsold" : "";
	set($("price"), price);
	$("price").style.setProperty("--digits", Math.max(4, price.length));
	showEnvelopes(isCount ? model.sealed : 0, model.yours !== null);
	showWorth(model);
	set($("call"), isLive ? callText(model, now) : "\u00a0");
	set($("seconds"), isLive && endsAt !== null ? String(secondsLeft(endsAt, now)) : "–");
	moveBar(model, isLive ? model.remaining(now) : 0, isLive);
	set($("standing-text"), connectionText(connection, lot !== null, now) || standingText(model));
}

function priceLabel({ outcome, leading, lot, format, isSealed }) {
	if (!lot || (outcome && !outcome.bidder)) return "\u00a0";
	if (outcome) return "Sold for";
	if (leading) return "Price";
	if (isSealed) return "Sealed bids";
	return format === "dutch" ? "Asking price" : "First bid from";
}

function showChampion(model) {
	const text = championText(model);
	$("champion").hidden = !text;
	$("champion").dataset.kind = model.champions.some(({ bidder }) => sameName(bidder, model.me)) ? "good" : "";
	set($("champion"), text);
}

// The first is that of the page's bidder, if there is one.
function showEnvelopes(count, isOurs) {
	const kinds = Array.from({ length: Math.min(count, 12) }, (_, index) => (isOurs && !index ? "mine" : index));
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
function moveBar({ seconds, endsAt, isOpen }, remaining, isLive) {
	const full = seconds * 1_000;
	if (remaining === null || stillness.matches || !isLive) {
		bar?.cancel();
		bar = barEnd = null;
		const part = (remaining ?? (isOpen ? full : 0)) / full;
		$("bar").style.transform = `scaleX(${Math.min(1, part)})`;
	} else if (barEnd === null || Math.abs(barEnd - endsAt) > 60) {
		barEnd = endsAt;
		bar ??= $("bar").animate({ transform: ["scaleX(1)", "scaleX(0)"] }, { fill: "both" });
		bar.effect.updateTiming({ duration: full });
		bar.currentTime = full - remaining;
	}
}
