// The page: connects the model, the connection and the bid box with the elements of index.html.
//
// For tests: `window.auction` has the parts, and counts rendered frames. The ids of index.html are stable, and <body> has
// data-phase, data-standing, data-format, data-going and data-paused, as Connection and Model say them.

import { say, signal } from "./alerts.js";
import { beginAuctioneer, showAuctioneer, signedIn } from "./auctioneer.js";
import { Bidding, parsedAmount } from "./bidding.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { $, h, isConfirmed, note, onSubmit, set, storage } from "./dom.js";
import { chartText, showLists } from "./lists.js";
import { beginRooms, entered, showRooms, takeKey } from "./lobby.js";
import { Model, lapOf } from "./model.js";
import { Resource } from "./resource.js";
import { Keys, pathOf, roomAt } from "./rooms.js";
import { showStage, titleText } from "./stage.js";
import { counted, grouped, sameName, secondsLeft, signed } from "./words.js";

const store = storage("localStorage");
const tokenKey = (game, name) => `auction/${game}/token/${name.toLowerCase()}`;
const nameKey = () => `auction/${model.game}/name`;
const clock = { now: () => Date.now(), after: (delay, run) => setTimeout(run, delay) };

const model = new Model();
const keys = new Keys(store, storage("sessionStorage"), { room: roomAt(location.pathname), key: takeKey() });
const connection = new Connection({
	model,
	clock,
	keys,
	open: (room) => new WebSocket(location.origin.replace("http", "ws") + `${pathOf(room)}/ws`.replace("//", "/")),
	hasRoom: (room) => fetch(pathOf(room), { method: "HEAD" }).then(({ status }) => status !== 404, () => true),
	tokens: {
		get: (game, name) => store[tokenKey(game, name)],
		set: (game, name, token) => (store[tokenKey(game, name)] = token ?? ""),
	},
});
const bidding = new Bidding({ model, connection, clock });
const chart = new Chart($("chart"), $("chart-back"), readColors);

async function request(command) {
	const answer = await connection.request(command);
	if (!answer.isOK) throw new Error(answer.content);
	return answer;
}

async function requestLaps() {
	const { content, data } = await request("laps 1 1000");
	const count = Number(content.split(" ")[1]);
	return count > 1_000 ? (await request(`laps ${count - 998} 1000`)).data : data;
}

const loads = {
	laps: new Resource(requestLaps, (laps) => model.loadLaps(laps.map(lapOf))),
	people: new Resource(() => request("who"), ({ data }) => {
		model.loadPeople(data.map(({ bidder }) => bidder));
	}),
	lots: new Resource(() => request("results"), ({ data }) => model.loadResults(data)),
	standings: new Resource(() => request("standings"), ({ data }) => model.loadStandings(data)),
	rooms: new Resource(() => request("rooms")),
};

for (const name in loads) {
	const parts = [h("span", {}), " ", h("button", {}, "Try again")];
	const line = h("p", { id: `${name}-load`, class: "load", hidden: "" }, ...parts);
	line.lastChild.onclick = () => loads[name].load();
	$(`${name}-title`).after(line);
}

// MARK: Frames

let isRequested = false;
let [shownAt, shownBids, listedAt] = [0, 0, 0];
let endedBefore = ",,";

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
	const ended = [model.outcome?.lot, model.value, model.lotsInAll].join();
	if (ended !== endedBefore) setTimeout(() => loads.standings.load(), 1_000 * Math.random());
	endedBefore = ended;
	if (document.hidden || isRequested) return;
	isRequested = true;
	requestAnimationFrame(() => {
		isRequested = false;
		window.auction.frames += 1;
		const now = clock.now();
		showLink(now);
		showStage(model, now);
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

function showLink(now) {
	const { phase, reason, retryAt } = connection;
	document.body.dataset.phase = phase;
	const isLost = phase === "lost";
	set($("link-text"), isLost ? reason : [reason, phase].filter(Boolean).join(" · "));
	set($("retry"), isLost ? `· next try in ${secondsLeft(retryAt, now)} s` : "");
	$("try-now").hidden = !isLost;
	showAuctioneer();
}

// MARK: Bid box

// Whether the amount was typed: then the minimum bid does not replace it.
let isEdited = false;
const raiseButtons = [...$("raises").children].slice(0, 3);
let heldRaise = null;
let announced = null;

// The amount until another one is typed.
const suggestion = () => String(model.yours ?? model.least ?? "");

const typedAmount = () => parsedAmount($("amount").value);

function showBidBox() {
	const { me, purse, format } = model;
	const { obstacle, answer } = bidding;
	const isDutch = format === "dutch";
	$("name-form").hidden = me !== null;
	$("named").hidden = me === null;
	set($("me"), me ?? "");
	set($("purse"), purse === null ? "" : `Purse: ${grouped(purse)} left`);
	$("chat").hidden = me === null;
	document.querySelector(".skip").href = isDutch ? "#take" : "#amount";
	$("take").hidden = !isDutch;
	$("amount").hidden = $("bid").hidden = isDutch;
	if (!isEdited && $("amount").value !== suggestion()) {
		$("amount").value = suggestion();
		selectAmount();
	}
	const typed = isDutch ? model.ask : typedAmount();
	const text = obstacle ?? (typed === null ? "Bid" : `${verb(typed)} ${grouped(typed)}`);
	for (const id of ["take", "bid"]) showButton($(id), text, typed, "", obstacle !== null);
	const warning = obstacle ? "" : bidding.warning(typed);
	const { kind, text: words } = answer ?? { kind: warning && "bad", text: warning };
	note("answer", kind, words);
	if (answer !== announced && words && kind !== "sending") say("announce", words);
	announced = answer;
	showMaximum(typed);
	showRaises(obstacle !== null);
	keepFocus();
}

function verb(amount) {
	const { format, isSealed, yours } = model;
	if (format === "dutch") return "Take at";
	if (!isSealed) return "Bid";
	return yours === null ? "Seal" : yours === amount ? "Sealed" : "Replace by";
}

// Shows on a button what it does, and in a game what that earns.
function showButton(button, text, amount, aside, isOff) {
	const gain = isOff || amount === null ? null : model.gainAt(amount);
	const earn = model.worth?.isEstimate ? "perhaps" : "earn";
	set(button.firstChild, text);
	set(button.lastChild, gain === null ? aside : `${earn} ${signed(gain)}`);
	button.dataset.kind = isOff || !bidding.warning(amount) ? "" : "bad";
	button.setAttribute("aria-disabled", isOff);
	button.style.setProperty("--digits", text.length);
}

// Moves the focus from an element that disappears to the bid box itself, where Enter does nothing.
function keepFocus() {
	const focus = document.activeElement;
	if ($("dock").contains(focus) && !focus.checkVisibility()) $("dock").focus();
}

// Offers to bid up to the typed amount, in the place of an answer, or shows the maximum bid.
function showMaximum(typed) {
	const { maximum, leads, leading, least, me } = model;
	const current = !leads && leading?.amount >= maximum ? null : maximum;
	const isNew = typed !== null && typed !== current && typed >= (leads ? leading.amount : least);
	const hasFocus = $("proxy").contains(document.activeElement);
	$("proxy").hidden = me === null || !bidding.allowsMaximum || (bidding.answer && !hasFocus);
	$("set-max").hidden = !isNew || (current !== null && !isEdited);
	$("clear-max").hidden = current === null;
	set($("max"), current === null ? "" : `The server bids for you up to ${grouped(current)}`);
	set($("set-max"), `${current === null ? "Bid for me" : "Now"} up to ${grouped(typed)}`);
}

// Between lots the buttons stay, so that none loses the focus.
function showRaises(isOff) {
	const { buyPrice, format, me } = model;
	const isEnglish = format === "english";
	$("raises").hidden = me === null || !(isEnglish || buyPrice);
	$("buy").hidden = buyPrice === null;
	showButton($("buy"), `Buy ${grouped(buyPrice ?? 0)}`, buyPrice, "at once", bidding.isBlocked);
	raiseButtons.forEach((button, index) => {
		button.hidden = !isEnglish;
		// What is under a finger does not change.
		if (heldRaise === button) return;
		const { amount = null, more } = bidding.raises[index] ?? {};
		const text = amount === null ? "–" : grouped(amount);
		button.amount = amount;
		button.setAttribute("aria-label", `Bid ${text}`);
		showButton(button, text, amount, more ? `+${grouped(more)}` : "\u00a0", isOff);
	});
}

// Selects the amount, so that what is typed replaces it.
function selectAmount() {
	if (document.activeElement === $("amount")) $("amount").select();
}

async function act(run) {
	if (model.me === null) return askName("", "Type a name first, then bid");
	isEdited = false;
	const sent = run();
	tick();
	await sent;
	tick();
}

onSubmit("bid-form", () => act(() => bidding.place(typedAmount())));
for (const button of raiseButtons) {
	button.onpointerdown = () => (heldRaise = button);
	button.onclick = () => button.amount && act(() => bidding.place(button.amount));
}
$("buy").onclick = async () => {
	if (bidding.isBlocked) return;
	const { offer } = bidding;
	const question = `Buy ${model.lot.title} now for ${grouped(model.buyPrice)}?`;
	if (await isConfirmed(question)) act(() => bidding.buy(offer));
};
$("take").onclick = () => act(() => bidding.take());
$("set-max").onclick = () => changeMaximum(typedAmount());
$("clear-max").onclick = () => changeMaximum(null);
function changeMaximum(amount) {
	// The button may disappear.
	if (document.activeElement.matches("#proxy :focus-visible")) $("amount").focus();
	act(() => bidding.setMaximum(amount));
}
for (const type of ["pointerup", "pointercancel"]) {
	addEventListener(type, () => setTimeout(() => (heldRaise = null)));
}
// After the click has set the caret.
$("amount").onfocus = () => setTimeout(selectAmount);
$("amount").oninput = () => {
	isEdited = $("amount").value !== suggestion();
	tick();
};
$("amount").onkeydown = (event) => {
	const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
	if (event.key === "Escape") isEdited = false;
	if (!steps || model.least === null) return;
	event.preventDefault();
	const amount = (typedAmount() ?? model.least) + steps * model.step;
	$("amount").value = Math.max(model.least, amount);
	isEdited = true;
};

// MARK: Name

let mayUseStoredName = true;
let kickReason = "";

function askName(kind, text) {
	$("name-form").hidden = false;
	note("name-note", kind, text);
	$("name").focus();
}

onSubmit("name-form", async () => {
	const name = $("name").value.trim();
	if (!/^[\w-]{1,24}$/.test(name)) return askName("bad", refusals["bad-name"]());
	note("name-note", "", "Joining…");
	const { code } = await connection.takeName(name);
	if (code === "lost") askName("bad", "There is no connection, try again");
});
$("change-name").onclick = () => {
	mayUseStoredName = false;
	store[nameKey()] = "";
	connection.dropName();
	askName("", "");
};

function greeted() {
	if (entered()) {
		isEdited = false;
		bidding.answer = null;
		for (const id of ["auctioneer-note", "chat-note"]) note(id, "", "");
		// The question was about the other room.
		$("confirm").close();
	}
	const name = store[nameKey()];
	if (name && mayUseStoredName && connection.name === null) connection.takeName(name);
	for (const load of Object.values(loads)) if (load.lastError) load.load();
	forgetOldGames();
}

// Keeps those of the newest 20 games.
function forgetOldGames() {
	const known = (store["auction/games"] ?? "").split(" ").filter((game) => game !== model.game);
	const games = [model.game, ...known].slice(0, 20);
	store["auction/games"] = games.join(" ");
	for (const key of Object.keys(store)) {
		const [app, game, entry] = key.split("/");
		if (app === "auction" && entry && !games.includes(game)) delete store[key];
	}
}

const refusals = {
	"name-taken": () => "This name belongs to somebody else, choose another one",
	"wrong-token": () => refusals["name-taken"](),
	"bad-name": () => "A name has 1 to 24 letters, digits, _ or -",
	full: () => "All names of this server are in use, try again later",
	kicked: (name, wait) => `The auctioneer removed ${name}, wait ${wait}`,
	"slow-down": (_, wait) => `Too many tries, wait ${wait}`,
};

connection.notice = ({ kind, name, isOK, code, content, message }) => {
	if (kind === "greeted") return greeted();
	if (kind === "auctioneer") return signedIn(isOK, content);
	mayUseStoredName = false;
	if (kind === "named") {
		store[nameKey()] = name;
		note("name-note", "", "");
		// On a phone the focus would open the keyboard over the page.
		const isTouched = matchMedia("(pointer: coarse)").matches;
		if (document.activeElement === $("name") && !isTouched) setTimeout(() => $("amount").focus());
		return;
	}
	$("name").value = name;
	const wait = counted(message?.seconds ?? 0, "second");
	const texts = {
		"name-refused": refusals[code]?.(name, wait) ?? content,
		replaced: `${name} is now used in another window. Press Join to use it here`,
		kicked: `The auctioneer removed you: ${kickReason}`,
	};
	note("name-note", "bad", texts[kind]);
};

// MARK: Chat

onSubmit("chat", async () => {
	const text = $("chat-text").value.trim();
	if (!text) return;
	const { isOK, content } = await connection.requestHere(`say ${text}`);
	$("chat-note").hidden = isOK;
	note("chat-note", "bad", content);
	if (isOK) $("chat-text").value = "";
});

// MARK: Lists and chart

function showLoad(line, { loading, result, lastError }) {
	line.hidden = !(lastError || (loading && result === undefined));
	line.dataset.kind = loading ? "" : "bad";
	set(line.firstChild, loading ? "Loading…" : `Not loaded: ${lastError}`);
	line.lastChild.hidden = loading;
}

// The colours of the legend, and the size of its font.
function readColors() {
	const color = (selector) => getComputedStyle(document.querySelector(selector)).color;
	return {
		price: color("#legend .price"), rate: color("#legend .rate"), join: color("#legend .join"),
		gap: color("#legend .gap"), ink: color("#legend"),
		font: parseFloat(getComputedStyle($("legend")).fontSize) * 0.9,
	};
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

// MARK: Events

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
		isEdited = false;
	}
	if (kind === "kicked" && isMine) kickReason = message.reason;
};

$("try-now").onclick = () => connection.tryNow();
for (const type of ["online", "pageshow"]) addEventListener(type, () => connection.wake());
document.onvisibilitychange = () => {
	isRequested = false;
	if (!document.hidden) connection.wake();
	tick();
};

window.auction = { model, connection, bidding, chart, loads, frames: 0 };
beginAuctioneer(connection);
beginRooms(connection, model, keys, loads.rooms);
$("broken").remove();
connection.begin();
setInterval(tick, 100);
