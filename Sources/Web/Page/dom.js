// Functions for the page's elements. Text is only set as text, never as HTML.

export const $ = (id) => document.getElementById(id);

export const all = (selector) => document.querySelectorAll(selector);

export function set(element, text) {
	if (element.textContent !== String(text)) element.textContent = text;
}

// Facts for the style sheet.
export const mark = (facts) => Object.assign(document.body.dataset, facts);

export const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

export function note(id, kind = "", text = "") {
	$(id).dataset.kind = kind;
	set($(id), text || "\u00a0");
}

export function restart(element) {
	element.classList.remove("new");
	void element.offsetWidth;
	element.classList.add("new");
}

export function onSubmit(id, run) {
	$(id).autocomplete = "off";
	$(id).onsubmit = (event) => {
		event.preventDefault();
		run(event.submitter);
	};
}

export function isConfirmed(question) {
	set($("confirm-text"), question);
	$("confirm").returnValue = "";
	$("confirm").showModal();
	return new Promise((resolve) => {
		$("confirm").onclose = () => resolve($("confirm").returnValue === "yes");
	});
}

async function stayAwake() {
	if (!document.hidden) await navigator.wakeLock?.request("screen").catch(() => {});
}

let isRequested = false;

// Calls back before the next frame, if somebody can see it.
export function inFrame(show) {
	if (document.hidden || isRequested) return;
	isRequested = true;
	requestAnimationFrame(() => {
		isRequested = false;
		show();
	});
}

export function run(connection, tick) {
	for (const type of ["online", "pageshow"]) addEventListener(type, () => connection.wake());
	document.onvisibilitychange = () => {
		isRequested = false;
		if (!document.hidden) connection.wake();
		stayAwake();
		tick();
	};
	stayAwake();
	connection.begin();
	setInterval(tick, 100);
}

const colors = [
	"#a8f0a0", "#ff8fab", "#7adcf5", "#ffd6a5", "#d0a8ff", "#ffe066", "#7ee8c7", "#ff9f6e", "#9fb8ff", "#f7a8e8", "#c8e65c", "#e8d3b9",
];

// The colour of a bidder, by FNV-1a of the name in lower case, as Protocol.md, section Avatars, has it.
export function colorOf(name) {
	let hash = 2_166_136_261;
	for (const character of name.toLowerCase()) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
	return colors[hash % colors.length];
}

const initialOf = (name) => [...name][0].toUpperCase();

// Shows the face of a bidder in an element, or nobody's for null.
export function showFace(element, name, shown = name) {
	set(element, name ? initialOf(shown) : "");
	element.style.setProperty("--face", name ? colorOf(name) : "");
	element.hidden = !name;
}

const rowTags = { TBODY: "tr", DATALIST: "option" };

// Keeps the rows of a list in step with an array: a row stays while its item does.
export function keepRows(list, items, create, update) {
	const before = new Map([...list.children].map((row) => [row.item, row]));
	const rows = items.map((item) => before.get(item) ?? Object.assign(create(), { item }));
	const kept = new Set(rows);
	for (const row of before.values()) if (!kept.has(row)) row.remove();
	rows.forEach((row, index) => {
		if (list.children[index] !== row) list.insertBefore(row, list.children[index]);
		update(row, row.item, index);
	});
}

// Keeps rows of texts. `describe` returns what a row shows: its texts, whether it is the bidder's own, its kind, the
// properties of a link around its first text, and the bidder whose face it has, with the name that is shown.
export function showRows(list, items, describe) {
	const create = () => make(rowTags[list.tagName] ?? "li");
	keepRows(list, items, create, (row, item, index) => fill(row, describe(item, index)));
}

function fill(row, { texts, isMine = false, kind = "", link, face, name = face }) {
	row.classList.toggle("mine", isMine);
	row.dataset.kind = kind;
	texts.forEach((text, index) => {
		const tag = row.tagName === "TR" ? "td" : index > 0 ? "small" : link ? "a" : "span";
		set(row.children[index] ?? row.appendChild(make(tag)), String(text));
	});
	if (face) {
		// A rank stands before the name.
		row.children[texts.length > 1 ? 1 : 0].dataset.initial = initialOf(name);
		row.style.setProperty("--face", colorOf(face));
	}
	if (link) Object.assign(row.firstChild, link);
}
