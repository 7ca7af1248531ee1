// The bid box, and in its place the result between lots, and the instructions before a round of a class.

import { say } from "./alerts.js";
import { Trigger, parsedAmount } from "./bidding.js";
import { $, isConfirmed, make, mark, note, onSubmit, set, showFace, showRows } from "./dom.js";
import { bidderRow } from "./lists.js";
import { bidding, clock, connection, model, store } from "./parts.js";
import { showOpening } from "./stage.js";
import {
	counted, gameText, grouped, moveText, newsText, ordinal, plainName, ruleText, secondsLeft, sentence, signed,
} from "./words.js";

// Whether the amount was typed: then the minimum bid does not replace it.
let isEdited = false;
let isTyping = false;
let isMaximum = false;
let announced = null;
let hiddenFocus = null;

const raiseButtons = [...$("raises").children].slice(0, 3);
const buttons = [...raiseButtons, $("buy"), $("take"), $("bid"), $("set-max")];
const isTouched = matchMedia("(pointer: coarse)").matches;
for (const button of buttons) button.append(make("span"), make("small"));
let triggers;

export function clearBidBox() {
	triggers = new Map(buttons.map((button) => [button, new Trigger()]));
	forgetAmount();
}
clearBidBox();

export function forgetAmount() {
	isEdited = isMaximum = false;
}

const mainButton = () => (isMaximum ? $("set-max") : $("bid"));

function suggestion() {
	const { you: { max, sealed, worth = 0, most }, state: { minimum } } = model;
	const best = max >= minimum ? max : Math.max(minimum, Math.min(worth, most ?? Infinity));
	return String((isMaximum && minimum ? best : sealed ?? minimum) ?? "");
}

const typedAmount = () => parsedAmount($("amount").value);

export function showBidBox() {
	const { me, isOpen, isFalling, leads, state: { price } } = model;
	const { obstacle } = bidding;
	mark({ named: me !== null, bidding: me !== null && isOpen });
	set($("me"), me === null ? "" : model.nameOf(me));
	showFace($("change-name").firstChild, me, $("me").textContent);
	isMaximum &&= bidding.allowsMaximum;
	set($("game"), gameText(model.state));
	set($("rule"), ruleText(model));
	showWait();
	$("take").hidden = !isFalling;
	$("bid-form").hidden = isFalling;
	$("amount").hidden = leads && !isMaximum;
	$("bid").hidden = isMaximum;
	$("mode").hidden = !bidding.allowsMaximum;
	set($("mode"), isMaximum ? "Bid now" : "Maximum…");
	if (!isEdited && $("amount").value !== suggestion()) {
		$("amount").value = suggestion();
		selectAmount();
	}
	const typed = typedAmount();
	showOffer($("take"), bidding.offer("take"), obstacle ?? `Take at ${grouped(price ?? 0)}`);
	showOffer($("bid"), bidding.offer("bid", typed), obstacle ?? bidText(typed), leads && bidding.allowsMaximum ? "wait, or set a maximum" : "");
	showRaises();
	showMaximum(typed);
	bidding.follow([...triggers.values()].map(({ offer }) => offer));
	$("below").hidden = !isOpen && bidding.answer === null;
	showAnswer(isOpen && !obstacle ? bidding.warning(isFalling ? price : typed) : "");
	showResult();
	showLesson();
	keepFocus();
}

function bidText(amount) {
	const { isSealed, you: { sealed = null } } = model;
	const verb = !isSealed ? "Bid" : sealed === null ? "Seal" : sealed === amount ? "Sealed" : "Replace with";
	return amount === null || verb === "Sealed" ? verb : `${verb} ${grouped(amount)}`;
}

function showOffer(button, newest, text, aside = "") {
	const trigger = triggers.get(button);
	const now = performance.now();
	trigger.show(newest && { ...newest, text, aside }, now, isTyping && button === mainButton());
	const { offer } = trigger;
	const shown = offer ?? { text, aside };
	const gain = shown.cost && shown.verb !== "max" ? model.gainAt(shown.cost) : null;
	const words = bidding.asks(offer) ? `Yes, ${shown.text[0].toLowerCase()}${shown.text.slice(1)}` : shown.text;
	set(button.firstChild, words);
	set(button.lastChild, gain === null ? shown.aside : `${model.you.isEstimate ? "perhaps" : "earn"} ${signed(gain)}`);
	button.dataset.kind = shown.cost && bidding.warning(shown.amount ?? shown.cost) ? "bad" : "";
	button.toggleAttribute("data-fresh", offer !== null && !trigger.isRead(now));
	button.setAttribute("aria-disabled", offer === null);
	button.style.setProperty("--digits", words.length);
}

function showRaises() {
	const { buy = null } = model.state;
	const { raises } = bidding;
	$("raises").hidden = raises.length === 0 && buy === null;
	$("buy").hidden = buy === null;
	showOffer($("buy"), bidding.offer("buy"), `Buy ${grouped(buy ?? 0)}`, "at once");
	raiseButtons.forEach((button, index) => {
		const { amount = null, more } = raises[index] ?? {};
		button.hidden = amount === null;
		showOffer(button, amount && bidding.offer("bid", amount), grouped(amount ?? 0), `+${grouped(more ?? 0)}`);
	});
}

function showMaximum(typed) {
	const { leads, state: { price, minimum }, you } = model;
	// One that another bid has exceeded bids no more.
	const max = leads || !(price >= you.max) ? you.max ?? null : null;
	const isNew = typed !== null && typed !== max && typed >= (leads ? price : minimum);
	const isNeeded = bidding.answer === null || $("proxy").contains(document.activeElement);
	$("proxy").hidden = !bidding.allowsMaximum || max === null || !isNeeded;
	set($("max"), `The server bids for you up to ${grouped(max ?? 0)}`);
	$("set-max").hidden = !isMaximum;
	showOffer($("set-max"), isNew ? bidding.offer("max", typed) : null, `Bid up to ${grouped(typed ?? 0)}`, "when needed");
}

function showResult() {
	const { standings, isOpen, isMine, awards, state: { next, lot } } = model;
	// Before the first lot all have the same rank.
	const best = isOpen || (lot === 0 && standings.every(({ rank }) => rank === 1)) ? [] : standings.filter((row, index) => index < 3 || isMine(row));
	$("ranks").hidden = best.length === 0;
	showRows($("ranks"), best, (row) => {
		const move = isMine(row) ? moveText(row.rank, model.formerRank) : "";
		const score = "profit" in row ? signed(row.profit) : counted(row.lots, "lot");
		return bidderRow(row, [ordinal(row.rank), model.nameOf(row.bidder), move, score]);
	});
	showRows($("awards"), awards, (award) => ({ texts: [newsText(award)] }));
	showOpening($("coming"), model, clock.now());
	set($("coming").lastElementChild.lastElementChild, next[0] ?? "");
}

let lesson;

// After a reconnection the server may not know who was ready, so the question is asked again.
function showLesson() {
	const newest = model.round?.instructions;
	mark({ reading: Boolean(model.me && newest) });
	if (!newest || newest === lesson) return;
	lesson = newest;
	fillLesson(lesson.question);
	$("answers").replaceChildren(...lesson.answers.map((textContent, index) => {
		return make("button", { textContent, onclick: () => answerQuestion(index === lesson.right) });
	}));
}

function fillLesson(end) {
	showRows($("lesson"), [lesson.title, ...lesson.sentences, end], (text) => ({ texts: [text] }));
	$("answers").hidden = end !== lesson.question;
}

async function answerQuestion(isRight) {
	if (!isRight) return bidding.tell("bad", "Not quite: read again what one pays and earns, then try another");
	const { isOK, content } = await connection.request("ready");
	if (isOK) fillLesson("Ready. The round begins when all are.");
	bidding.tell(isOK ? "good" : "bad", isOK ? "That is right" : sentence(content));
}

function showAnswer(hint) {
	const { kind, text } = bidding.answer ?? { kind: "bad", text: hint };
	note("answer", kind === "ask" ? "bad" : kind, text);
	if (bidding.answer !== announced && text && kind !== "sending") say("announce", text);
	announced = bidding.answer;
}

// Moves the focus from a hidden element to the bid box, where Enter does nothing, and back.
function keepFocus() {
	const focus = document.activeElement;
	if ($("dock").contains(focus) && !focus.checkVisibility()) {
		hiddenFocus = focus;
		$("dock").focus({ preventScroll: true });
	} else if (hiddenFocus?.checkVisibility()) {
		// On a phone the focus would open the keyboard over the page.
		if (focus === $("dock") && !isTouched) hiddenFocus.focus({ preventScroll: true });
		hiddenFocus = null;
	}
}

const selectAmount = () => document.activeElement === $("amount") && $("amount").select();

async function accept(offer) {
	if (offer === null) return;
	const sent = bidding.accept(offer);
	if (!bidding.asks(offer) && (offer.verb !== "bid" || offer.amount !== null)) forgetAmount();
	showBidBox();
	await sent;
	showBidBox();
}

function press(button) {
	const trigger = triggers.get(button);
	const offer = trigger.meant(performance.now());
	trigger.release();
	accept(offer);
}

let presses = 0;

function hold(element) {
	presses += 1;
	triggers.get(element === $("amount") ? mainButton() : element.closest("button"))?.hold(performance.now());
}

// On a touchscreen the click comes later.
function release() {
	const press = presses;
	setTimeout(() => press === presses && triggers.forEach((trigger) => trigger.release()), 300);
}

for (const button of buttons) if (!button.closest("form")) button.onclick = () => press(button);
onSubmit("bid-form", () => press(mainButton()));
$("mode").onclick = () => {
	isMaximum = !isMaximum;
	isEdited = false;
	showBidBox();
	if (isMaximum) $("amount").focus();
};
$("talk").onclick = () => {
	const isShown = $("chat").hidden;
	$("chat").hidden = !isShown;
	$("talk").ariaExpanded = isShown;
	if (isShown) $("chat-text").focus();
};
$("clear-max").onclick = () => accept(bidding.offer("max"));
$("dock").onpointerdown = ({ target }) => {
	if (target !== $("amount")) hold(target);
};
// A press leaves the focus in a field: else a phone's keyboard would close, and move the button.
$("dock").onmousedown = (event) => {
	if (event.target.closest("button") && document.activeElement.closest("#dock input")) event.preventDefault();
};
$("dock").onkeydown = (event) => {
	const { key, target, repeat } = event;
	if (key !== "Enter" && (key !== " " || target.matches("input"))) return;
	if (repeat) event.preventDefault();
	else hold(target);
};
for (const type of ["pointerup", "pointercancel", "keyup", "blur"]) addEventListener(type, release);

function type(text) {
	$("amount").value = text;
	isEdited = text !== suggestion();
	isTyping = true;
	showBidBox();
	isTyping = false;
}

$("amount").onfocus = selectAmount;
// A click would undo the selection, and on some devices does so later.
$("amount").onmouseup = (event) => {
	if (isEdited) return;
	event.preventDefault();
	selectAmount();
	setTimeout(() => isEdited || selectAmount());
};
$("amount").oninput = () => type($("amount").value);
$("amount").onkeydown = (event) => {
	const { minimum, step } = model.state;
	const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
	if (event.key === "Escape") type(suggestion());
	if (!steps || minimum === null) return;
	event.preventDefault();
	type(String(Math.max(minimum, (typedAmount() ?? minimum) + steps * step)));
};

let mayUseStoredName = true;
// What the note waits for.
let wait = null;

const nameKey = () => `auction/${model.game}/name`;

function tell(kind, text, seconds) {
	wait = seconds ? { text, until: clock.now() + 1_000 * seconds } : null;
	note("name-note", kind, text);
	showWait();
}

function showWait() {
	if (!wait) return;
	const seconds = secondsLeft(wait.until, clock.now());
	note("name-note", "bad", `${wait.text}, ${seconds ? `wait ${counted(seconds, "second")}` : "you can try again"}`);
}

function askName(kind, text) {
	mark({ named: false });
	tell(kind, text);
	$("name").focus();
}

onSubmit("name-form", async () => {
	const typed = $("name").value.trim().replace(/\s+/g, " ");
	if (!/[\p{L}\d]/u.test(typed)) return askName("bad", "A name has 1 to 24 letters or digits");
	const name = plainName(typed);
	tell("", "Joining…");
	$("other-name").hidden = true;
	const { code, isOK } = await connection.takeName(name);
	if (code === "lost") askName("bad", "There is no connection, try again");
	if (isOK && typed !== model.nameOf(name)) connection.request(`display ${typed === name ? "" : typed}`.trim());
});
$("change-name").onclick = async () => {
	if (!(await isConfirmed(`You are ${$("me").textContent}. Do you want another name?`))) return;
	mayUseStoredName = false;
	store[nameKey()] = "";
	bidding.answer = null;
	connection.dropName();
	askName();
};

export function takeStoredName() {
	const name = connection.link.name ?? store[nameKey()];
	if (name && mayUseStoredName && model.me === null) connection.takeName(name);
}

export function showName({ kind, name, code, content = "", message }) {
	mayUseStoredName = false;
	if (kind === "named") {
		store[nameKey()] = name;
		tell();
		if (document.activeElement !== $("name") || isTouched) return;
		showBidBox();
		return $(model.isFalling ? "take" : "amount").focus();
	}
	$("name").value = name;
	const isTaken = ["name-taken", "wrong-token"].includes(code);
	$("other-name").hidden = !isTaken;
	$("other-name").value = freeName(name);
	set($("other-name"), `Join as ${$("other-name").value}`);
	const texts = {
		"name-refused": code === "wrong-link" ? "This link is incomplete or old: open the whole link again, or ask your teacher" : isTaken ? "This name is taken" : sentence(content.split(", try again")[0]),
		replaced: `${name} is now used in another window. Press Join to use it here`,
		kicked: newsText(model.news.kicked ?? {}),
	};
	tell("bad", texts[kind], message?.seconds);
}

// The name with a number that nobody here has.
function freeName(name) {
	const base = name.replace(/\d*$/, "").slice(0, 22);
	let number = 2;
	while (model.people?.has((base + number).toLowerCase())) number += 1;
	return base + number;
}

$("other-name").onclick = () => {
	$("name").value = $("other-name").value;
	$("name-form").requestSubmit();
};
