// The lot: its terms, the price, the countdown, and how this page's bidder stands.

import { $, mark, restart, set, showFace, showRows } from "./dom.js";
import {
	callText, chipTexts, connectionText, counted, dotted, endText, gameText, grouped, lotText, newsText, priceLabel, secondsLeft, standingText,
} from "./words.js";

// How long the result of the last lot is shown before that of the sale.
const farewell = 6_000;
let openAt = -Infinity;

export function titleText(model, phase, now) {
	const { state: { stage, title }, endsAt, room, lot } = model;
	if (phase !== "live") return "Not connected · Live auction";
	if (lot === 0) return "Live auction";
	const time = stage === "paused" ? "paused" : endsAt && `${secondsLeft(endsAt, now)}s`;
	return dotted(time, standingText(model).join(" "), title, room !== "main" && room);
}

// Not by its colour alone.
const shapes = { lead: "✓", outbid: "▲", sealed: "✉\uFE0E", falling: "↓", unknown: "✕", won: "★" };

// While the connection is lost nothing runs on.
export function showStage(model, connection, now) {
	const { lot, state, standing, isSealed, isOpen, outcome } = model;
	const isLive = connection.phase === "live";
	if (isOpen) openAt = now;
	const isEnd = state.stage === "over" && now > openAt + farewell;
	const stood = standing === "won" && model.gain < 0 ? "dear" : standing;
	const [shown, going] = isLive ? [isEnd ? "over" : stood, state.going ?? ""] : ["unknown", ""];
	const paused = isLive && state.stage === "paused";
	mark({ standing: shown, going, paused, stage: state.stage, format: isSealed ? "sealed" : state.format });
	set($("lot-number"), lot ? lotText(model) : "\u00a0");
	set($("lot"), lot ? state.title : isLive ? `${counted(state.people ?? 0, "bidder")} here` : "Live auction");
	set($("price-label"), priceLabel(model));
	const isCount = isSealed && isOpen;
	const amount = isCount ? state.bids : model.price;
	const price = amount !== null ? grouped(amount) : outcome ? "–" : "";
	if ($("price").textContent !== price) restart($("price"));
	set($("price"), price);
	$("price").style.setProperty("--digits", Math.max(4, price.length));
	const chips = chipTexts(model);
	showRows($("chips"), Object.keys(chips).filter((kind) => chips[kind][1]), (kind) => ({ texts: chips[kind], kind }));
	const ending = isEnd ? newsText(outcome ?? {}) : model.nextAt === null || isOpen ? callText(model, now) : "";
	const call = lot === 0 ? gameText(state) : ending;
	set($("call"), (isLive && call) || "\u00a0");
	showCountdown(model, isLive, now);
	showSold(model, isEnd);
	const lost = connectionText(connection, lot > 0, now);
	const isHost = lot === 0 && connection.isAuctioneer;
	const [head, more] = lost ? lost.split(/, (?=[^,]*$)/) : isHost ? ["Your game", "Start it when all are here"] : isEnd ? endText(model) : standingText(model);
	const headline = $("standing-text").firstChild;
	set(headline, head);
	headline.dataset.shape = paused ? "‖" : shapes[shown] ?? "";
	set($("standing-text").lastChild, more ?? "");
}

export function showCountdown({ endsAt, isOpen, state: { seconds } }, isLive, now) {
	const isRunning = isLive && endsAt !== null;
	set($("seconds"), isRunning ? secondsLeft(endsAt, now) : isLive && isOpen ? "" : "–");
	showRing($("ring"), isRunning ? (endsAt - now) / 1_000 / seconds : isLive && isOpen ? 1 : 0);
}

function showRing(ring, part) {
	ring.style.setProperty("--spent", `${100 - 100 * Math.min(1, Math.max(0, part))}%`);
}

// How long it was to the opening of the next lot when it was announced.
let pause = 0;

export function showOpening(ring, { nextAt }, now) {
	const left = nextAt === null ? 0 : Math.max(0, nextAt - now);
	pause = left && Math.max(pause, left);
	ring.hidden = nextAt === null;
	showRing(ring, left / pause || 0);
	set(ring.querySelector("b"), Math.ceil(left / 1_000));
}

function showSold({ outcome, champions, nameOf }, isEnd) {
	const { bidder = null } = (isEnd ? champions[0] : outcome) ?? {};
	$("sold").hidden = isEnd ? !bidder : outcome === null;
	set($("sold").firstChild, isEnd ? "Champion" : bidder ? "Sold" : "Unsold");
	const name = bidder ? nameOf(bidder) : "";
	showFace($("buyer").firstChild, bidder, name);
	set($("buyer").lastChild, name);
}
