// The lot: its terms, the price, the countdown, and how this page's bidder stands.

import { $, make, restart, set, show, showRows } from "./dom.js";
import { showFace } from "./faces.js";
import {
	callText, connectionText, counted, dotted, grouped, lotText, newsText, priceLabel, reserveText, secondsLeft, standingText, worthTexts,
} from "./words.js";

export function titleText(model, phase, now) {
	const { state: { stage, title }, endsAt, room, lot } = model;
	if (phase !== "live") return "Not connected · Live auction";
	if (lot === 0) return "Live auction";
	const time = stage === "paused" ? "paused" : endsAt && `${secondsLeft(endsAt, now)}s`;
	return dotted(time, standingText(model), title, room !== "main" && room);
}

// While the connection is lost nothing runs on: what is known stands, and the strip says so.
export function showStage(model, connection, now) {
	const { lot, state, you, standing, endsAt, isSealed, isOpen, outcome, champions, gain } = model;
	const isLive = connection.phase === "live";
	const [shown, going] = isLive ? [standing, state.going ?? ""] : ["unknown", ""];
	const paused = isLive && state.stage === "paused";
	Object.assign(document.body.dataset, { standing: shown, going, paused, stage: state.stage, format: isSealed ? "sealed" : state.format });
	show("champion", champions.map(newsText).join(" · "));
	$("champion").dataset.kind = champions.some(model.isMine) ? "good" : "";
	set($("lot-number"), lot ? lotText(model) : "\u00a0");
	set($("lot"), lot ? state.title : isLive ? `${counted(state.people ?? 0, "bidder")} here` : "Live auction");
	$("lot").title = lot ? state.title : "";
	set($("reserve"), reserveText(model));
	$("reserve").dataset.kind = state.reserve === "met" ? "good" : "";
	set($("price-label"), priceLabel(model));
	const isCount = isSealed && isOpen;
	const amount = isCount ? state.bids : model.price;
	const price = amount !== null ? grouped(amount) : outcome ? "Unsold" : "";
	if ($("price").textContent !== price) restart($("price"));
	set($("price"), price);
	$("price").style.setProperty("--digits", Math.max(4, price.length));
	const envelopes = Array.from({ length: isCount ? Math.min(state.bids, 12) : 0 }, (_, index) => index);
	showRows($("envelopes"), envelopes, (index) => ({ texts: [], isMine: index === 0 && Boolean(you.sealed) }));
	const [worth, gainText] = worthTexts(model);
	$("worth").hidden = !worth;
	set($("value"), worth);
	set($("gain"), gainText);
	$("gain").dataset.kind = gain < 0 ? "bad" : gain > 0 ? "good" : "";
	set($("call"), isLive ? callText(model, now) : "\u00a0");
	const isRunning = isLive && endsAt !== null;
	set($("seconds"), isRunning ? String(secondsLeft(endsAt, now)) : "–");
	const part = isRunning ? (endsAt - now) / 1_000 / state.seconds : isLive && isOpen ? 1 : 0;
	$("ring").style.setProperty("--spent", `${100 - 100 * Math.min(1, Math.max(0, part))}`);
	showSold(model);
	set($("standing-text"), connectionText(connection, lot > 0, now) || standingText(model));
}

function showSold({ outcome, awards, nameOf }) {
	const bidder = outcome?.bidder ?? null;
	$("sold").hidden = outcome === null;
	set($("sold").firstChild, bidder ? "Sold" : "Unsold");
	showFace($("buyer").firstChild, bidder, bidder && nameOf(bidder));
	set($("buyer").lastChild, bidder ? nameOf(bidder) : "");
	if ($("awards").children.length === awards.length) return;
	$("awards").replaceChildren(...awards.map((award) => make("li", { textContent: newsText(award) })));
}
