// The laps, the news, the people, the lots, and the chart in words.

import { $, h, set, showRows } from "./dom.js";
import { ageText, clockText, counted, grouped, sameName, signed } from "./words.js";

let lapsBefore = 0;
let nameBefore = null;

// Shows the lists at `now`; under a flood of bids only few rows.
export function showLists(model, now) {
	const { ticker, me, series: { joins, isFalling } } = model;
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
	const shown = { rate: !isFalling, join: joins.length > 0 };
	for (const name in shown) document.querySelector(`#legend .${name}`).parentElement.hidden = !shown[name];
}

function showLaps(model, now) {
	const { series: { laps, count }, openedAt } = model;
	const isFlood = count - lapsBefore > 20;
	lapsBefore = count;
	set($("laps-title"), counted(count, "lap"));
	showRows($("laps"), laps.slice(isFlood ? -30 : -200).reverse(), ({ bid, bidder, amount, elapsed, split }) => {
		const after = split === null ? "–" : `+${(split / 1_000).toFixed(1)}`;
		return newRow([bid, bidder, grouped(amount), clockText(elapsed), after, ""], whose(model, bidder));
	});
	for (const { item, lastChild } of $("laps").children) {
		set(lastChild, openedAt === null ? "–" : ageText(now - openedAt - item.elapsed));
	}
}

function showBids(model) {
	const { isOpen, state: { bids }, revealed } = model;
	const end = `${counted(Math.max(bids, revealed.length), "bid")} revealed`;
	set($("laps-title"), isOpen ? `${counted(bids, "sealed bid")}, shown when the lot has ended` : end);
	showRows($("laps"), revealed, (bid) => {
		return newRow([revealed.indexOf(bid) + 1, bid.bidder, grouped(bid.amount)], whose(model, bid.bidder));
	});
}

function showStandings(model) {
	const { standings, state } = model;
	const [hasPurses, hasProfits] = ["left", "profit"].map((name) => standings.some((row) => name in row));
	const isOver = state.stage === "over";
	Object.assign($("standings-panel").dataset, { purses: hasPurses, profits: hasProfits });
	$("standings-panel").hidden = standings.length === 0 || !(hasPurses || hasProfits || isOver);
	set($("standings-title"), isOver ? "Final standings" : "Standings");
	showRows($("standings"), standings, ({ rank, bidder, lots, spent, left = 0, profit = 0 }) => {
		return newRow([rank, bidder, lots, grouped(spent), grouped(left), signed(profit)], whose(model, bidder));
	});
}

const newLine = (text, aside, attributes = {}) => h("li", attributes, h("span", {}, text), h("small", {}, aside));

const newRow = (texts, attributes) => {
	return h("tr", { role: "row", ...attributes }, ...texts.map((text) => h("td", { role: "cell" }, text)));
};

const whose = ({ me }, bidder) => ({ class: sameName(bidder, me) ? "mine" : "" });

function showPeople(model) {
	const names = [...(model.people?.values() ?? [])];
	set($("people-title"), model.people ? `${grouped(names.length)} here` : "Here");
	const more = names.length > 60 ? [`and ${grouped(names.length - 60)} more`] : [];
	showRows($("people"), [...names.slice(0, 60), ...more], (name) => h("li", whose(model, name), name));
	showRows($("names"), names.slice(0, 100), (value) => h("option", { value }));
}

function showLots(model) {
	const { results, isOpen, nextAt, me, state: { lot, title, next } } = model;
	const coming = isOpen ? [`${lot}. ${title}`] : nextAt === null ? [] : [next[0]];
	showRows($("lots"), [...coming, ...results.slice(-20).reverse()], (item) => {
		if (item === coming[0]) return newLine(item, isOpen ? "now" : "next");
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
	const join = series.joins.at(-1);
	const parts = [
		`Price ${from} to ${to} in ${clockText(end)}`,
		series.count > 0 && `${series.rateAt(end).toFixed(1)} bids per second`,
		join && `${join.name} joined at ${clockText(join.at)}`,
		series.isPartial && "some bids are missing",
	];
	return `${parts.filter(Boolean).join("; ")}.`;
}
