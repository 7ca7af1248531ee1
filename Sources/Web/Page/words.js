// The page's words: numbers, times, news, and the state of the lot. No DOM.

export const grouped = (amount) => String(amount).replace(/\B(?=(\d{3})+$)/g, ",");

const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

export const sentence = (text) => capitalized(text).replace(/\d{4,}/g, grouped);

// The text of news as a sentence. A name at its beginning is not capitalized.
export const newsText = ({ text = "", bidder }) => (bidder && text.startsWith(bidder) ? text : capitalized(text));

export const signed = (amount) => (amount > 0 ? "+" : amount < 0 ? "−" : "±") + grouped(Math.abs(amount));

const plainLetters = { ł: "l", ø: "o", æ: "ae", œ: "oe", ß: "ss", đ: "d", ð: "d", þ: "th", ı: "i" };

// A name with the letters that the protocol has.
export function plainName(typed) {
	const plain = typed.replace(/[łøæœßđðþı]/gi, (letter) => {
		const plain = plainLetters[letter.toLowerCase()];
		return letter === letter.toLowerCase() ? plain : plain.toUpperCase();
	}).normalize("NFD");
	const name = plain.replace(/[ '.]+/g, "-").replace(/[^\w-]/g, "").slice(0, 24);
	return name || `bidder-${Math.floor(10_000 * Math.random())}`;
}

export const sameName = (a, b) => typeof a === "string" && a.toLowerCase() === b?.toLowerCase();

export const dotted = (...parts) => parts.filter(Boolean).join(" · ");

export function counted(count, noun) {
	return `${count === 0 ? "no" : grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

// Milliseconds as `MM:SS.d`, rounded down.
export function clockText(milliseconds) {
	const tenths = Math.floor(Math.max(0, milliseconds) / 100);
	const two = (number) => String(number).padStart(2, "0");
	return `${two(Math.floor(tenths / 600))}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
}

// `just now` below 5 s and in the future, then such as `5s ago` or `4d ago`.
export function ageText(milliseconds) {
	const seconds = Math.floor(milliseconds / 1_000);
	if (!(seconds >= 5)) return "just now";
	const units = { d: 86_400, h: 3_600, m: 60, s: 1 };
	const [letter, length] = Object.entries(units).find(([, length]) => seconds >= length);
	return `${Math.floor(seconds / length)}${letter} ago`;
}

export function connectionText({ phase, reason, retryAt }, isKnown, now) {
	if (phase === "connecting") return isKnown ? "Connection lost, reconnecting…" : "Connecting…";
	if (phase === "gone") return "This room is not open";
	const what = isKnown ? "Connection lost, reconnecting" : `${sentence(reason)}, next try`;
	return phase === "lost" ? `${what} in ${secondsLeft(retryAt, now)} s` : "";
}

export const secondsLeft = (at, now) => Math.max(0, Math.ceil((at - now) / 1_000));

// How the open lot is sold; only a plain lot has no `terms`.
export function ruleText({ news, isOpen }) {
	return isOpen ? newsText(news.terms ?? { text: "the highest bid wins when the countdown ends" }) : "";
}

export function numberText({ firstLot: first = 1, lot, lots }) {
	return `Lot ${lot - first + 1}${lots ? ` of ${lots - first + 1}` : ""}`;
}

export const formats = { english: "Rising price", dutch: "Falling price", sealed: "Sealed bids", vickrey: "Second price", allpay: "All pay" };

export function roundText({ round, rounds, practice, group, of, size }) {
	return dotted(`Round ${round} of ${rounds}`, practice === "yes" && "practice", group && `group ${group} of ${of}, ${size} bidders`);
}

export function lotText({ round, state, news: { terms }, isRising }) {
	const longest = terms?.longest && `bids reset the countdown for ${counted(terms.longest, "second")}`;
	return dotted(round ? roundText(round) : numberText(state), state.games > 1 && `game ${state.games}`, isRising ? longest : terms && newsText(terms));
}

export function gameText({ lots, purse, worth, common }) {
	const range = (worth ?? common)?.map(grouped).join(" to ");
	const values = `each lot is worth ${range}${worth ? " to you" : ", the same to all"}`;
	return dotted(lots && counted(lots, "lot"), purse && `you can spend ${grouped(purse)}`, range && values);
}

export function priceLabel({ outcome, lot, isSealed, isFalling, state: { leader } }) {
	if (lot === 0 || (outcome && !outcome.bidder)) return "\u00a0";
	if (outcome) return "Sold for";
	if (leader) return "";
	if (isSealed) return "Sealed bids";
	return isFalling ? "Asking price" : "First bid from";
}

// The facts for a bidder, as labels and figures.
export function chipTexts({ you: { worth, isEstimate, left = null, rank = null }, news, state: { reserve = "none" }, isOpen, isRising }) {
	const value = news.value?.value;
	const state = { met: "met", unmet: isOpen && (isRising ? "not met" : "secret") }[reserve];
	return {
		value: value ? ["True value", grouped(value)] : [isEstimate ? "Estimate" : "Worth", worth && grouped(worth)],
		purse: ["Purse", left !== null && grouped(left)],
		place: ["Place", rank !== null && ordinal(rank)],
		reserve: ["Reserve", state],
	};
}

export function callText({ state, news, outcome, isOpen, isRising, endsAt, nextAt }, now) {
	const { stage, going, isLast, next } = state;
	if (news.stopped) return newsText(news.stopped);
	if (["paused", "over"].includes(stage)) return newsText(news[stage] ?? { text: stage });
	const ending = outcome && (outcome.bidder ? "Sold" : "Unsold");
	if (nextAt !== null) return capitalized(dotted(ending, `next in ${secondsLeft(nextAt, now)} s: ${next[0]}`));
	if (ending) return ending;
	if (going) return `Going ${going}`;
	if (isLast) return newsText(news.last ?? {});
	if (endsAt !== null || !isOpen) return "";
	return isRising ? "The first bid starts the countdown" : "The countdown starts when somebody joins";
}

// How the bidder stands, as a headline and the rest.
export function standingText(model) {
	const { standing, state, you, me, outcome, revealed, isFinal, nameOf, price, round } = model;
	const { leader, minimum } = state;
	const amount = price && `${grouped(price)}${isFinal ? " – the price can rise no more" : ""}`;
	const name = leader && nameOf(leader);
	const gain = gainText(model);
	switch (standing) {
		case "first": return ["No bids yet", ""];
		case "watch": return [`${name} leads`, `with ${amount}`];
		case "lead": return ["You lead", `with ${amount}${gain && `: you earn ${gain}`}`];
		case "outbid": return ["Outbid", `by ${name} at ${amount}${isFinal ? "" : ` – bid\u00a0${grouped(minimum)}`}`];
		case "falling": return ["Falling price", "The first to take it wins"];
		case "unsealed": return ["Bid in secret", "You have no bid yet"];
		case "sealed": return [`Sealed: ${amount}`, `You can replace it${gain && ` · ${state.format === "vickrey" ? "at least " : ""}${gain} if you win`}`];
		case "passed": return ["Unsold", sentence(outcome.text.replace(/.* is unsold: /, ""))];
		case "waiting":
			if (round) return [dotted(roundText(round), round.title), `${formats[round.format]}. Groups of ${round.size}.`];
			return state.stage === "waiting" ? [me ? "You are in" : "", "Waiting for the host to start"] : ["", ""];
	}
	// The winner of a Vickrey auction pays less than its own bid.
	const bid = revealed.find(({ bidder }) => bidder === outcome.bidder)?.amount;
	const above = bid > outcome.amount && `with a bid of ${grouped(bid)}`;
	if (standing === "sold") {
		const paid = you.paid && `you pay ${grouped(you.paid)}`;
		return [`${name} won`, `it for ${dotted(amount, above, paid, worthText(model, name))}`];
	}
	const isDear = model.gain < 0;
	return [isDear ? `Yours, but ${grouped(-model.gain)} too dear` : `Yours for ${amount}`, dotted(isDear && `You pay ${amount}`, above, worthText(model, "you"))];
}

function worthText({ you: { worth }, news, state: { winnerWorth }, price }, name) {
	const value = news.value?.value ?? (name === "you" ? worth : winnerWorth);
	if (!value) return "";
	const whose = news.value ? "" : ` to ${name}`;
	return `worth ${grouped(value)}${whose}: ${name} earn${name === "you" ? "" : "s"} ${signed(value - price)}`;
}

function gainText({ you: { isEstimate }, news, gain }) {
	return gain === null ? "" : `${isEstimate && !news.value ? "perhaps " : ""}${signed(gain)}`;
}

export function endText({ champions, championNames: names, isMine, you: { rank } }) {
	const score = champions.length && signed(champions[0].score);
	if (champions.some(isMine)) return ["You are the champion", `with ${score}`];
	return [rank ? `You came ${ordinal(rank)}` : "The sale is over", score ? `${names}: champion with ${score}` : ""];
}

export function moveText(rank, former) {
	if (!former || former === rank) return "";
	return rank < former ? `▲ from ${ordinal(former)}` : `▼ to ${ordinal(rank)}`;
}

const suffixes = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });
export const ordinal = (number) => number + suffixes[rules.select(number)];
