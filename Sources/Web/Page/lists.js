// The laps, the news, the people, the lots, and the chart in words.

import { $, h, set, showRows } from "./dom.js";
import { ageText, clockText, counted, grouped, sameName, signed } from "./words.js";

let lapsBefore = 0;
let nameBefore = null;

// Shows the lists at `now`; under a flood of bids only few rows.
export function showLists(model, now) {
	const { ticker, me } = model;
	// Rows stay while their items do, and those of another name are no longer the own ones.
	if (me !== nameBefore) for (const id of ["laps", "standings", "people", "lots"]) $(id).replaceChildren();
	nameBefore = me;
	if (model.isSealed) showBids(model);
	else showLaps(model, now);
	showRows($("ticker"), ticker, ({ kind, text }) => newLine(text, "", { "data-kind": kind }));
	for (const { item, lastChild } of $("ticker").children) set(lastChild, ageText(now - item.at));
	showStandings(model);
	showPeople(model);
	showLots(model);
	showLegend(model.series);
}

// Explains what the chart has.
function showLegend({ joins, gaps, isFalling }) {
	const shown = { rate: !isFalling, join: joins.length > 0, gap: gaps.length > 0 };
	for (const name in shown) document.querySelector(`#legend .${name}`).parentElement.hidden = !shown[name];
}

function showLaps(model, now) {
	const { series: { laps, count }, openedAt } = model;
	const isFlood = count - lapsBefore > 20;
	lapsBefore = count;
	set($("laps-title"), counted(count, "lap"));
	showRows($("laps"), laps.slice(isFlood ? -30 : -200).reverse(), (lap) => newLap(lap, model));
	for (const { item, lastChild } of $("laps").children) {
		set(lastChild, openedAt === null ? "–" : ageText(now - openedAt - item.elapsed));
	}
}

function showBids({ isOpen, sealed, revealed, me }) {
	const count = Math.max(sealed, revealed.length);
	set($("laps-title"), isOpen ? `${counted(count, "sealed bid")}, shown when the lot has ended` : `${counted(count, "bid")} revealed`);
	showRows($("laps"), revealed, (bid) => {
		const cells = [revealed.indexOf(bid) + 1, bid.bidder, grouped(bid.amount)];
		return newRow(cells, whose({ me }, bid.bidder));
	});
}

// Winners and who is here, with what each has won and paid, and in a game has left and earned.
function showStandings(model) {
	const { standings, lotsInAll } = model;
	const [hasPurses, hasProfits] = ["left", "profit"].map((name) => standings.some((row) => name in row));
	const isOver = lotsInAll !== null;
	Object.assign($("standings-panel").dataset, { purses: hasPurses, profits: hasProfits });
	$("standings-panel").hidden = standings.length === 0 || !(hasPurses || hasProfits || isOver);
	set($("standings-title"), isOver ? "Final standings" : "Standings");
	showRows($("standings"), standings, ({ rank, bidder, lots, spent, left = 0, profit = 0 }) => {
		const texts = [rank, bidder, lots, grouped(spent), grouped(left), signed(profit)];
		return newRow(texts, whose(model, bidder));
	});
}

const newLine = (text, aside, attributes = {}) => {
	return h("li", attributes, h("span", {}, text), h("small", {}, aside));
};

const whose = (model, bidder) => ({ class: sameName(bidder, model.me) ? "mine" : "" });

function newLap(lap, model) {
	const split = lap.split === null ? "–" : `+${(lap.split / 1_000).toFixed(1)}`;
	const texts = [lap.bid, lap.bidder, grouped(lap.amount), clockText(lap.elapsed), split, ""];
	return newRow(texts, whose(model, lap.bidder));
}

function newRow(texts, attributes) {
	const cells = texts.map((text) => h("td", { role: "cell" }, text));
	return h("tr", { role: "row", ...attributes }, ...cells);
}

function showPeople(model) {
	const names = [...(model.people?.values() ?? [])];
	set($("people-title"), model.people ? `${grouped(names.length)} here` : "Here");
	const more = names.length > 60 ? [`and ${grouped(names.length - 60)} more`] : [];
	showRows($("people"), [...names.slice(0, 60), ...more],
		(name) => h("li", whose(model, name), name));
	showRows($("names"), names.slice(0, 100), (value) => h("option", { value }));
}

function showLots(model) {
	const { results, next, isOpen, lot, me } = model;
	const coming = next ? [next] : isOpen ? [lot] : [];
	showRows($("lots"), [...coming, ...results.slice(-20).reverse()], (item) => {
		if (item === next) return newLine(next.title, "next");
		if (item === lot) return newLine(`${lot.number}. ${lot.title}`, "now");
		const { bidder, amount } = item;
		const aside = bidder ? `${bidder} · ${grouped(amount)}` : "unsold";
		return newLine(`${item.lot}. ${item.content}`, aside, whose(model, bidder));
	});
	const mine = results.filter(({ bidder }) => sameName(bidder, me));
	const spent = mine.reduce((sum, { amount }) => sum + amount, 0);
	$("mine").hidden = mine.length === 0;
	set($("mine"), `You have won ${counted(mine.length, "lot")} for ${grouped(spent)}`);
}

export function chartText(series, end) {
	const prices = series.steps.filter(({ price }) => price !== null);
	if (prices.length === 0) return "No bids yet.";
	const [from, to] = [prices[0], prices.at(-1)].map(({ price }) => grouped(price));
	const parts = [`Price ${from} to ${to} in ${clockText(end)}`];
	if (series.count) parts.push(`${series.rateAt(end).toFixed(1)} bids per second`);
	const join = series.joins.at(-1);
	if (join) parts.push(`${join.name} joined at ${clockText(join.at)}`);
	if (series.gaps.length) parts.push(`${counted(series.gaps.length, "gap")} of missed bids`);
	return `${parts.join("; ")}.`;
}
