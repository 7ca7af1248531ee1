// Rooms: their paths, the command that opens one, and the keys of auctioneers. No DOM.

import { sentence } from "./words.js";

const game = { seconds: 9, lots: 10, pause: 8, purse: "auto", worth: "50..150", profits: "yes" };
export const presets = [
	["Quick", "5 lots, the highest bid wins", { seconds: 7, lots: 5, pause: 5 }],
	["Poker night", "10 lots, secret values, a small purse", game],
	["Auction house", "8 lots, sealed bids, the second-highest is paid", { ...game, seconds: 20, lots: 8, format: "vickrey" }],
];

export function setCommand(options) {
	const words = [...Object.keys(game), "format"].map((name) => `${name}=${options[name] ?? "none"}`);
	return ["set", ...words].join(" ");
}

export const pathOf = (room) => (room === "main" ? "/" : `/rooms/${room}`);

export const roomAt = (path) => /^\/rooms\/([a-z\d-]+)(?:\/screen)?$/.exec(path)?.[1] ?? "main";

export const isLoopback = (host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

export const roomName = (text) => text.trim().toLowerCase().replace(/\s+/g, "-");

// The command for what was typed; the fields are called as the options.
export function openCommand({ name, ...typed }) {
	// In a pause a comma would be a decimal one.
	const words = Object.entries(typed).map(([option, text]) => {
		return [option, text.replace(/(\d) *(to|-|–) *(?=\d)/, "$1..").replace(option === "pause" ? /\s/g : /[\s,]/g, "")];
	});
	return ["open", name, ...words.filter(([, text]) => text).map((word) => word.join("="))].join(" ");
}

export function fieldOf({ code, content }, fields) {
	if (["room-taken", "bad-arguments", "bad-name"].includes(code)) return "name";
	if (code !== "bad-option") return undefined;
	if (content.startsWith("common needs noise")) return "noise";
	return content.match(/[a-z]+/g)?.find((word) => fields.includes(word));
}

export function complaintOf({ code, content }) {
	if (code === "bad-arguments") return "A name has 1 to 24 letters a to z, digits or -";
	if (code === "full") return sentence(content.replace(", type rooms for a list and join one", ": join one of the list"));
	return sentence(content);
}

// The keys of an auctioneer: of own rooms in the browser, typed ones in the tab. One typed in main is tried everywhere.
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
