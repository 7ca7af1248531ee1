// The dialog of the rooms: a list of all, the links to this one, and a form that opens one; and the auctioneer of a room.

import { say } from "./alerts.js";
import { $, isConfirmed, note, onSubmit, set, showRows } from "./dom.js";
import { connection, keys, loads, model, takeKey } from "./parts.js";
import { complaintOf, fieldOf, isLoopback, openCommand, pathOf, roomAt, roomName } from "./rooms.js";
import { roomText } from "./words.js";

let listedAt = 0;
let isEntered = false;
// Where the links lead. An address of this machine is of no use to others: the server knows another.
let origin = location.origin;

async function findOrigin() {
	if (!isLoopback(location.hostname)) return;
	const { isOpen, url } = await (await fetch("/address")).json();
	if (url) origin = new URL(url).origin;
	$("link-note").hidden = Boolean(url);
	set($("link-note"), isOpen ? "Others need the address of this computer in this link"
		: "Only this computer can open this link: start the server with --host 0.0.0.0 to let others in");
}
findOrigin();

$("begin").onclick = () => connection.requestHere(model.state.stage === "over" ? "rematch" : "start");

export function showRooms(now) {
	const { stage } = model.state;
	$("begin").hidden = !connection.isAuctioneer || !["waiting", "over"].includes(stage);
	set($("begin"), stage === "over" ? "Rematch" : "Start the game");
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
	// The items are names, so that rows stay, and none loses the focus, while their texts change.
	const rows = new Map(loads.rooms.result?.data.map((row) => [row.room, row]));
	showRows($("rooms-list"), [...rows.keys()], (name) => {
		const link = { href: pathOf(name), ariaCurrent: name === room ? "page" : null };
		return { texts: [name, roomText(rows.get(name))], link };
	});
	const key = keys.own(model.game, room);
	const link = origin + pathOf(room);
	showLink("room-link", link);
	showLink("key-link", key ? `${link}#key=${key}` : "");
}

function showLink(id, link) {
	$(id).parentElement.hidden = !link;
	if ($(id).value !== link) $(id).value = link;
}

// The page is in a room, perhaps with another sale, and the address says which one, unless the page goes on to the one
// that the address says.
export function entered(isOther) {
	const { room } = model;
	if (isOther && isEntered) say("announce", `You are in the room ${room}`);
	isEntered = true;
	listedAt = 0;
	const isThere = (connection.destination ?? room) === room;
	if (isThere && roomAt(location.pathname) !== room) history.pushState(null, "", pathOf(room));
}

// Goes to a room; where that is refused the page stays, and says why. Of several only the last counts.
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
	note("rooms-note", "", "");
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
	const key = takeKey();
	if (room !== (connection.destination ?? connection.room)) enter(room);
	else if (key) connection.signIn(key);
};

for (const button of document.querySelectorAll("[data-copy]")) {
	button.onclick = () => {
		$(button.dataset.copy).select();
		// The modern interface is there for secure pages alone.
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
	const hint = "Send the link. You are its auctioneer, with buttons at the end of the page";
	note("rooms-note", "good", `The room ${room} is open. ${hint}`);
	$("room-link").focus();
	$("room-link").select();
});

for (const button of document.querySelectorAll("[data-preset]")) {
	button.onclick = () => {
		const { name } = $("open").elements;
		const typed = name.value;
		$("open").reset();
		name.value = typed || "game";
		for (const word of button.dataset.preset.split(" ")) {
			const [field, value] = word.split("=");
			$("open").elements[field].value = value;
		}
		name.focus();
	};
}

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

// A form with a note sends a command: the button's word, and the texts of all fields or of the button's number of fields.
for (const form of document.querySelectorAll("form[data-note]")) {
	onSubmit(form.id, async ({ value: word, dataset: { ask, fields: count } }) => {
		const fields = [...form.querySelectorAll("input")].slice(0, count);
		const [first, ...others] = fields.map(({ value }) => value.trim());
		if (ask && !(await isConfirmed(ask.replace("{}", first)))) return;
		const words = [word, word === "end" ? connection.room : first, ...others];
		const { isOK, content } = await connection.requestHere(words.join(" ").trim());
		note(form.dataset.note, isOK ? "good" : "bad", isOK ? `Done: ${word}` : content);
		if (isOK) for (const field of fields) if ("once" in field.dataset) field.value = "";
	});
}
