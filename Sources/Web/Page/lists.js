// The laps, the news, the people, the lots, and the chart in words.

import { $, set, show, showRows } from "./dom.js";
import { ageText, clockText, counted, grouped, signed } from "./words.js";

// Shows the lists at `now`; under a flood of bids only few laps.
export function showLists(model, now, isFlood) {
	const { ticker, series: { joins, isFalling } } = model;
	if (model.isSealed) showBids(model);
	else showLaps(model, now, isFlood);
	showRows($("ticker"), ticker, ({ kind, text, at }) => ({ texts: [text, ageText(now - at)], kind }));
	showStandings(model);
	showPeople(model);
	showLots(model);
	const shown = { rate: !isFalling, join: joins.length > 0 };
	for (const name in shown) document.querySelector(`#legend .${name}`).parentElement.hidden = !shown[name];
}

function showLaps(model, now, isFlood) {
	const { series: { laps, count }, openedAt } = model;
	set($("laps-title"), counted(count, "lap"));
	showRows($("laps"), laps.slice(isFlood ? -30 : -200).reverse(), (lap) => {
		const { bid, bidder, amount, elapsed, split } = lap;
		const after = split === null ? "–" : `+${(split / 1_000).toFixed(1)}`;
		const age = openedAt === null ? "–" : ageText(now - openedAt - elapsed);
		return { texts: [bid, model.nameOf(bidder), grouped(amount), clockText(elapsed), after, age], isMine: model.isMine(lap), face: bidder, name: model.nameOf(bidder) };
	});
}

function showBids(model) {
	const { isOpen, state: { bids }, revealed } = model;
	const end = `${counted(Math.max(bids, revealed.length), "bid")} revealed`;
	set($("laps-title"), isOpen ? `${counted(bids, "sealed bid")}, shown when the lot has ended` : end);
	showRows($("laps"), revealed, (bid, index) => {
		return { texts: [index + 1, model.nameOf(bid.bidder), grouped(bid.amount)], isMine: model.isMine(bid), face: bid.bidder };
	});
}

function showStandings(model) {
	const { standings, state } = model;
	const [hasPurses, hasProfits] = ["left", "profit"].map((name) => standings.some((row) => name in row));
	const isOver = state.stage === "over";
	Object.assign($("standings-panel").dataset, { purses: hasPurses, profits: hasProfits });
	$("standings-panel").hidden = standings.length === 0 || !(hasPurses || hasProfits || isOver);
	set($("standings-title"), isOver ? "Final standings" : "Standings");
	showRows($("standings"), standings, (row) => {
		const { rank, bidder, lots, spent, left = 0, profit = 0 } = row;
		return { texts: [rank, model.nameOf(bidder), lots, grouped(spent), grouped(left), signed(profit)], isMine: model.isMine(row), face: bidder, name: model.nameOf(bidder) };
	});
}

function showPeople(model) {
	const names = [...(model.people?.values() ?? [])];
	set($("people-title"), model.people ? `${grouped(names.length)} here` : "Here");
	const more = names.length > 60 ? [`and ${grouped(names.length - 60)} more`] : [];
	const describe = (bidder) => ({
		texts: [model.nameOf(bidder)], isMine: model.isMine({ bidder }), face: more.includes(bidder) ? null : bidder, name: model.nameOf(bidder),
	});
	showRows($("people"), [...names.slice(0, 60), ...more], describe);
	showRows($("names"), names.slice(0, 100), (bidder) => ({ texts: [bidder] }));
}

function showLots(model) {
	const { results, isOpen, nextAt, state: { lot, title, next } } = model;
	const coming = isOpen ? [`${lot}. ${title}`] : nextAt === null ? [] : [next[0]];
	showRows($("lots"), [...coming, ...results.slice(-20).reverse()], (item) => {
		if (item === coming[0]) return { texts: [item, isOpen ? "now" : "next"] };
		const aside = item.bidder ? `${item.bidder} · ${grouped(item.amount)}` : "unsold";
		return { texts: [`${item.lot}. ${item.content}`, aside], isMine: model.isMine(item) };
	});
	const mine = results.filter(model.isMine);
	const spent = mine.reduce((sum, { amount }) => sum + amount, 0);
	show("mine", mine.length > 0 && `You have won ${counted(mine.length, "lot")} for ${grouped(spent)}`);
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
