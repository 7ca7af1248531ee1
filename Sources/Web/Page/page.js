// The page: connects the parts with the elements of index.html.
//
// For tests: `window.auction` has the parts, and counts rendered frames. By the data of <body> style.css shows and hides.

import { say, signal } from "./alerts.js";
import { clearBidBox, forgetAmount, showBidBox, showName, takeStoredName } from "./bidbox.js";
import { Chart } from "./chart.js";
import { $, colorOf, inFrame, make, mark, note, run, set } from "./dom.js";
import { floatMessage, throwConfetti } from "./floats.js";
import { chartText, showLists } from "./lists.js";
import { entered, showRooms, signedIn } from "./lobby.js";
import { bidding, clock, connection, loads, model, rank } from "./parts.js";
import { showStage, titleText } from "./stage.js";
import { secondsLeft } from "./words.js";

const chart = new Chart($("chart"), readColors);

for (const section of $("panels").children) {
	section.setAttribute("aria-labelledby", section.querySelector("h2").id);
	section.tabIndex = 0;
}

for (const name in loads) {
	const line = make("p", { id: `${name}-load`, className: "load" });
	line.append(make("span"), " ", make("button", { textContent: "Try again", onclick: () => loads[name].load() }));
	$(`${name}-title`).after(line);
}

let tickedAt = null;
let [shownAt, shownBids, listedAt] = [0, 0, 0];

// Whether `pause` ms have passed since `then`, or the clock was set back.
const isDue = (then, pause, now) => now < then || now >= then + pause;

function tick() {
	bidding.expire();
	if (connection.isCurrent && !loads.laps.loading) bidding.settle();
	const isFlood = model.series.count - shownBids > 20;
	if (isFlood && !isDue(shownAt, 250, clock.now())) return;
	[shownAt, shownBids] = [clock.now(), model.series.count];
	const title = titleText(model, connection.phase, shownAt);
	if (document.title !== title) document.title = title;
	const { me, people, state } = model;
	const isPlayer = me && (state.purse ?? state.worth ?? state.common);
	rank(shownAt, isPlayer && people?.size <= 100 ? [...people.keys()].join(" ") : "", 1_000);
	inFrame(() => {
		window.auction.frames += 1;
		const now = clock.now();
		const { phase, reason, room, isAuctioneer } = connection;
		mark({ phase, auctioneer: isAuctioneer, main: room === "main" });
		set($("link-text"), reason || phase);
		showStage(model, connection, now);
		showBidBox();
		showReactions(model.reactions ?? []);
		tickLastSeconds(now);
		if (!isDue(listedAt, isFlood ? 1_000 : 250, now)) return;
		listedAt = now;
		showLists(now, isFlood);
		showRooms(now);
		for (const name in loads) showLoad($(`${name}-load`), loads[name]);
		const end = Math.max(model.series.end, phase === "live" || !model.isOpen ? model.elapsed(now) : 0);
		chart.draw(model.series, end, model.isMine);
		set($("chart-text"), chartText(model.series, end));
	});
}

function tickLastSeconds(now) {
	const left = connection.phase === "live" && model.endsAt !== null ? secondsLeft(model.endsAt, now) : 0;
	if (left > 0 && left <= 3 && left !== tickedAt && model.isOpen) signal("tick");
	tickedAt = left;
}

function showReactions(reactions) {
	if ($("reactions").children.length === reactions.length) return;
	$("reactions").replaceChildren(...reactions.map((textContent) => {
		const onclick = () => connection.requestHere(`react ${textContent}`);
		return make("button", { textContent, ariaLabel: `React ${textContent}`, onclick });
	}));
}

function showLoad(line, { loading, result, lastError }) {
	line.hidden = !(lastError || (loading && result === undefined));
	line.dataset.kind = loading ? "" : "bad";
	set(line.firstChild, loading ? "Loading…" : `Not loaded: ${lastError}`);
	line.lastChild.hidden = loading;
}

function readColors() {
	const { color: ink, fontSize } = getComputedStyle($("legend"));
	const colors = [...$("legend").querySelectorAll("i")].map((item) => [item.className, getComputedStyle(item).color]);
	return { ...Object.fromEntries(colors), ink, font: parseFloat(fontSize) * 0.9 };
}

new ResizeObserver(([{ contentRect }]) => {
	chart.resize(contentRect.width, contentRect.height, devicePixelRatio);
	listedAt = 0;
}).observe($("plot"));
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
	matchMedia(query).onchange = () => chart.invalidate();
}

connection.notice = (notice) => {
	if (notice.kind === "auctioneer") return signedIn(notice);
	if (notice.kind !== "greeted") {
		$("legend").style.setProperty("--face", model.me && colorOf(model.me));
		chart.invalidate();
		return showName(notice);
	}
	entered();
	if (notice.isOther) {
		clearBidBox();
		bidding.answer = null;
		note("auctioneer-note");
		$("confirm").close();
	}
	takeStoredName();
	for (const load of Object.values(loads)) if (load.lastError) load.load();
};

connection.needsLoad = () => {
	for (const name in loads) if (name !== "rooms") loads[name].load();
};

// The events that interrupt a screen reader, and those it does not read.
const urgent = ["outbid", "winner"];
const quiet = ["joined", "left", "next", "hammered", "revealed"];
let askedAt = 0;

model.observer = ({ kind, text, message }) => {
	if (floatMessage(message, model.nameOf)) return;
	if (kind === "winner" && model.isMine(message) && !(model.gain < 0)) throwConfetti();
	const isTooSoon = kind === "ask" && !isDue(askedAt, 3_000, clock.now());
	if (kind === "ask" && !isTooSoon) askedAt = clock.now();
	if (!isTooSoon && !quiet.includes(kind)) say(urgent.includes(kind) ? "alert" : "announce", text);
	signal(kind === "winner" && model.isMine(message) ? "won" : kind);
	if (kind !== "lot") return;
	loads.laps.forget();
	forgetAmount();
};

$("try-now").onclick = () => connection.wake();

window.auction = { model, connection, bidding, chart, loads, frames: 0 };
$("broken").remove();
run(connection, tick);
