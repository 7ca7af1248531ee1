// The parts of the page that use no DOM.

import { Bidding } from "./bidding.js";
import { Connection } from "./connection.js";
import { Model, lapOf } from "./model.js";
import { Keys, isLoopback, pathOf, roomAt } from "./rooms.js";

// A value that is loaded; it can be loading, and have a result and an error at once.
export class Resource {
	loading = false;
	result = undefined;
	lastError = null;

	#fetch; #use;
	#serial = 0;

	constructor(fetch, use = () => {}) {
		[this.#fetch, this.#use] = [fetch, use];
	}

	async load() {
		const serial = (this.#serial += 1);
		this.loading = true;
		let outcome;
		try {
			outcome = { result: await this.#fetch(), lastError: null };
		} catch (error) {
			outcome = { lastError: error.message ?? String(error) };
		}
		if (serial !== this.#serial) return;
		if (outcome.lastError === null) this.#use(outcome.result);
		Object.assign(this, { loading: false, ...outcome });
	}

	forget() {
		this.#serial += 1;
		Object.assign(this, { loading: false, result: undefined, lastError: null });
	}
}

// The browser's storage, or an object that forgets everything where storage is forbidden.
function storage(name) {
	try {
		return window[name];
	} catch {
		return {};
	}
}

export const store = storage("localStorage");
export const clock = { now: Date.now, after: (delay, run) => setTimeout(run, delay) };

// Removes the auctioneer's key, or a name and its token, from the address.
export function takeSecrets() {
	const [found, key, name, token] = /^#(?:key=(\w+)|name=([\w-]+)&token=(\w+))$/.exec(location.hash) ?? [];
	if (found) history.replaceState(null, "", location.pathname);
	return { key, name, token };
}

const link = takeSecrets();

export const model = new Model();
export const keys = new Keys(store, storage("sessionStorage"), { room: roomAt(location.pathname), ...link });
export const connection = new Connection({
	model, clock, store, keys, link,
	open: (room) => new WebSocket(location.origin.replace("http", "ws") + `${pathOf(room)}/ws`.replace("//", "/")),
	hasRoom: (room) => fetch(pathOf(room), { method: "HEAD" }).then(({ status }) => status !== 404, () => true),
});
connection.room = roomAt(location.pathname);
export const bidding = new Bidding({ model, connection, clock });

// Where others open the page, and whether they can: not at a loopback address.
export async function reach() {
	const { origin } = location;
	if (!isLoopback(location.hostname)) return { origin, isOpen: true, isKnown: true };
	const { isOpen, url } = await (await fetch("/address")).json().catch(() => ({}));
	return { origin: url ? new URL(url).origin : origin, isOpen, isKnown: Boolean(url) };
}

async function request(command) {
	const answer = await connection.request(command);
	if (!answer.isOK) throw new Error(answer.content);
	return answer;
}

async function requestLaps() {
	const { content, data } = await request("laps 1 1000");
	const count = Number(content.split(" ")[1]);
	return count > 1_000 ? (await request(`laps ${count - 998} 1000`)).data : data;
}

export const loads = {
	laps: new Resource(requestLaps, (laps) => model.loadLaps(laps.map(lapOf))),
	people: new Resource(() => request("who"), ({ data }) => model.loadPeople(data)),
	lots: new Resource(() => request("results"), ({ data }) => model.loadResults(data)),
	standings: new Resource(() => request("standings"), ({ data }) => (model.standings = data)),
	rooms: new Resource(() => request("rooms")),
};

let [rankedFor, rankedAt] = [",,false,", 0];

// Loads the standings after each lot and when the facts differ, at most once a second, within `spread` ms.
export function rank(now, facts, spread = 0) {
	const { results, news, state: { stage } } = model;
	const basis = [results.at(-1)?.lot, news.value?.value, stage === "over", facts].join();
	if (basis === rankedFor || (now >= rankedAt && now < rankedAt + 1_000)) return;
	[rankedFor, rankedAt] = [basis, now];
	clock.after(spread * Math.random(), () => loads.standings.load());
}
