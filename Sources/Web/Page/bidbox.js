// The bid box: the name, the amount, the raises, the maximum, buying and taking, and the answer.

import { say } from "./alerts.js";
import { parsedAmount } from "./bidding.js";
import { $, isConfirmed, note, onSubmit, set } from "./dom.js";
import { bidding, connection, model, store } from "./parts.js";
import { counted, grouped, signed } from "./words.js";

// Whether the amount was typed: then the minimum bid does not replace it.
let isEdited = false;
const raiseButtons = [...$("raises").children].slice(0, 3);
let heldRaise = null;
let announced = null;

// The amount until another one is typed.
const suggestion = () => String(model.yours ?? model.least ?? "");

const typedAmount = () => parsedAmount($("amount").value);

export function showBidBox() {
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

// Offers the minimum bid again, in place of what was typed.
export function forgetAmount() {
	isEdited = false;
}

async function act(run) {
	if (model.me === null) return askName("", "Type a name first, then bid");
	isEdited = false;
	const sent = run();
	showBidBox();
	await sent;
	showBidBox();
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
	showBidBox();
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

const nameKey = () => `auction/${model.game}/name`;

export function askName(kind, text) {
	$("name-form").hidden = false;
	note("name-note", kind, text);
	$("name").focus();
}

onSubmit("name-form", async () => {
	const name = $("name").value.trim();
	if (!/^[\w-]{1,24}$/.test(name)) return askName("bad", badName);
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

const taken = "This name belongs to somebody else, choose another one";
const badName = "A name has 1 to 24 letters, digits, _ or -";

// Takes the name that was used in this game, at first and unless the bidder gave it up.
export function takeStoredName() {
	const name = store[nameKey()];
	if (name && mayUseStoredName && connection.name === null) connection.takeName(name);
}

export function noteKick(reason) {
	kickReason = reason;
}

// Says what has become of the name, by a notice of the connection.
export function showName({ kind, name, code, content, message }) {
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
	const refusals = {
		"name-taken": taken, "wrong-token": taken, "bad-name": badName,
		full: "All names of this server are in use, try again later",
		kicked: `The auctioneer removed ${name}, wait ${wait}`,
		"slow-down": `Too many tries, wait ${wait}`,
	};
	const texts = {
		"name-refused": refusals[code] ?? content,
		replaced: `${name} is now used in another window. Press Join to use it here`,
		kicked: `The auctioneer removed you: ${kickReason}`,
	};
	note("name-note", "bad", texts[kind]);
}
