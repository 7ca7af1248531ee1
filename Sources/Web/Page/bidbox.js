// The bid box: the name, the amount, the raises, the maximum, buying and taking, and the answer.

import { say } from "./alerts.js";
import { Trigger, parsedAmount } from "./bidding.js";
import { $, note, onSubmit, set } from "./dom.js";
import { bidding, clock, connection, model, store } from "./parts.js";
import { counted, gameText, grouped, newsText, plainName, ruleText, secondsLeft, sentence, signed } from "./words.js";

// Whether the amount was typed: then the minimum bid does not replace it.
let isEdited = false;
let isTyping = false;
let announced = null;
let hiddenFocus = null;

const raiseButtons = [...$("raises").children].slice(0, 3);
const buttons = [...raiseButtons, $("buy"), $("take"), $("bid"), $("set-max")];
const isTouched = matchMedia("(pointer: coarse)").matches;
let triggers;

export function clearBidBox() {
	triggers = new Map(buttons.map((button) => [button, new Trigger()]));
	forgetAmount();
}
clearBidBox();

export function forgetAmount() {
	isEdited = false;
}

const suggestion = () => String(model.you.sealed ?? model.state.minimum ?? "");

const typedAmount = () => parsedAmount($("amount").value);

export function showBidBox() {
	const { me, isOpen, isFalling, state: { price }, you: { left = null } } = model;
	const { obstacle } = bidding;
	const isNamed = me !== null;
	Object.assign(document.body.dataset, { named: isNamed, bidding: isNamed && isOpen });
	set($("me"), me === null ? "" : model.nameOf(me));
	const { rank = null } = model.you;
	set($("place"), rank === null ? "" : `Place ${rank}`);
	set($("purse"), left === null ? "" : `Purse: ${grouped(left)} left`);
	set($("game"), gameText(model.state));
	set($("rule"), ruleText(model));
	showWait();
	document.querySelector(".skip").href = !isNamed ? "#name" : isFalling ? "#take" : "#amount";
	$("take").hidden = !isFalling;
	$("bid-form").hidden = isFalling;
	if (!isEdited && $("amount").value !== suggestion()) {
		$("amount").value = suggestion();
		selectAmount();
	}
	const typed = typedAmount();
	showOffer($("take"), bidding.offer("take"), obstacle ?? `Take at ${grouped(price ?? 0)}`);
	showOffer($("bid"), bidding.offer("bid", typed), obstacle ?? bidText(typed));
	showRaises();
	showMaximum(typed);
	bidding.follow([...triggers.values()].map(({ offer }) => offer));
	if (!isOpen) showAnswer("", obstacle);
	else showAnswer("bad", obstacle ? "" : bidding.warning(isFalling ? price : typed));
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
	trigger.show(newest && { ...newest, text, aside }, now, isTyping && [$("bid"), $("set-max")].includes(button));
	const { offer } = trigger;
	const shown = offer ?? { text, aside };
	const gain = shown.cost ? model.gainAt(shown.cost) : null;
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
	$("proxy").hidden = !bidding.allowsMaximum || !isNeeded;
	$("set-max").hidden = !isNew || (max !== null && !isEdited);
	$("clear-max").hidden = max === null;
	set($("max"), max === null ? "" : `The server bids for you up to ${grouped(max)}`);
	const text = `${max === null ? "Bid for me" : "Now"} up to ${grouped(typed ?? 0)}`;
	showOffer($("set-max"), isNew ? bidding.offer("max", typed) : null, text);
}

function showAnswer(hintKind, hint) {
	const { kind, text } = bidding.answer ?? { kind: hintKind, text: hint };
	note("answer", kind === "ask" ? "bad" : kind, text);
	if (bidding.answer !== announced && text && kind !== "sending") say("announce", text);
	announced = bidding.answer;
}

// Moves the focus from what disappears to the bid box itself, where Enter does nothing, and back.
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

function selectAmount() {
	if (document.activeElement === $("amount")) $("amount").select();
}

async function accept(offer) {
	if (offer === null) return;
	const sent = bidding.accept(offer);
	// What was typed is needed for the answer to a question, and to correct what is no amount.
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

// A press begins on a button, or with Enter in the amount.
function hold(element) {
	presses += 1;
	triggers.get(element === $("amount") ? $("bid") : element.closest("button"))?.hold(performance.now());
}

// A press ends; on a touchscreen the click comes later.
function release() {
	const press = presses;
	setTimeout(() => press === presses && triggers.forEach((trigger) => trigger.release()), 300);
}

for (const button of buttons) if (button !== $("bid")) button.onclick = () => press(button);
onSubmit("bid-form", () => press($("bid")));
$("clear-max").onclick = () => accept(bidding.offer("max"));
$("dock").onpointerdown = ({ target }) => {
	if (target !== $("amount")) hold(target);
};
// A press on a button leaves the focus in a field: without it the keyboard of a phone would close, and the button would
// move from under the finger.
$("dock").onmousedown = (event) => {
	if (event.target.closest("button") && document.activeElement.closest("#dock input")) event.preventDefault();
};
$("dock").onkeydown = (event) => {
	const { key, target, repeat } = event;
	if (key !== "Enter" && (key !== " " || target.matches("input"))) return;
	// A key that is held down presses once.
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
// A click would place the caret and undo the selection. Where a tap does so later, the amount is selected again, unless
// the person has typed by then.
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
// What the note below the name waits for: `{ text, until }`; null if for nothing.
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
	document.body.dataset.named = false;
	tell(kind, text);
	$("name").focus();
}

onSubmit("name-form", async () => {
	const typed = $("name").value.trim().replace(/\s+/g, " ");
	if (!/[\p{L}\d]/u.test(typed)) return askName("bad", "A name has 1 to 24 letters or digits");
	const name = plainName(typed);
	tell("", "Joining…");
	const { code, isOK } = await connection.takeName(name);
	if (code === "lost") askName("bad", "There is no connection, try again");
	const shown = typed === name ? "" : typed;
	if (isOK && shown !== (model.displays.get(name.toLowerCase()) ?? "")) connection.request(`display ${shown}`.trim());
});
$("change-name").onclick = () => {
	mayUseStoredName = false;
	store[nameKey()] = "";
	bidding.answer = null;
	connection.dropName();
	askName("", "");
};

export function takeStoredName() {
	const name = store[nameKey()];
	if (name && mayUseStoredName && model.me === null) connection.takeName(name);
}

export function showName({ kind, name, code, content = "", message }) {
	mayUseStoredName = false;
	if (kind === "named") {
		store[nameKey()] = name;
		tell("", "");
		// On a phone the focus would open the keyboard over the page.
		if (document.activeElement !== $("name") || isTouched) return;
		showBidBox();
		$(model.isFalling ? "take" : "amount").focus();
		return;
	}
	$("name").value = name;
	const isTaken = ["name-taken", "wrong-token"].includes(code);
	const texts = {
		"name-refused": isTaken ? "This name belongs to somebody else, choose another one" : sentence(content.split(", try again")[0]),
		replaced: `${name} is now used in another window. Press Join to use it here`,
		kicked: newsText(model.news.kicked ?? {}),
	};
	tell("bad", texts[kind], message?.seconds);
}
