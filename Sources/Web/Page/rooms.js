// Rooms: their paths, the command that opens one, and the keys of auctioneers. No DOM.

import { grouped } from "./words.js";

export const pathOf = (room) => (room === "main" ? "/" : `/rooms/${room}`);

export const roomAt = (path) => /^\/rooms\/([a-z\d-]+)$/.exec(path)?.[1] ?? "main";

export const isLoopback = (host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

// A name as people type it: `Blue room` means `blue-room`.
export const roomName = (text) => text.trim().toLowerCase().replace(/\s+/g, "-");

const ranges = { worth: ["from", "to"], common: ["low", "high"] };

const options = [
	"format", "seconds", "start", "step", "reserve", "buy", "longest", "lots", "pause", "purse", "worth", "common", "noise", "profits",
];

// The command for what was typed into the form; the server decides what is empty.
export function openCommand({ name, ...typed }) {
	for (const [option, [low, high]] of Object.entries(ranges)) {
		if (typed[low] || typed[high]) typed[option] = `${typed[low]}..${typed[high]}`;
	}
	// In a pause a comma would be a decimal one.
	const words = options.map((option) => [option, typed[option]?.replace(option === "pause" ? /\s/g : /[\s,]/g, "")]);
	return ["open", name, ...words.filter(([, text]) => text).map((word) => word.join("="))].join(" ");
}

// The field of the form that a refusal of the command is about; undefined if it is about none.
export function fieldOf({ code, content }) {
	if (["room-taken", "bad-arguments", "bad-name"].includes(code)) return "name";
	if (code !== "bad-option") return undefined;
	if (content.startsWith("common needs noise")) return "noise";
	const option = content.match(/[a-z]+/g)?.find((word) => options.includes(word));
	return ranges[option]?.[0] ?? option;
}

// Why a room was not opened or entered, for somebody who knows the page and no commands.
export function complaintOf({ code, content }) {
	if (code === "bad-arguments") return "A name has 1 to 24 letters a to z, digits or -";
	if (code === "full") return content.replace(", type rooms for a list and join one", ": join one of the list");
	const text = content.replace(/^(worth|common) must be/, "give").replace("noise=N, ", "").replace("=A..B", "");
	return text.replace(/\d{5,}/g, grouped);
}

// The keys that make this page the auctioneer: those of its own rooms stay in the browser, a typed
// one in the tab. One that is typed in main is the server's, and is tried in every room.
export class Keys {
	#local; #session; #given;

	// `given` is the key in the link that opened the page, and its room.
	constructor(local, session, given = {}) {
		[this.#local, this.#session, this.#given] = [local, session, given];
	}

	#places(game, room) {
		const typed = (room) => [this.#session, `auction/auctioneer/${room}`];
		return [[this.#local, `auction/${game}/key/${room}`], typed(room), typed("main")];
	}

	// The key of an own room; undefined for a room of somebody else.
	own(game, room) {
		const [[store, name]] = this.#places(game, room);
		return store[name];
	}

	keep(game, room, key) {
		const [[store, name]] = this.#places(game, room);
		store[name] = key;
	}

	get(game, room) {
		if (this.#given.key && this.#given.room === room) {
			this.keep(game, room, this.#given.key);
			this.#given = {};
		}
		return this.#places(game, room).map(([store, name]) => store[name]).find(Boolean);
	}

	// Keeps a key that the server accepted, and forgets one that it refused.
	note(game, room, key, isRight) {
		const places = this.#places(game, room);
		const known = places.filter(([store, name]) => store[name] === key);
		if (!isRight) for (const [store, name] of known) delete store[name];
		else if (known.length === 0) {
			const [store, name] = places[1];
			store[name] = key;
		}
	}
}
