// The page's words: numbers, times, news, and the state of the lot. No DOM.

// A number with commas between thousands, as in `1,050`.
export function grouped(amount) {
	return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

// What the server says, as a sentence for people.
export const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`.replace(/\d{4,}/g, grouped);

// A gain or a loss: `+23`, `−1,050` or `±0`.
export function signed(amount) {
	return (amount > 0 ? "+" : amount < 0 ? "−" : "±") + grouped(Math.abs(amount));
}

export function sameName(a, b) {
	return a?.toLowerCase() === b?.toLowerCase() && typeof a === "string";
}

// `no laps`, `1 lap`, `3 laps`.
export function counted(count, noun) {
	return `${count === 0 ? "no" : grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

// Milliseconds as `MM:SS.d`, rounded down; from 100 minutes on the minutes have more digits.
export function clockText(milliseconds) {
	const tenths = Math.floor(Math.max(0, milliseconds) / 100);
	const two = (number) => String(number).padStart(2, "0");
	return `${two(Math.floor(tenths / 600))}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}

// `just now` below 5 s and in the future, then such as `5s ago`, `2m ago`, `3h ago`, `4d ago`.
export function ageText(milliseconds) {
	const seconds = Math.floor(milliseconds / 1_000);
	if (!(seconds >= 5)) return "just now";
	const units = { d: 86_400, h: 3_600, m: 60, s: 1 };
	const [letter, length] = Object.entries(units).find(([, length]) => seconds >= length);
	return `${Math.floor(seconds / length)}${letter} ago`;
}

// The people and the newest lot of a room, from its `room` message: `12 here · english · 3. Blue vase`.
export function roomText({ format, lot, title, people }) {
	return `${grouped(people)} here · ${format} · ${lot}. ${title}`;
}

// What the page says in place of the standing while it is not connected; empty if it is.
export function connectionText({ phase, reason, retryAt }, isKnown, now) {
	if (phase === "connecting") return isKnown ? "Connection lost, reconnecting…" : "Connecting…";
	if (phase === "lost") {
		const seconds = secondsLeft(retryAt, now);
		if (isKnown) return `Connection lost, reconnecting in ${seconds} s`;
		return `${sentence(reason)}, next try in ${seconds} s`;
	}
	return phase === "gone" ? "This room is not open" : "";
}

export function secondsLeft(at, now) {
	return Math.max(0, Math.ceil((at - now) / 1_000));
}

// The text of news, as a sentence. A name at its beginning is not capitalized.
export function newsText({ text = "", bidder }) {
	return bidder && text.startsWith(bidder) ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

const rules = {
	english: "English auction, the highest bid wins when the countdown ends",
	dutch: "Dutch auction, the price falls until somebody takes it",
	sealed: "Sealed bids, the highest wins and pays its amount",
	vickrey: "Vickrey auction, the highest sealed bid wins and pays the second-highest",
};

const ruleOf = (format) => (Object.hasOwn(rules, format) ? rules[format] : "");

export function termsTexts({ terms, format }) {
	if (format !== "english") return [ruleOf(format)].filter(Boolean);
	return terms?.longest ? [`bids reset the countdown for ${counted(terms.longest, "second")}`] : [];
}

// The rule of the open lot, for somebody who has not joined.
export function ruleText({ format, isOpen }) {
	return isOpen ? ruleOf(format) : "";
}

// What everybody may know of a game, from its `game` message; empty without one.
export function gameText({ gameTerms }) {
	const { lots, purse, worth, common } = gameTerms ?? {};
	const range = (worth ?? common)?.map(grouped).join(" to ");
	const values = worth ? `each lot is worth ${range} to you` : `each lot is worth ${range}, the same to all`;
	return [lots && counted(lots, "lot"), purse && `you can spend ${grouped(purse)}`, range && values].filter(Boolean).join(" · ");
}

// Why a text is no name; empty if it is one.
export function nameComplaint(text) {
	const wrong = new Set(text.normalize().match(/[^\w-]/gu));
	if (wrong.size > 0) {
		const list = [...wrong].map((letter) => (letter === " " ? "spaces" : `“${letter}”`)).join(" or ");
		return `Use the letters a to z, digits, _ or - for a name, and no ${list}`;
	}
	return text.length > 24 ? "A name has at most 24 characters" : text ? "" : "Type a name";
}

export function reserveText({ terms, format, isOpen, reserveMet }) {
	if (reserveMet) return "Reserve met";
	if (!terms?.reserve || !isOpen) return "";
	return format === "english" ? "Reserve not met yet" : "There is a reserve";
}

export function callText(model, now) {
	const { next, outcome, going, lotsInAll } = model;
	if (model.isStopped) return "The auctioneer has stopped the server";
	if (model.isPaused) return "The auctioneer has paused the sale";
	if (lotsInAll !== null) return `The sale is over after ${counted(lotsInAll, "lot")}`;
	const ending = outcome && (outcome.bidder ? "Sold" : "Unsold");
	if (next) {
		const coming = `next in ${secondsLeft(next.at, now)} s: ${next.title}`;
		return ending ? `${ending} · ${coming}` : `N${coming.slice(1)}`;
	}
	if (ending) return ending;
	if (going) return `Going ${going}`;
	if (model.isLast) return "Last round: bids no longer reset the countdown";
	if (model.endsAt !== null) return "Time left";
	if (!model.isOpen) return "\u00a0";
	return model.format === "english" ? "The first bid starts the countdown" :
		"The countdown starts when somebody joins";
}

export function standingText(model) {
	const { leading, outcome, least, yours, isFinal } = model;
	const amount = leading && `${grouped(leading.amount)}${isFinal ? " – the price can rise no more" : ""}`;
	switch (model.standing) {
		case "first": return "No bids yet";
		case "watch": return `${leading.bidder} leads with ${amount}`;
		case "lead": return `You lead with ${amount}`;
		case "outbid": return `Outbid by ${leading.bidder} at ${amount}${isFinal ? "" : ` – bid\u00a0${grouped(least)}`}`;
		case "falling": return "The first to take it wins";
		case "unsealed": return "Bid in secret: you have no bid yet";
		case "sealed": return `Your sealed bid: ${grouped(yours)} – you can replace it`;
		case "won": return `You have won it for ${grouped(outcome.amount)}${because(model)}`;
		case "sold": return `Sold to ${outcome.bidder}${because(model)}`;
		case "passed": return outcome.text;
		default: return "Waiting for the first lot";
	}
}

// Why the winner of a Vickrey auction pays less than its own bid.
function because({ format, revealed: [first, second], outcome: { amount } }) {
	if (format !== "vickrey" || !(first?.amount > amount)) return "";
	return `, the ${second?.amount === amount ? "second-highest bid" : "lowest possible price"}`;
}

// The champions with their profit, or in a sale without values with their lots; empty if none.
export function championText({ champions, hasValues, me }) {
	if (champions.length === 0) return "";
	const names = champions.map(({ bidder }) => (sameName(bidder, me) ? "you" : bidder)).join(" and ");
	const { score } = champions[0];
	return `Champion: ${names}, with ${hasValues ? `a profit of ${signed(score)}` : counted(score, "lot")}`;
}

// What the lot is worth to `me`, and what its price earns; both empty without a value.
export function worthTexts({ worth, value, outcome, format, standing, yours, price, gain }) {
	const texts = [];
	if (worth) texts.push(`Your private ${worth.isEstimate ? "estimate: about" : "value:"} ${grouped(worth.amount)}`);
	if (value !== null) texts.push(`True value: ${grouped(value)}`);
	const text = texts.join(" · ");
	if (gain === null) return [text, ""];
	const figure = `${value === null && worth.isEstimate ? "perhaps " : ""}${signed(gain)}`;
	if (outcome) return [text, standing === "won" ? `You earn ${figure}` : `${outcome.bidder} earns ${figure}`];
	const least = format === "vickrey" ? "at least " : "";
	return [text, yours === null ? `${figure} at ${grouped(price)}` : `${least}${figure} if you win`];
}
