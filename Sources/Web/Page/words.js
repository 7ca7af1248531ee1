// The page's words: numbers, times, news, and the state of the lot. No DOM.

export function grouped(amount) {
	return String(amount).replace(/\B(?=(\d{3})+$)/g, ",");
}

const capitalized = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

export const sentence = (text) => capitalized(text).replace(/\d{4,}/g, grouped);

// The text of news as a sentence. A name at its beginning is not capitalized.
export const newsText = ({ text = "", bidder }) => (bidder && text.startsWith(bidder) ? text : capitalized(text));

export function signed(amount) {
	return (amount > 0 ? "+" : amount < 0 ? "−" : "±") + grouped(Math.abs(amount));
}

const plainLetters = { ł: "l", ø: "o", æ: "ae", œ: "oe", ß: "ss", đ: "d", ð: "d", þ: "th", ı: "i" };

// A name with the letters that the protocol has; other letters are for people.
export function plainName(typed) {
	const plain = typed.replace(/[łøæœßđðþı]/gi, (letter) => {
		const plain = plainLetters[letter.toLowerCase()];
		return letter === letter.toLowerCase() ? plain : plain.toUpperCase();
	}).normalize("NFD");
	const name = plain.replace(/[ '.]+/g, "-").replace(/[^\w-]/g, "").slice(0, 24);
	return name || `bidder-${Math.floor(10_000 * Math.random())}`;
}

export function sameName(a, b) {
	return a?.toLowerCase() === b?.toLowerCase() && typeof a === "string";
}

// Joins the parts that are not empty with dots.
export const dotted = (...parts) => parts.filter(Boolean).join(" · ");

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

export function roomText({ format, lot, title, people }) {
	return `${grouped(people)} here · ${format} · ${lot}. ${title}`;
}

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

// How the open lot is sold, for somebody who has not joined; only a plain lot has no `terms`.
export function ruleText({ news, isOpen }) {
	return isOpen ? newsText(news.terms ?? { text: "the highest bid wins when the countdown ends" }) : "";
}

export function lotText({ lot, state, news: { terms }, isRising }) {
	const longest = terms?.longest && `bids reset the countdown for ${counted(terms.longest, "second")}`;
	const { firstLot: first = 1, lots } = state;
	return dotted(`Lot ${lot - first + 1}${lots ? ` of ${lots - first + 1}` : ""}`, state.games > 1 && `game ${state.games}`, isRising ? longest : terms && newsText(terms));
}

export function gameText({ lots, purse, worth, common }) {
	const range = (worth ?? common)?.map(grouped).join(" to ");
	const values = `each lot is worth ${range}${worth ? " to you" : ", the same to all"}`;
	return dotted(lots && counted(lots, "lot"), purse && `you can spend ${grouped(purse)}`, range && values);
}

export function priceLabel({ outcome, lot, isSealed, isFalling, state: { leader } }) {
	if (lot === 0 || (outcome && !outcome.bidder)) return "\u00a0";
	if (outcome) return "Sold for";
	if (leader) return "Price";
	if (isSealed) return "Sealed bids";
	return isFalling ? "Asking price" : "First bid from";
}

export function reserveText({ state: { reserve = "none" }, isOpen, isRising }) {
	if (reserve === "none" || (reserve === "unmet" && !isOpen)) return "";
	if (!isRising && isOpen) return "There is a reserve";
	return reserve === "met" ? "Reserve met" : "Reserve not met yet";
}

export function callText({ state, news, outcome, isOpen, isRising, endsAt, nextAt }, now) {
	const { stage, going, isLast, next } = state;
	if (news.stopped) return newsText(news.stopped);
	if (["paused", "over"].includes(stage)) return newsText(news[stage] ?? { text: stage });
	const ending = outcome && (outcome.bidder ? "Sold" : "Unsold");
	if (nextAt !== null) {
		const coming = `ext in ${secondsLeft(nextAt, now)} s: ${next[0]}`;
		return ending ? `${ending} · n${coming}` : `N${coming}`;
	}
	if (ending) return ending;
	if (going) return `Going ${going}`;
	if (isLast) return newsText(news.last ?? {});
	if (endsAt !== null) return "Time left";
	if (!isOpen) return "\u00a0";
	return isRising ? "The first bid starts the countdown" : "The countdown starts when somebody joins";
}

export function standingText({ standing, state, you, outcome, revealed, isFinal }) {
	const { leader, price, minimum } = state;
	const amount = price && `${grouped(price)}${isFinal ? " – the price can rise no more" : ""}`;
	// The winner of a Vickrey auction pays less than its own bid.
	const bid = revealed.find(({ bidder }) => bidder === outcome?.bidder)?.amount;
	const above = bid > outcome?.amount ? `, with a bid of ${grouped(bid)}` : "";
	switch (standing) {
		case "first": return "No bids yet";
		case "watch": return `${leader} leads with ${amount}`;
		case "lead": return `You lead with ${amount}`;
		case "outbid": return `Outbid by ${leader} at ${amount}${isFinal ? "" : ` – bid\u00a0${grouped(minimum)}`}`;
		case "falling": return "The first to take it wins";
		case "unsealed": return "Bid in secret: you have no bid yet";
		case "sealed": return `Your sealed bid: ${grouped(you.sealed)} – you can replace it`;
		case "won": return `You have won it for ${grouped(outcome.amount)}${above}`;
		case "sold": return newsText(outcome) + above + (you.paid ? `, and you pay ${grouped(you.paid)}` : "");
		case "passed": return newsText(outcome);
		default: return state.stage === "waiting" ? "The auctioneer starts the sale" : "";
	}
}

export function worthTexts({ you: { worth, isEstimate, sealed }, state: { format }, news, outcome, standing, price, gain }) {
	const value = news.value?.value;
	const own = worth && `Your private ${isEstimate ? "estimate: about" : "value:"} ${grouped(worth)}`;
	const text = dotted(own, value && `True value: ${grouped(value)}`);
	if (gain === null) return [text, ""];
	const figure = `${isEstimate && !value ? "perhaps " : ""}${signed(gain)}`;
	if (outcome) return [text, standing === "won" ? `You earn ${figure}` : `${outcome.bidder} earns ${figure}`];
	const least = format === "vickrey" ? "at least " : "";
	return [text, sealed ? `${least}${figure} if you win` : `${figure} at ${grouped(price)}`];
}
