// The big screen. It takes no input, and follows the sale without a name.
//
// For tests: <body> has data-phase, data-view and data-going.

import { openAudio, say, signal } from "./alerts.js";
import { $, all, colorOf, inFrame, keepRows, mark, restart, run, set, showFace } from "./dom.js";
import { floatMessage, stillness, throwConfetti } from "./floats.js";
import { clock, connection, loads, model, rank, reach } from "./parts.js";
import { pathOf } from "./rooms.js";
import { showCountdown, showOpening } from "./stage.js";
import {
	ageText, callText, connectionText, counted, dotted, gameText, grouped, newsText, numberText, priceLabel, ruleText, signed,
} from "./words.js";

// The price rolls up, and 3 s after the hammer the standings follow; screen.css has the other delays.
const times = { result: 6_000, roll: 1_300, standings: 3_000, champion: 3_600 };
const most = { faces: 40, rows: 16, bids: 3, revealed: 6 };

// When the newest lot ended, and that of the podium that was cheered.
let [hammeredAt, cheeredAt] = [0, 0];
// The standings that are shown, their newest lot, and the ranks before it by bidder.
let [standings, rankedLot, formerRanks] = [[], undefined, new Map()];

const { nameOf } = model;

// Keeps a row for each award, bid or bidder.
function fill(id, items, update) {
	const kept = new Map(items.map((item) => [item.award ?? item.bid ?? item.bidder ?? item, item]));
	const create = () => $("row").content.firstElementChild.cloneNode(true);
	keepRows($(id), [...kept.keys()], create, (row, key, index) => {
		row.style.setProperty("--index", index);
		update([...row.children], kept.get(key), row);
	});
}

// Sets a text whose size follows from its length, and which is animated when it changes.
function fit(element, text, length = text.length) {
	if (element.textContent === text) return;
	element.textContent = text;
	element.style.setProperty("--letters", length);
	restart(element);
}

// Shows a bidder, or without one a text, which may have two lines.
function showBidder(face, name, bidder, text = "") {
	const shown = bidder ? nameOf(bidder) : text;
	showFace(face, bidder, shown);
	fit(name, shown, bidder ? shown.length : shown.length / 2);
}

function showCrowd(count, few, many) {
	mark({ crowd: count > many ? "large" : count > few ? "medium" : "" });
}

const within = (part) => Math.min(1, Math.max(0, part));

// A rematch is announced before its first lot, as at the beginning.
function view(now) {
	const { lot, isOpen, state: { stage, firstLot } } = model;
	if (lot === 0 || stage === "waiting" || lot < firstLot) return "lobby";
	if (isOpen) return "play";
	return stage !== "over" || now < hammeredAt + times.result ? "result" : "podium";
}

function show(now) {
	const { state, lot } = model;
	const shown = view(now);
	const { phase, room } = connection;
	const { firstLot: first = 1, games } = state;
	const lots = state.lots && state.lots - first + 1;
	const titles = { lobby: `${games > 1 ? `Game ${games}` : "The auction"} is about to begin`, podium: "That was the last lot" };
	mark({ phase, view: shown, going: (phase === "live" && state.going) || "" });
	for (const section of all("section")) section.hidden = section.id !== shown;
	set($("notice"), connectionText(connection, lot > 0, now) || (state.stage === "paused" ? "Paused" : ""));
	set($("place"), dotted(room !== "main" && `Room ${room}`, !(shown in titles) && numberText(state), games > 1 && `Game ${games}`) || "Live auction");
	fit($("title"), titles[shown] ?? state.title);
	set($("rule"), shown === "lobby" ? gameText({ ...state, lots }) : ruleText({ ...model, isOpen: shown !== "podium" }));
	({ lobby: showLobby, play: showPlay, result: showResult, podium: showPodium })[shown](now);
	showComing(now);
	showRanking(shown, now);
}

function showLobby() {
	const { names } = model;
	showCrowd(names.length, 12, 24);
	set($("here"), names.length ? `${counted(names.length, "bidder")} ${names.length === 1 ? "is" : "are"} here` : "Nobody is here yet");
	fill("faces", names.slice(-most.faces), ([face, name], bidder) => showBidder(face, name, bidder));
}

function showPlay(now) {
	const { state, isSealed, isFalling, series } = model;
	const { leader, bids, stage } = state;
	const price = isSealed ? bids : model.price;
	fit($("price"), price === null ? "–" : grouped(price));
	showCountdown(model, connection.phase === "live", now);
	set($("leads"), leader ? "leads" : isSealed ? counted(bids, "sealed bid") : priceLabel(model));
	const question = isSealed ? "Who bids most?" : isFalling ? "Who takes it first?" : "Who bids first?";
	showBidder(...$("leader").children, leader, question);
	set($("call"), callText(model, now));
	$("call").dataset.kind = stage === "paused" || state.going ? "strong" : "";
	const laps = isSealed ? [] : series.laps.slice(-most.bids).reverse();
	fillBids("bids", laps, now);
}

// A sealed bid has no age.
function fillBids(id, bids, now) {
	fill(id, bids, ([face, price, name, age], { bidder, amount, elapsed = null }) => {
		showBidder(face, name, bidder);
		set(price, grouped(amount));
		set(age, elapsed === null || model.openedAt === null ? "" : ageText(now - model.openedAt - elapsed));
	});
}

// What the delays of a reveal are multiplied by, so that it ends before the next lot opens.
function pace() {
	if (stillness.matches) return 0;
	return model.nextAt === null ? 1 : within((model.nextAt - hammeredAt) / 5_000);
}

function showResult(now) {
	const { outcome, state: { winnerWorth = null }, news, revealed } = model;
	const { bidder = null, amount } = outcome ?? {};
	const result = $("result");
	result.dataset.kind = bidder ? "sold" : "passed";
	result.style.setProperty("--pace", pace());
	const [face, stamp] = $("disc").children;
	set(stamp, bidder ? "Sold" : "Unsold");
	showBidder(face, $("buyer").firstChild, bidder, newsText({ text: newsText(outcome ?? {}).split(": ").at(-1) }));
	const part = within((now - hammeredAt) / (times.roll * pace() || 1));
	if (part < 1) tick();
	// The price rolls fast, and then slowly.
	fit($("paid").lastChild, grouped(Math.round(amount * (1 - (1 - part) ** 4))), grouped(amount).length);
	fillBids("revealed", revealed.slice(0, most.revealed));
	const worth = news.value?.value ?? winnerWorth;
	const gain = worth - amount;
	$("earned").hidden = !bidder || worth === null;
	const [sum, reason] = $("earned").children;
	sum.dataset.kind = gain < 0 ? "bad" : "good";
	set(sum, `${grouped(Math.abs(gain))} ${gain < 0 ? "too dear" : "to the good"}`);
	set(reason, `worth ${grouped(worth)}`);
}

function showPodium(now) {
	const { champions, championNames: names, awards, state: { games } } = model;
	const isChampion = ({ bidder }) => champions.some((champion) => champion.bidder === bidder);
	const best = [...model.standings].sort((a, b) => isChampion(b) - isChampion(a)).slice(0, champions.length && 3);
	fit($("champion"), names ? `${names} ${champions.length > 1 ? "are the champions" : "is the champion"}` : "Nobody has bought anything");
	fill("places", best, ([face, name, score, step], { bidder, rank, profit, lots, points }) => {
		showBidder(face, name, bidder);
		set(score, dotted(profit === undefined ? counted(lots, "lot") : signed(profit), games > 1 && counted(points ?? 0, "point")));
		set(step, rank);
	});
	fill("awards", awards, ([face, name, fact, heading], { bidder, text }) => {
		const [kind] = text.split(": ");
		showBidder(face, name, bidder);
		set(fact, text.slice(kind.length + bidder.length + 3));
		set(heading, newsText({ text: kind }));
	});
	if (best.length === 0 || cheeredAt === hammeredAt || now < hammeredAt + times.result + times.champion) return;
	cheeredAt = hammeredAt;
	signal("won");
	throwConfetti();
}

function showComing(now) {
	const { next = [], lots, lot } = model.state;
	showOpening($("opening"), model, now);
	const [first, ...later] = next.slice(0, 3);
	const more = lots ? lots - lot - Math.min(next.length, 3) : 0;
	set($("next"), first ? `Next: ${first}` : "");
	set($("later"), dotted(...later, more > 0 && `${grouped(more)} more`));
}

// Shows the newest standings: after a lot when its reveal comes to them, the last ones after the podium.
function showRanking(shown, now) {
	const { outcome, state: { stage, purse = null, games } } = model;
	const isNew = standings !== model.standings && now >= hammeredAt + (stage === "over" ? times.result : times.standings * pace());
	const before = isNew && !stillness.matches ? [...$("ranking").children].map((row) => [row, row.offsetLeft, row.offsetTop]) : [];
	if (isNew) {
		const lot = outcome?.lot ?? rankedLot;
		// Before the first lot all have the same rank.
		const isFirst = standings.every(({ rank }) => rank === 1);
		if (lot !== rankedLot) formerRanks = new Map(isFirst ? [] : standings.map(({ bidder, rank }) => [bidder, rank]));
		[standings, rankedLot] = [model.standings, lot];
	}
	const rows = standings.slice(0, most.rows);
	if (shown !== "lobby") showCrowd(rows.length, 5, 8);
	const title = `${standings.some((row) => "profit" in row) ? "Profit" : "Lots won"}${purse === null ? "" : ", and money left"}`;
	set($("ranking-title"), shown === "podium" ? "Final standings" : rows.length ? title : "\u00a0");
	const hidden = standings.length - rows.length;
	set($("others"), hidden ? `and ${hidden} more` : "");
	$("ranking").dataset.purse = purse !== null;
	fill("ranking", rows, ([face, name, score, move], { bidder, rank, left = 0, profit, lots, points }, row) => {
		showBidder(face, name, bidder);
		set(score, profit === undefined ? String(lots) : signed(profit));
		const rise = outcome?.lot === rankedLot ? (formerRanks.get(bidder) ?? rank) - rank : 0;
		move.dataset.kind = rise > 0 ? "good" : rise < 0 ? "bad" : "";
		set(move, dotted(rise && (rise > 0 ? `▲${rise}` : `▼${-rise}`), games > 1 && points !== undefined && counted(points, "point")));
		row.style.setProperty("--face", colorOf(bidder));
		row.style.setProperty("--left", purse ? left / purse : 0);
	});
	for (const [row, left, top] of before) {
		const move = `translate(${left - row.offsetLeft}px, ${top - row.offsetTop}px)`;
		row.animate({ transform: [move, "none"] }, { duration: 800, easing: "ease-in-out" });
	}
}

model.observer = ({ kind, text, message }) => {
	const isEnd = ["winner", "passed"].includes(kind);
	if (isEnd) hammeredAt = clock.now();
	if (isEnd || ["over", "said"].includes(kind)) say("announce", text);
	floatMessage(message, nameOf);
	signal(kind);
};

async function showAddress() {
	const { origin } = await reach();
	const path = pathOf(connection.room).replace(/\/$/, "");
	const address = origin.replace(/^https?:\/\//, "") + path;
	for (const element of all(".address")) set(element, address);
	for (const image of all("img.code")) image.src = `${path}/qr.svg`;
}

function tick() {
	const now = clock.now();
	const { people, state: { games, purse } } = model;
	if (connection.phase === "live") rank(now, [games, purse, people?.size]);
	inFrame(() => show(clock.now()));
}

connection.needsLoad = () => {
	for (const name of ["laps", "people", "standings"]) loads[name].load();
};
window.auction = { model, connection, loads };
showAddress();
openAudio();
run(connection, tick);
