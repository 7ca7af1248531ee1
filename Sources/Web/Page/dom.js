// Functions for the elements of the page. Text is only set as text, never as HTML.

export const $ = (id) => document.getElementById(id);

export function set(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

export function h(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

export function note(id, kind, text) {
	$(id).dataset.kind = kind;
	set($(id), text || "\u00a0");
}

export function onSubmit(id, run) {
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

// Shows a row for each item in this order; rows of items that were shown stay.
export function showRows(list, items, newRow) {
	const shown = new Set(items);
	const rows = new Map();
	for (const row of [...list.children]) {
		if (shown.has(row.item)) rows.set(row.item, row);
		else row.remove();
	}
	let next = list.firstChild;
	for (const item of items) {
		const row = rows.get(item) ?? list.insertBefore(newRow(item), next);
		row.item = item;
		next = row.nextSibling;
	}
}
