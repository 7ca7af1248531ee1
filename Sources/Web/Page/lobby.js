// The dialog of the rooms: a list of all, the links to this one, and a form that opens one.

import { say } from "./alerts.js";
import { $, h, note, onSubmit, set, showRows } from "./dom.js";
import { fieldOf, openCommand, pathOf, roomAt, roomName } from "./rooms.js";
import { roomText } from "./words.js";

let connection, model, keys, list;
let listedAt = 0;
let isGone = false;
let roomBefore = null;

// `itsList` is the resource with the answer to `rooms`.
export function beginRooms(itsConnection, itsModel, itsKeys, itsList) {
	[connection, model, keys, list] = [itsConnection, itsModel, itsKeys, itsList];
	connection.room = roomAt(location.pathname);
}

// Shows the room, and while the dialog is open the list, which is loaded again every 5 s.
export function showRooms(now) {
	const { room, phase } = connection;
	set($("room-name"), room);
	if (isGone !== (phase === "gone")) {
		isGone = !isGone;
		$("gone").hidden = !isGone;
		set($("gone-text"), isGone ? `There is no room ${room}; it has ended, or nobody has opened it.` : "");
	}
	if (!$("rooms").open) return;
	if (phase === "live" && !list.loading && Math.abs(now - listedAt) >= 5_000) {
		listedAt = now;
		list.load();
	}
	showList(room);
	const key = keys.own(model.game, room);
	const link = location.origin + pathOf(room);
	showLink("room-link", link);
	showLink("key-link", key ? `${link}#key=${key}` : "");
}

// The rows stay while their texts change, so that none loses the focus.
function showList(current) {
	const rows = new Map(list.result?.data.map((row) => [row.room, row]));
	showRows($("rooms-list"), [...rows.keys()], (room) => {
		return h("li", {}, h("a", { href: pathOf(room) }, room), h("small", {}));
	});
	for (const { item, firstChild, lastChild } of $("rooms-list").children) {
		firstChild.ariaCurrent = item === current ? "page" : null;
		set(lastChild, roomText(rows.get(item)));
	}
}

function showLink(id, link) {
	$(id).parentElement.hidden = !link;
	if ($(id).value !== link) $(id).value = link;
}

// The page is in a room, and the address says which one. Returns whether that is another one.
export function entered() {
	const isOther = model.room !== roomBefore;
	if (isOther && roomBefore !== null) say("announce", `You are in the room ${model.room}`);
	roomBefore = model.room;
	if (roomAt(location.pathname) !== model.room) history.pushState(null, "", pathOf(model.room));
	return isOther;
}

// Goes to a room; where that is refused the page stays, and says why.
async function enter(room) {
	const { isOK, content } = await connection.enter(room);
	note("rooms-note", "bad", isOK ? "" : content);
	if (isOK) return $("rooms").close();
	history.replaceState(null, "", pathOf(connection.room));
	openDialog();
}

function openDialog() {
	listedAt = 0;
	if (!$("rooms").open) $("rooms").showModal();
}

$("room").onclick = () => {
	note("rooms-note", "", "");
	openDialog();
};
$("gone-rooms").onclick = async () => {
	await enter("main");
	openDialog();
};
onclick = (event) => {
	const link = event.target.closest("a[href^='/']");
	if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	enter(roomAt(link.pathname));
};
onpopstate = () => {
	const room = roomAt(location.pathname);
	const key = takeKey();
	if (room !== connection.room) enter(room);
	else if (key) connection.signIn(key);
};

// The auctioneer's key in the address, which nobody is to see there.
export function takeKey() {
	const key = /^#key=(\w+)$/.exec(location.hash)?.[1];
	if (key) history.replaceState(null, "", location.pathname);
	return key;
}

for (const button of document.querySelectorAll("[data-copy]")) {
	button.onclick = () => {
		$(button.dataset.copy).select();
		// The modern interface is there for secure pages alone.
		const isDone = document.execCommand("copy");
		note("rooms-note", isDone ? "good" : "bad", isDone ? "Copied" : "Copy the selected text yourself");
	};
}
$("send").hidden = !navigator.share;
$("send").onclick = () => navigator.share({ title: document.title, url: $("room-link").value }).catch(() => {});

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
	note("rooms-note", "good", `The room ${room} is open: send the link, and keep the key to yourself`);
	$("room-link").focus();
	$("room-link").select();
});

// Says beside its field why the room was not opened.
function complain(refusal) {
	const fields = $("open").elements;
	for (const field of fields) field.ariaInvalid = null;
	const isName = refusal?.code === "bad-arguments";
	note("open-note", "bad", isName ? "A name has 1 to 24 letters a to z, digits or -" : refusal?.content);
	const field = refusal && fields[fieldOf(refusal)];
	(field?.parentElement ?? $("open")).append($("open-note"));
	if (!field) return;
	field.ariaInvalid = true;
	field.focus();
}
