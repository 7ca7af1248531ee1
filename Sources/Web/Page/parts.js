// The parts of the page that use no DOM: the model, the connection, what a bidder can do, and the loads.

import { Bidding } from "./bidding.js";
import { Connection } from "./connection.js";
import { Model, lapOf } from "./model.js";
import { Resource } from "./resource.js";
import { Keys, pathOf, roomAt } from "./rooms.js";

// The browser's storage, or an object that forgets everything where storage is forbidden.
function storage(name) {
	try {
		return window[name];
	} catch {
		return {};
	}
}

export const store = storage("localStorage");
export const clock = { now: () => Date.now(), after: (delay, run) => setTimeout(run, delay) };
const tokenKey = (game, name) => `auction/${game}/token/${name.toLowerCase()}`;

// The auctioneer's key in the address, which nobody is to see there.
export function takeKey() {
	const key = /^#key=(\w+)$/.exec(location.hash)?.[1];
	if (key) history.replaceState(null, "", location.pathname);
	return key;
}

export const model = new Model();
export const keys = new Keys(store, storage("sessionStorage"), { room: roomAt(location.pathname), key: takeKey() });
export const connection = new Connection({
	model,
	clock,
	keys,
	open: (room) => new WebSocket(location.origin.replace("http", "ws") + `${pathOf(room)}/ws`.replace("//", "/")),
	hasRoom: (room) => fetch(pathOf(room), { method: "HEAD" }).then(({ status }) => status !== 404, () => true),
	tokens: {
		get: (game, name) => store[tokenKey(game, name)],
		set: (game, name, token) => (store[tokenKey(game, name)] = token ?? ""),
	},
});
connection.room = roomAt(location.pathname);
export const bidding = new Bidding({ model, connection, clock });

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
	people: new Resource(() => request("who"), ({ data }) => {
		model.loadPeople(data.map(({ bidder }) => bidder));
	}),
	lots: new Resource(() => request("results"), ({ data }) => model.loadResults(data)),
	standings: new Resource(() => request("standings"), ({ data }) => model.loadStandings(data)),
	rooms: new Resource(() => request("rooms")),
};

// Keeps those of the newest 20 games.
export function forgetOldGames() {
	const known = (store["auction/games"] ?? "").split(" ").filter((game) => game !== model.game);
	const games = [model.game, ...known].slice(0, 20);
	store["auction/games"] = games.join(" ");
	for (const key of Object.keys(store)) {
		const [app, game, entry] = key.split("/");
		if (app === "auction" && entry && !games.includes(game)) delete store[key];
	}
}
