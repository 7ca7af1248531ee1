// The page: connects the model, the connection and the bid box with the elements of index.html.
//
// For tests: `window.auction` has the parts, and counts rendered frames. The ids of index.html are stable, and <body> has
// data-phase, data-standing, data-format, data-going and data-paused, as Connection and Model say them.

import { say, signal } from "./alerts.js";
import { showAuctioneer, signedIn } from "./auctioneer.js";
import { clearBidBox, forgetAmount, noteKick, showBidBox, showName, takeStoredName } from "./bidbox.js";
import { Chart } from "./chart.js";
import { $, h, note, onSubmit, set } from "./dom.js";
import { chartText, showLists } from "./lists.js";
import { entered, showRooms } from "./lobby.js";
import { bidding, clock, connection, forgetOldGames, loads, model } from "./parts.js";
import { showStage, titleText } from "./stage.js";
import { sameName } from "./words.js";

const chart = new Chart($("chart"), $("chart-back"), readColors);

for (const name in loads) {
	const parts = [h("span", {}), " ", h("button", {}, "Try again")];
	const line = h("p", { id: `${name}-load`, class: "load", hidden: "" }, ...parts);
	line.lastChild.onclick = () => loads[name].load();
	$(`${name}-title`).after(line);
}

let isRequested = false;
let [shownAt, shownBids, listedAt, rankedAt] = [0, 0, 0, 0];
// What the newest standings were loaded for.
let rankedBefore = ",,,";

// Whether `pause` ms have passed since `then`, or the clock was set back.
const isDue = (then, pause, now) => now < then || now >= then + pause;

// Renders ten times a second, in a flood of bids four times; of a hidden page the title.
function tick() {
	bidding.expire();
	if (connection.isCurrent && !loads.laps.loading) bidding.settle();
	const isFlood = model.series.count - shownBids > 20;
	if (isFlood && !isDue(shownAt, 250, clock.now())) return;
	[shownAt, shownBids] = [clock.now(), model.series.count];
	const title = titleText(model, connection.phase, shownAt);
	if (document.title !== title) document.title = title;
	rank(shownAt);
	if (document.hidden || isRequested) return;
	isRequested = true;
	requestAnimationFrame(() => {
		isRequested = false;
		window.auction.frames += 1;
		const now = clock.now();
		showLink();
		showStage(model, connection, now);
		showBidBox();
		if (!isDue(listedAt, isFlood ? 1_000 : 250, now)) return;
		listedAt = now;
		showLists(model, now);
		showRooms(now);
		for (const name in loads) showLoad($(`${name}-load`), loads[name]);
		const end = Math.max(model.series.end, chartEnd(now));
		chart.update(model.series, end);
		set($("chart-text"), chartText(model.series, end));
	});
}

// Loads the standings when they may have changed, but not with each bidder of a crowd.
function rank(now) {
	const { me, outcome, value, lotsInAll, people, purse, hasValues } = model;
	const isPlayer = me !== null && (purse !== null || hasValues);
	const present = isPlayer && people?.size <= 100 ? [...people.keys()].join(" ") : "";
	const basis = [outcome?.lot, value, lotsInAll, present].join();
	if (basis === rankedBefore || !isDue(rankedAt, 1_000, now)) return;
	[rankedBefore, rankedAt] = [basis, now];
	setTimeout(() => loads.standings.load(), 1_000 * Math.random());
}

function showLink() {
	const { phase, reason } = connection;
	document.body.dataset.phase = phase;
	set($("link-text"), reason || phase);
	$("try-now").hidden = phase !== "lost";
	showAuctioneer();
}

onSubmit("chat", async () => {
	const text = $("chat-text").value.trim();
	if (!text) return;
	const { isOK, content } = await connection.requestHere(`say ${text}`);
	$("chat-note").hidden = isOK;
	note("chat-note", "bad", content);
	if (isOK) $("chat-text").value = "";
});

function showLoad(line, { loading, result, lastError }) {
	line.hidden = !(lastError || (loading && result === undefined));
	line.dataset.kind = loading ? "" : "bad";
	set(line.firstChild, loading ? "Loading…" : `Not loaded: ${lastError}`);
	line.lastChild.hidden = loading;
}

// The colours of the legend, and the size of its font.
function readColors() {
	const { color: ink, fontSize } = getComputedStyle($("legend"));
	const colors = ["price", "rate", "join", "gap"].map((name) => {
		return [name, getComputedStyle(document.querySelector(`#legend .${name}`)).color];
	});
	return { ...Object.fromEntries(colors), ink, font: parseFloat(fontSize) * 0.9 };
}

// Until when the chart is known: now while news arrives, else the last event.
function chartEnd(now) {
	const isKnown = connection.phase === "live" || !model.isOpen;
	return isKnown ? model.elapsed(now) ?? 0 : 0;
}

new ResizeObserver(([{ contentRect }]) => {
	chart.resize(contentRect.width, contentRect.height, devicePixelRatio);
	listedAt = 0;
}).observe($("plot"));
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
	matchMedia(query).onchange = () => chart.invalidate();
}

connection.notice = (notice) => {
	if (notice.kind === "greeted") greeted();
	else if (notice.kind === "auctioneer") signedIn(notice);
	else showName(notice);
};

function greeted() {
	if (entered()) {
		clearBidBox();
		bidding.answer = null;
		for (const id of ["auctioneer-note", "chat-note"]) note(id, "", "");
		// The question was about the other room.
		$("confirm").close();
	}
	takeStoredName();
	for (const load of Object.values(loads)) if (load.lastError) load.load();
	forgetOldGames();
}

connection.needsLoad = () => {
	for (const name in loads) if (name !== "rooms") loads[name].load();
};

// The events that interrupt a screen reader, and those that it does not read.
const urgent = ["outbid", "winner"];
const quiet = ["joined", "left", "next", "hammered", "revealed"];
let askedAt = 0;

model.observer = ({ kind, text, message }) => {
	const isTooSoon = kind === "ask" && !isDue(askedAt, 3_000, clock.now());
	if (kind === "ask" && !isTooSoon) askedAt = clock.now();
	if (!isTooSoon && !quiet.includes(kind)) say(urgent.includes(kind) ? "alert" : "announce", text);
	const isMine = sameName(message?.bidder, model.me);
	signal(kind === "winner" && isMine ? "won" : kind);
	// All laps of a new lot are known.
	if (kind === "lot") {
		loads.laps.forget();
		forgetAmount();
	}
	if (kind === "kicked" && isMine) noteKick(message.reason);
};

$("try-now").onclick = () => connection.tryNow();
for (const type of ["online", "pageshow"]) addEventListener(type, () => connection.wake());
document.onvisibilitychange = () => {
	isRequested = false;
	if (!document.hidden) connection.wake();
	tick();
};

window.auction = { model, connection, bidding, chart, loads, frames: 0 };
$("broken").remove();
connection.begin();
setInterval(tick, 100);
