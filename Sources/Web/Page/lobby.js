// The dialog of the rooms, and the auctioneer of one.

import { say } from "./alerts.js";
import { $, all, isConfirmed, make, note, onSubmit, set, showRows } from "./dom.js";
import { bidding, connection, keys, loads, model, reach, takeSecrets } from "./parts.js";
import {
	complaintOf, fieldOf, openCommand, pathOf, presets, roomAt, roomName, setCommand,
} from "./rooms.js";
import { grouped, sentence } from "./words.js";

let listedAt = 0;
let enteredRoom = null;
// Where the links lead.
let { origin } = location;

async function findOrigin() {
	const reached = await reach();
	origin = reached.origin;
	$("link-note").hidden = reached.isKnown;
	set($("link-note"), reached.isOpen ? "Others need the address of this computer in this link"
		: "Only this computer can open this link: start the server with --host 0.0.0.0 to let others in");
}
findOrigin();

$("begin").onclick = () => order(model.state.stage === "over" ? "rematch" : "start", "");

export function showRooms(now) {
	const { stage, lot, next } = model.state;
	set($("begin"), stage === "over" ? "Rematch" : "Start the game");
	if (stage === "waiting" && connection.isAuctioneer) showTitles(lot, next);
	const { room, phase } = connection;
	set($("room-name"), room);
	set($("gone-text"), phase === "gone" ? ended(room) : "");
	if (!$("rooms").open) return;
	// The dialog has no way out of a room that is gone, and hides the one of the page.
	if (phase === "gone") leaveGone(room);
	if (phase === "live" && !loads.rooms.loading && Math.abs(now - listedAt) >= 5_000) {
		listedAt = now;
		loads.rooms.load();
	}
	const rows = new Map(loads.rooms.result?.data.map((row) => [row.room, row]));
	showRows($("rooms-list"), [...rows.keys()], (name) => {
		const link = { href: pathOf(name), ariaCurrent: name === room ? "page" : null };
		const { people, format, lot, title } = rows.get(name);
		return { texts: [name, `${grouped(people)} here · ${format} · ${lot}. ${title}`], link };
	});
	const key = keys.own(model.game, room);
	const link = origin + pathOf(room);
	showLink("room-link", link);
	showLink("key-link", key ? `${link}#key=${key}` : "");
}

function showTitles(lot, titles) {
	showRows($("titles"), titles.map((_, index) => lot + 1 + index), (number) => ({ texts: [number] }));
	[...$("titles").children].forEach((row, index) => {
		const number = row.item;
		const field = row.children[1] ?? row.appendChild(make("input", { maxLength: 200, ariaLabel: `Title of lot ${number}` }));
		field.onchange = () => order(`title ${number} ${field.value.trim()}`, `Lot ${number} is now ${field.value}`);
		if (document.activeElement !== field) field.value = titles[index];
	});
}

async function order(command, done) {
	const { isOK, content } = await connection.requestHere(command);
	bidding.tell(isOK ? "good" : "bad", isOK ? done : sentence(content));
}

function showLink(id, link) {
	$(id).parentElement.hidden = !link;
	if ($(id).value !== link) $(id).value = link;
}

// The address says which room the page is in, unless it goes on to the one that the address says.
export function entered() {
	const { room } = connection;
	if (enteredRoom && enteredRoom !== room) say("announce", `You are in the room ${room}`);
	enteredRoom = room;
	listedAt = 0;
	const isThere = (connection.destination ?? room) === room;
	if (isThere && roomAt(location.pathname) !== room) history.pushState(null, "", pathOf(room));
}

// Goes to a room, or says why not; of several only the last counts.
async function enter(room) {
	const answer = await connection.enter(room);
	if (connection.destination) return;
	note("rooms-note", "bad", answer.isOK ? "" : answer.code === "no-room" ? ended(room) : complaintOf(answer));
	if (answer.isOK) return $("rooms").close();
	history.replaceState(null, "", pathOf(connection.room));
	openDialog();
}

const ended = (room) => `There is no room ${room}: it has ended, or nobody has opened it.`;

function leaveGone(room) {
	note("rooms-note", "bad", ended(room));
	connection.enter("main");
	openDialog();
}

function openDialog() {
	listedAt = 0;
	if (!$("rooms").open) $("rooms").showModal();
}

$("room").onclick = () => {
	if (connection.phase === "gone") return leaveGone(connection.room);
	note("rooms-note");
	openDialog();
};
$("gone-rooms").onclick = () => leaveGone(connection.room);
onclick = (event) => {
	const link = event.target.closest("a[href^='/']");
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	enter(roomAt(link.pathname));
};
onpopstate = () => {
	const room = roomAt(location.pathname);
	const { key } = takeSecrets();
	if (room !== (connection.destination ?? connection.room)) enter(room);
	else if (key) connection.signIn(key);
};

for (const button of all("[data-copy]")) {
	button.onclick = () => {
		$(button.dataset.copy).select();
		// The modern interface needs a secure page.
		const isDone = document.execCommand("copy");
		note("rooms-note", isDone ? "good" : "bad", isDone ? "Copied" : "Copy the selected text yourself");
	};
}
$("send").hidden = !navigator.share;
$("send").onclick = () => {
	navigator.share({ title: `Live auction: ${connection.room}`, url: $("room-link").value }).catch(() => {});
};

onSubmit("open", async () => {
	const { name } = $("open").elements;
	name.value = roomName(name.value);
	complain();
	const answer = await connection.request(openCommand(Object.fromEntries(new FormData($("open")))));
	if (!answer.isOK) return complain(answer);
	const [, room, key] = answer.content.split(" ");
	$("open").reset();
	keys.keep(model.game, room, key);
	connection.signIn(key);
	note("rooms-note", "good", `The room ${room} is open, and you are its auctioneer. Send the link`);
	$("room-link").focus();
	$("room-link").select();
});

// The fields by their options: the label, and what an empty one means, or the choices.
const [same, range] = ["as in main", "such as 50 to 150"];
const fields = [{
	name: ["Name", "game-night"], format: ["Format", { english: "english", dutch: "dutch", sealed: "sealed", vickrey: "vickrey", allpay: "allpay" }],
	seconds: ["Countdown (s)", same], lots: ["Lots", "no end"], start: ["First bid", same], purse: ["Purse", "no limit"],
	worth: ["Private values", range],
}, {
	common: ["Common value", range], noise: ["Noise (±)"],
	wait: ["Begins", { yes: "when you say start", "": "at once" }], named: ["Names of lots", { yes: "from a list", "": "numbers" }],
	profits: ["Profits shown", { "": "at the end", yes: "always" }], step: ["Step", same], reserve: ["Reserve"],
	buy: ["Buy price"], pause: ["Pause (s)", same], longest: ["Longest (s)", "no limit"],
}];

function makeField([name, [text, empty = "none"]]) {
	const label = make("label", { textContent: text });
	const isText = typeof empty === "string";
	const field = label.appendChild(make(isText ? "input" : "select", { name }));
	if (isText) Object.assign(field, { placeholder: empty, inputMode: ["name", "worth", "common"].includes(name) ? "" : "decimal" });
	else field.append(...Object.entries(empty).map(([value, textContent]) => make("option", { value, textContent })));
	return label;
}
fields.forEach((part, index) => $("open").querySelectorAll("div")[index].append(...Object.entries(part).map(makeField)));

function makePresets(next, choose) {
	const group = make("p", { className: "presets", role: "group", ariaLabel: "Kinds of game" });
	next.before(group);
	group.append(...presets.map(([name, text, options]) => {
		const button = make("button", { type: "button", textContent: name, onclick: () => choose(options, text) });
		button.append(make("small", { textContent: text }));
		return button;
	}));
}

makePresets($("open").children[1], (options) => {
	const { elements } = $("open");
	const name = elements.name.value || "game";
	$("open").reset();
	for (const [field, value] of Object.entries({ ...options, name })) elements[field].value = value;
	elements.name.focus();
});
makePresets($("titles"), (options, text) => order(setCommand(options), `Now: ${text}`));

function complain(refusal) {
	const fields = $("open").elements;
	for (const field of fields) field.ariaInvalid = null;
	note("open-note", "bad", refusal && complaintOf(refusal));
	const field = refusal && fields[fieldOf(refusal, [...fields].map(({ name }) => name))];
	(field?.parentElement ?? $("open")).append($("open-note"));
	if (!field) return;
	const more = field.closest("details");
	if (more) more.open = true;
	field.ariaInvalid = true;
	field.focus();
}

export function signedIn({ isOK, content }) {
	note("auctioneer-note", isOK ? "good" : "bad", isOK ? "You are the auctioneer" : content);
}

onSubmit("sign-in", () => {
	connection.signIn($("token").value.trim());
	$("token").value = "";
});

// A command is the button's word, and the texts of the fields, or of as many as the button says.
for (const form of all("#gavel form, #chat")) {
	onSubmit(form.id, async ({ value: word, dataset: { ask, fields: count } }) => {
		const fields = [...form.querySelectorAll("input")].slice(0, count);
		const [first, ...others] = fields.map(({ value }) => value.trim());
		if (ask && !(await isConfirmed(ask.replace("{}", first)))) return;
		const words = [word, word === "end" ? connection.room : first, ...others];
		const { isOK, content } = await connection.requestHere(words.join(" ").trim());
		if (form.id !== "chat") note("auctioneer-note", isOK ? "good" : "bad", isOK ? `Done: ${word}` : content);
		else if (!isOK) bidding.tell("bad", sentence(content));
		if (isOK) for (const field of fields) if ("once" in field.dataset) field.value = "";
	});
}
