// Rooms: their paths, the command that opens one, and the keys of auctioneers. No DOM.

export const pathOf = (room) => (room === "main" ? "/" : `/rooms/${room}`);

export const roomAt = (path) => /^\/rooms\/([a-z\d-]+)$/.exec(path)?.[1] ?? "main";

// A name as people type it: `Blue room` means `blue-room`.
export const roomName = (text) => text.trim().toLowerCase().replace(/\s+/g, "-");

// The command for what was typed into the form; the server decides what is empty.
export function openCommand({ name, from, to, ...options }) {
	if (from || to) options.worth = `${from}..${to}`;
	const words = Object.entries(options).map(([option, text]) => [option, text.replace(/[\s,]/g, "")]);
	return ["open", name, ...words.filter(([, text]) => text).map((word) => word.join("="))].join(" ");
}

// The field of the form that a refusal of the command is about; undefined if it is about none.
export function fieldOf({ code, content }) {
	if (["room-taken", "bad-arguments", "bad-name"].includes(code)) return "name";
	const option = code === "bad-option" ? content.split(" ")[0] : undefined;
	return option === "worth" ? "from" : option;
}

// The keys that make this page the auctioneer: those of its own rooms stay in the browser, a typed
// one in the tab. One that is typed in main is the server's, and is tried in every room.
export class Keys {
	#local; #session; #given;

	// `given` is the key in the link that opened the page, for the first room that asks.
	constructor(local, session, given) {
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
		if (this.#given) this.keep(game, room, this.#given);
		this.#given = null;
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
