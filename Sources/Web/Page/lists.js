// The bids, the news, the people, the lots, and the chart in words.

import { $, set, showRows } from "./dom.js";
import { model } from "./parts.js";
import { ageText, clockText, counted, dotted, grouped, signed } from "./words.js";

// A row of a bidder, with the face before the name.
export function bidderRow(row, texts) {
	return { texts, isMine: model.isMine(row), face: row.bidder, name: model.nameOf(row.bidder) };
}

// Under a flood of bids only few are shown.
export function showLists(now, isFlood) {
	if (model.isSealed) showSealed();
	else showBids(now, isFlood);
	showRows($("ticker"), model.ticker, ({ kind, text, at }) => ({ texts: [text, ageText(now - at)], kind }));
	showStandings();
	showPeople();
	showLots();
}

function showBids(now, isFlood) {
	const { series: { laps, count }, openedAt, nameOf } = model;
	set($("laps-title"), counted(count, "bid"));
	showRows($("laps"), laps.slice(isFlood ? -30 : -200).reverse(), (lap) => {
		const { bid, bidder, amount, elapsed, split } = lap;
		const after = split === null ? "–" : `+${(split / 1_000).toFixed(1)}`;
		const age = openedAt === null ? "–" : ageText(now - openedAt - elapsed);
		return bidderRow(lap, [bid, nameOf(bidder), grouped(amount), clockText(elapsed), after, age]);
	});
}

function showSealed() {
	const { isOpen, state: { bids }, revealed, nameOf } = model;
	const end = `${counted(Math.max(bids, revealed.length), "bid")} revealed`;
	set($("laps-title"), isOpen ? `${counted(bids, "sealed bid")}, shown when the lot has ended` : end);
	showRows($("laps"), revealed, (bid, index) => bidderRow(bid, [index + 1, nameOf(bid.bidder), grouped(bid.amount)]));
}

function showStandings() {
	const { standings, state, nameOf } = model;
	const [hasPurses, hasProfits] = ["left", "profit"].map((name) => standings.some((row) => name in row));
	const isOver = state.stage === "over";
	Object.assign($("standings-panel").dataset, { purses: hasPurses, profits: hasProfits });
	$("standings-panel").hidden = standings.length === 0 || !(hasPurses || hasProfits || isOver);
	set($("standings-title"), isOver ? "Final standings" : "Standings");
	showRows($("standings"), standings, (row) => {
		const { rank, bidder, lots, spent, left = 0, profit = 0 } = row;
		return bidderRow(row, [rank, nameOf(bidder), lots, grouped(spent), grouped(left), signed(profit)]);
	});
}

function showPeople() {
	const { names, people } = model;
	set($("people-title"), people ? `${grouped(names.length)} here` : "Here");
	const describe = (bidder) => bidderRow({ bidder }, [model.nameOf(bidder)]);
	showRows($("people"), names.slice(0, 100), describe);
	showRows($("crowd"), model.lot === 0 ? names.slice(-24) : [], describe);
	showRows($("names"), names.slice(0, 100), (bidder) => ({ texts: [bidder] }));
}

function showLots() {
	const { results, isOpen, nextAt, nameOf, state: { lot, title, next } } = model;
	const coming = isOpen ? [`${lot}. ${title}`] : nextAt === null ? [] : [next[0]];
	showRows($("lots"), [...coming, ...results.slice(-20).reverse()], (item) => {
		if (item === coming[0]) return { texts: [item, isOpen ? "now" : "next"] };
		const aside = item.bidder ? `${nameOf(item.bidder)} · ${grouped(item.amount)}` : "unsold";
		return { texts: [`${item.lot}. ${item.content}`, aside], isMine: model.isMine(item) };
	});
	const mine = results.filter(model.isMine);
	const spent = mine.reduce((sum, { amount }) => sum + amount, 0);
	set($("lots-title"), dotted("Lots", mine.length > 0 && `you have won ${mine.length} for ${grouped(spent)}`));
}

export function chartText(series, end) {
	const prices = series.steps.filter(({ price }) => price !== null);
	if (prices.length === 0) return "No bids yet.";
	const [from, to] = [prices[0], prices.at(-1)].map(({ price }) => grouped(price));
	return `Price ${from} to ${to} in ${clockText(end)}, ${series.rateAt(end).toFixed(1)} bids per second.`;
}
