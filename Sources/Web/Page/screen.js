// The page for the big screen. It takes no input, and follows the sale without a name.
//
// For tests: <body> has data-phase, data-view ("lobby", "play", "result" or "podium") and data-going.

import { $, make, restart, set } from "./dom.js";
import { showFace } from "./faces.js";
import { floatReaction } from "./floats.js";
import { clock, connection, loads, model } from "./parts.js";
import { isLoopback, pathOf } from "./rooms.js";
import { ageText, callText, counted, grouped, newsText, priceLabel, secondsLeft, signed } from "./words.js";

const times = { result: 6_000, speech: 7_000, ranking: 1_000 };
const most = { speech: 4, faces: 48, rows: 10, bids: 3 };

let origin = location.origin;
// When the result of the newest lot is hidden.
let resultUntil = 0;
// The ranks before the newest lot ended, by bidder.
let formerRanks = new Map();
let rankedFor = "";
let rankedAt = 0;
let isRequested = false;

// Keeps rows made from a template in step with items, by their keys.
function fill(list, template, items, keyOf, update) {
	const before = new Map([...list.children].map((row) => [row.dataset.key, row]));
	items.forEach((item, index) => {
		const key = String(keyOf(item));
		const row = before.get(key) ?? $(template).content.firstElementChild.cloneNode(true);
		before.delete(key);
		row.dataset.key = key;
		update(row, item, index);
		if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
	});
	for (const row of before.values()) row.remove();
}

const { nameOf } = model;

function showBidder(element, bidder) {
	const [face, name] = element.children;
	showFace(face, bidder, bidder && nameOf(bidder));
	set(name, bidder ? nameOf(bidder) : "");
}

function view(now) {
	if (model.lot === 0 || model.state.stage === "waiting") return "lobby";
	if (model.isOpen) return "play";
	if (now < resultUntil || model.state.stage !== "over") return "result";
	return "podium";
}

function show(now) {
	const { state, lot } = model;
	const shown = view(now);
	const going = connection.phase === "live" ? state.going ?? "" : "";
	Object.assign(document.body.dataset, { phase: connection.phase, view: shown, going });
	set($("notice"), noticeText(now));
	const first = state.firstLot ?? 1;
	const count = state.lots ? ` of ${state.lots - first + 1}` : "";
	const place = [connection.room !== "main" && `Room ${connection.room}`, lot > 0 && `Lot ${lot - first + 1}${count}`];
	if (state.games > 1) place.push(`Game ${state.games}`);
	set($("place"), place.filter(Boolean).join(" · ") || "Live auction");
	set($("title"), titleOf(shown));
	set($("rule"), shown === "play" ? newsText(model.news.terms ?? { text: "the highest bid wins when the countdown ends" }) : "\u00a0");
	({ lobby: showLobby, play: showPlay, result: showResult, podium: showPodium })[shown](now);
	showComing(shown, now);
	showRanking();
}

function titleOf(shown) {
	if (shown === "lobby") return "The auction is about to begin";
	return shown === "podium" ? "That was the last lot" : model.state.title;
}

function noticeText(now) {
	const { phase, retryAt } = connection;
	if (phase === "gone") return "This room is not open";
	if (phase === "live") return model.state.stage === "paused" ? "Paused" : "";
	return phase === "lost" ? `Connection lost, back in ${secondsLeft(retryAt, now)} s` : "Connecting…";
}

function showLobby() {
	const names = [...(model.people?.values() ?? [])];
	set($("here"), names.length ? `${counted(names.length, "bidder")} ${names.length === 1 ? "is" : "are"} here` : "Nobody is here yet");
	fill($("faces"), "face-row", names.slice(-most.faces), (name) => name, (row, name) => {
		showFace(row.firstChild, name, nameOf(name));
		set(row.lastChild, nameOf(name));
	});
}

function showPlay(now) {
	const { state, endsAt, isSealed, series } = model;
	const { leader, bids, seconds, stage } = state;
	const price = isSealed ? bids : model.price;
	const text = price === null ? "–" : grouped(price);
	if ($("price").textContent !== text) {
		set($("price"), text);
		$("price").style.setProperty("--digits", Math.max(3, text.length));
		restart($("price"));
	}
	const isRunning = connection.phase === "live" && endsAt !== null;
	const part = isRunning ? Math.min(1, Math.max(0, (endsAt - now) / 1_000 / seconds)) : 1;
	$("ring").style.setProperty("--spent", `${100 - 100 * part}`);
	set($("seconds"), isRunning ? String(secondsLeft(endsAt, now)) : "");
	set($("leads"), leader ? "leads" : isSealed ? counted(bids, "sealed bid") : priceLabel(model));
	if ($("leader").dataset.name !== (leader ?? "")) {
		$("leader").dataset.name = leader ?? "";
		restart($("leader"));
	}
	showBidder($("leader"), leader);
	const isPlain = isRunning && !state.going && !state.isLast && stage !== "paused";
	set($("call"), isPlain ? "" : callText(model, now));
	document.body.dataset.call = stage === "paused" ? "strong" : "";
	const laps = isSealed ? [] : series.laps.slice(-most.bids).reverse();
	fill($("bids"), "bid-row", laps, ({ bid }) => bid, (row, lap) => {
		showFace(row.children[0], lap.bidder, " ");
		set(row.children[1], grouped(lap.amount));
		set(row.children[2], nameOf(lap.bidder));
		set(row.children[3], model.openedAt === null ? "" : ageText(now - model.openedAt - lap.elapsed));
	});
}

function showResult() {
	const { outcome, state: { winnerWorth = null }, news, revealed } = model;
	const bidder = outcome?.bidder ?? null;
	$("result").dataset.kind = bidder ? "sold" : "passed";
	set($("stamp"), bidder ? "Sold" : "Unsold");
	$("buyer").hidden = !bidder;
	showBidder($("buyer"), bidder);
	set($("paid"), bidder ? `for ${grouped(outcome.amount)}` : newsText(outcome ?? {}));
	const worth = news.value?.value ?? winnerWorth;
	const gain = bidder && worth !== null ? worth - outcome.amount : null;
	$("earned").dataset.kind = gain === null ? "" : gain < 0 ? "bad" : "good";
	const ending = gain < 0 ? `${grouped(-gain)} too dear` : `${signed(gain ?? 0)} earned`;
	set($("earned"), gain === null ? "" : `worth ${grouped(worth)}: ${ending}`);
	fill($("revealed"), "bid-row", revealed.slice(0, 8), (bid) => bid.bidder, (row, bid) => {
		showFace(row.children[0], bid.bidder, " ");
		set(row.children[1], grouped(bid.amount));
		set(row.children[2], nameOf(bid.bidder));
	});
}

function scoreText({ profit, lots, points }) {
	const score = profit === undefined ? counted(lots, "lot") : signed(profit);
	return points === undefined || model.state.games < 2 ? score : `${score} · ${counted(points, "point")}`;
}

function showPodium() {
	const { standings, champions, awards = [] } = model;
	set($("champion"), champions.map(newsText).join(" · "));
	fill($("places"), "place-row", standings.slice(0, 3), ({ bidder }) => bidder, (row, standing, index) => {
		row.dataset.place = index + 1;
		const [face, name, score, step] = row.children;
		showFace(face, standing.bidder, nameOf(standing.bidder));
		set(name, nameOf(standing.bidder));
		set(score, scoreText(standing));
		set(step, String(standing.rank));
	});
	$("awards").replaceChildren(...awards.map((text) => make("li", { textContent: text })));
}

function showComing(shown, now) {
	const { state: { next = [], lots, lot }, nextAt } = model;
	const more = lots ? lots - lot - Math.min(next.length, 3) : 0;
	const titles = next.slice(0, 3).map((title) => make("b", { textContent: title }));
	const parts = titles.flatMap((title) => [" · ", title]).slice(1);
	const when = nextAt === null ? "Next  " : `Next in ${secondsLeft(nextAt, now)} s  `;
	const text = [when, ...titles.map(({ textContent }) => textContent), more].join();
	if ($("coming").dataset.text === text) return;
	$("coming").dataset.text = text;
	const rest = more > 0 ? [` · ${grouped(more)} more`] : [];
	$("coming").replaceChildren(...(titles.length ? [when, ...parts, ...rest] : []));
}

function showRanking() {
	const { standings, state: { purse = null } } = model;
	const hasProfits = standings.some((row) => "profit" in row);
	const left = purse === null ? "" : " and what is left";
	set($("ranking-title"), standings.length ? `${hasProfits ? "Profit" : "Lots"} so far${left}` : "\u00a0");
	fill($("ranking"), "ranking-row", standings.slice(0, most.rows), ({ bidder }) => bidder, (row, standing) => {
		const [face, name, move, score, bar] = row.children;
		const { bidder, rank } = standing;
		showFace(face, bidder, nameOf(bidder));
		set(name, nameOf(bidder));
		const former = formerRanks.get(bidder) ?? rank;
		set(move, former > rank ? "▲" : former < rank ? "▼" : "");
		set(score, scoreText(standing));
		bar.hidden = purse === null;
		bar.style.setProperty("--face", face.style.getPropertyValue("--face"));
		bar.firstChild.style.setProperty("--left", purse ? (standing.left ?? 0) / purse : 0);
	});
}

// Loads the standings when somebody comes or goes, and at the end of each lot.
function rank(now) {
	const basis = [model.outcome?.lot, model.state.stage === "over", model.state.games, model.state.purse, model.people?.size].join();
	if (connection.phase !== "live" || basis === rankedFor || now < rankedAt + times.ranking) return;
	[rankedFor, rankedAt] = [basis, now];
	loads.standings.load();
}

model.observer = ({ kind, text, message }) => {
	// Before the first lot all have the same rank.
	const isFirst = model.standings.every(({ rank }) => rank === 1);
	if (kind === "lot") formerRanks = new Map(isFirst ? [] : model.standings.map(({ bidder, rank }) => [bidder, rank]));
	if (["winner", "passed"].includes(kind)) resultUntil = clock.now() + times.result;
	if (["winner", "passed", "over"].includes(kind)) set($("announce"), text);
	if (kind === "reacted") floatReaction(message.content, nameOf(message.bidder));
	if (kind === "said") speak(message);
};

function speak({ bidder, content }) {
	const item = make("li", { textContent: `${nameOf(bidder)}: ${content}` });
	$("speech").append(item);
	if ($("speech").children.length > most.speech) $("speech").firstChild.remove();
	setTimeout(() => item.remove(), times.speech);
}

// Others cannot open a loopback address, so the server's other address is used.
async function showAddress() {
	if (isLoopback(location.hostname)) {
		const { url } = await (await fetch("/address")).json().catch(() => ({}));
		if (url) origin = new URL(url).origin;
	}
	const path = pathOf(connection.room);
	const address = origin.replace(/^https?:\/\//, "") + (path === "/" ? "" : path);
	for (const element of document.querySelectorAll(".address")) set(element, address);
	for (const image of document.querySelectorAll("img.code")) image.src = `${path === "/" ? "" : path}/qr.svg`;
}

async function stayAwake() {
	if (!document.hidden) await navigator.wakeLock?.request("screen").catch(() => {});
}

function tick() {
	const now = clock.now();
	rank(now);
	if (document.hidden || isRequested) return;
	isRequested = true;
	requestAnimationFrame(() => {
		isRequested = false;
		show(clock.now());
	});
}

connection.needsLoad = () => {
	rankedFor = "";
	for (const name of ["laps", "people", "standings"]) loads[name].load();
};
document.onvisibilitychange = () => {
	isRequested = false;
	if (!document.hidden) connection.wake();
	stayAwake();
};
window.auction = { model, connection, loads };
connection.begin();
showAddress();
stayAwake();
setInterval(tick, 100);
