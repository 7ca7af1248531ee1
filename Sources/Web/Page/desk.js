// The desk of a class's teacher, and the same page for a projector: without names, and without buttons.
//
// It waits in the room `class` as its auctioneer. For tests: `window.auction`, and the data of <body>.

import { $, all, inFrame, isConfirmed, keepRows, make, mark, note, onSubmit, run, set, showFace } from "./dom.js";
import { Resource, clock, connection, keys, model, reach, takeSecrets } from "./parts.js";
import { showOpening } from "./stage.js";
import { connectionText, counted, dotted, formats, roundText, sentence } from "./words.js";

const isScreen = location.pathname.endsWith("/screen");

let reportedFor = "";
let fetchedFor = "";
let isChosen = false;

connection.room = "class";

// The class: where it stands, and what each student does. Only its teacher is told.

const report = new Resource(async () => {
	const { isOK, data, content } = await connection.request("class");
	if (!isOK) throw new Error(sentence(content));
	const [place, ...students] = data;
	// Who is slow comes first, who is away last.
	students.sort((a, b) => urgency(a) - urgency(b));
	const end = place.milliseconds === undefined ? null : clock.now() + place.milliseconds;
	return { ...place, stage: place.content, orders: place.orders?.split(",") ?? [], end, students };
});

const isReported = () => connection.phase === "live" && connection.isAuctioneer;

function askAgain() {
	if (isReported() && !document.hidden && !report.loading) report.load();
}

setInterval(askAgain, 1_000);

const nothing = { stage: "", orders: [], end: null, students: [] };

// What students do, and how many of them do it.
const doings = {
	away: "away", here: "", reading: "reads", ready: "ready", thinking: "no bid yet", bid: "has bid", done: "has played",
};

const urgency = ({ state }) => (["reading", "thinking"].includes(state) ? 0 : state === "away" ? 2 : 1);

const countOf = (students, ...states) => students.filter(({ state }) => states.includes(state)).length;

const headlines = {
	gathering: (here) => (here ? "press Start when all are here" : "nobody is here yet"),
	reading: (here, students) => `${countOf(students, "ready")} of ${here} have read the instructions`,
	counting: () => dotted(formats[model.round?.format], `groups of ${model.round?.size}`),
	short: () => "waits for a second student",
	playing: (_, students) => `${countOf(students, "bid")} of ${countOf(students, "bid", "thinking")} have bid`,
	results: () => "the results are shown",
	over: (_, students) => `is over: ${counted(students.length, "student")} took part`,
};

function headlineTexts({ stage, students, title, round, rounds, paused }) {
	if (!stage) return ["Class", tokenOf() ? "" : isScreen ? "open the teacher's link in this browser, and then this page again" : "open the teacher's link, or sign in with its key"];
	const here = students.length - countOf(students, "away");
	return [
		dotted(stage === "gathering" || stage === "over" ? title : roundText({ ...model.round, round, rounds, group: null }), paused && "paused"),
		dotted(stage !== "gathering" && stage !== "over" && title, headlines[stage](here, students)),
	];
}

function show() {
	const now = clock.now();
	const { phase, isAuctioneer } = connection;
	const place = (isAuctioneer && report.result) || nothing;
	mark({ phase, stage: place.stage, auctioneer: isAuctioneer });
	$("class").hidden = phase === "gone" || model.game === null;
	$("teach").hidden = phase !== "gone" || isScreen;
	const lost = phase === "gone" ? "No class is led by this server" : connectionText(connection, model.game !== null, now);
	showStudents(place.students);
	const [head, detail] = lost ? [lost, ""] : headlineTexts(place);
	set($("headline"), head);
	set($("detail"), detail || "\u00a0");
	showOpening($("clock"), { nextAt: place.end }, now);
	for (const button of $("orders").children) button.disabled = phase !== "live" || !place.orders.includes(button.value);
	const news = [model.round?.round, model.nextAt, model.state.stage].join();
	if (news !== reportedFor) askAgain();
	reportedFor = news;
	const basis = [place.stage, place.round, tokenOf()].join();
	if (basis !== fetchedFor) {
		note("desk-note");
		tables.load();
	}
	fetchedFor = basis;
}

function showStudents(students) {
	set($("students-title"), report.result ? `${counted(students.length - countOf(students, "away"), "student")} here` : "Students");
	keepRows($("people"), isScreen ? [] : students.map(({ bidder }) => bidder), makeStudent, ({ children: [face, name, aside, remove], dataset }, bidder, index) => {
		const { state, group } = students[index];
		const shown = model.nameOf(bidder);
		showFace(face, bidder, shown);
		set(name, shown);
		set(aside, dotted(doings[state], group && `group ${group}`));
		dataset.kind = state;
		remove.ariaLabel = `Remove ${shown}`;
	});
}

function makeStudent() {
	const row = make("li");
	const onclick = () => removeStudent(row.item);
	row.append(make("i", { className: "face" }), make("span"), make("small"), make("button", { textContent: "×", title: "Remove", onclick }));
	return row;
}

async function removeStudent(name) {
	if (!(await isConfirmed(`Remove ${model.nameOf(name)} from the class?`))) return;
	await order(`kick ${name} removed by the teacher`, `${model.nameOf(name)} was removed`);
}

async function order(command, done) {
	const { isOK, content } = await connection.request(command);
	note("desk-note", isOK ? "good" : "bad", isOK ? done : sentence(content));
	askAgain();
}

onSubmit("orders", async ({ value, textContent, dataset: { ask } }) => {
	if (!ask || (await isConfirmed(ask))) order(value, `Done: ${textContent.toLowerCase()}`);
});

onSubmit("sign-in", () => {
	connection.signIn($("token").value.trim());
	$("token").value = "";
});

// The key of the link was kept for the room `main`, because this page has no room in its address.
const tokenOf = () => model.game && (keys.get(model.game, "class") ?? keys.get(model.game, "main"));

const wrongKey = "This key is wrong or old: open the teacher's link that the server has printed";

connection.notice = ({ kind, isOK, code, content }) => {
	if (kind === "auctioneer" && !isScreen) note("desk-note", isOK ? "" : "bad", isOK ? "" : code === "wrong-token" ? wrongKey : sentence(content));
	if (kind === "auctioneer") askAgain();
	if (kind !== "greeted") return;
	const key = keys.get(model.game, "class") ? null : tokenOf();
	if (key) connection.signIn(key);
};

connection.needsLoad = askAgain;

// A link that is pasted in the tab of the desk does not load the page again.
onhashchange = async () => {
	const { key } = takeSecrets();
	if (!key) return;
	await connection.signIn(key);
	// Like the key of a link that opens the page, a right one is kept for the projector's page too.
	if (keys.get(model.game, "class") === key) keys.keep(model.game, "main", key);
};

// The data

async function fetchTable(path, link) {
	const headers = { Authorization: `Bearer ${tokenOf()}` };
	// Without credentials, and one table after the other, a browser uses no connection that it opened in advance: the
	// server would have greeted that one as a terminal.
	const response = await fetch(path, { headers, credentials: "omit" });
	if (!response.ok) throw new Error(`${path}: ${response.status === 401 ? wrongKey : `status ${response.status}`}`);
	const text = await response.text();
	URL.revokeObjectURL($(link).href);
	$(link).href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
	return rowsOf(text);
}

const tables = new Resource(async () => {
	if (!tokenOf()) return { bids: [], lots: [] };
	const bids = await fetchTable("/class.csv", "bids-table");
	const lots = await fetchTable("/class-lots.csv", "lots-table");
	const isPlayed = ({ practice }) => practice === "no";
	return { bids: bids.filter(isPlayed), lots: lots.filter(isPlayed) };
}, showData);

// The rows of a table as objects by the names of its columns. Source: RFC 4180.
function rowsOf(text) {
	const lines = [[]];
	for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
		lines.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
		if (end !== ",") lines.push([]);
	}
	const [names, ...rows] = lines.filter((fields) => fields.length > 1);
	return rows.map((fields) => Object.fromEntries(fields.map((field, index) => [names[index], field])));
}

// A number of a table, in which an empty field says nothing.
const numberIn = (text) => (text ? Number(text) : NaN);

const mean = (numbers) => {
	const known = numbers.filter(Number.isFinite);
	return known.length ? known.reduce((sum, number) => sum + number, 0) / known.length : NaN;
};

const treatmentText = ({ treatment, format }) => `${treatment}. ${formats[format] ?? format}`;

function showData({ bids, lots }) {
	const treatments = new Map([...lots, ...bids].map((row) => [row.treatment, treatmentText(row)]).sort());
	const before = isChosen ? $("treatment").value : [...bids].at(-1)?.treatment;
	$("treatment").replaceChildren(...[...treatments].map(([value, textContent]) => make("option", { value, textContent })));
	$("treatment").value = treatments.has(before) ? before : [...treatments.keys()].at(-1) ?? "";
	$("tables").hidden = lots.length === 0;
	mark({ played: lots.length > 0 });
	showBids(bids);
	const groups = [...treatments].map(([treatment, text]) => [text, lots.filter((row) => row.treatment === treatment)]);
	const revenues = groups.map(([text, rows]) => ({
		text, value: mean(rows.map((row) => numberIn(row.revenue))), theory: mean(rows.map((row) => numberIn(row.theoretical_revenue))),
	}));
	showChart("revenue", revenues, barChart);
	const efficiencies = groups.map(([text, rows]) => ({ text, value: mean(rows.map((row) => 100 * numberIn(row.efficiency))) }));
	showChart("efficiency", efficiencies, (bars) => barChart(bars, 100, "%"));
}

function showBids(bids) {
	const treatment = $("treatment").value;
	// Others see no choice, but what is chosen.
	set($("scatter").querySelector("h2"), dotted(bids.some(({ estimate }) => estimate) ? "Bids and estimates" : "Bids and values", isScreen && $("treatment").selectedOptions[0]?.textContent));
	const points = bids.filter((row) => row.treatment === treatment).map((row) => ({
		// With a common value a bidder knows the own estimate alone.
		at: numberIn(row.estimate || row.value), bid: numberIn(row.bid), equilibrium: numberIn(row.equilibrium), isWon: row.won === "yes",
	})).filter(({ at }) => Number.isFinite(at));
	showChart("scatter", points, bidChart);
}

$("treatment").onchange = () => {
	isChosen = true;
	showBids(tables.result.bids);
};

// Charts

function showChart(id, data, chartOf) {
	$(id).querySelector("figure").replaceChildren(data.length ? chartOf(data) : make("p", { textContent: "No round has been played yet." }));
}

function draw(tag, facts, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(facts)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

// Where a chart has its marks; it is `floor` high above the words below.
const [width, left, right, top, below] = [480, 50, 12, 26, 34];

const framed = (floor, label, ...parts) => draw("svg", { viewBox: `0 0 ${width} ${floor + below}`, role: "img", "aria-label": label }, ...parts);

// The least of 1, 2, 5, 10, 20 and so on that divides a length into at most five parts.
function stepOf(length) {
	const power = 10 ** Math.floor(Math.log10(length / 5));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= length / 5 - 1e-9);
}

const shown = (number) => String(Math.round(10 * number) / 10);

// Places of numbers on an axis from `from` to `to` pixels, and its marks.
function scaleOf(numbers, from, to, least = Infinity) {
	const known = numbers.filter(Number.isFinite);
	const [lowest, highest] = [Math.min(least, ...known), Math.max(1, ...known)];
	const step = stepOf(Math.max(1, highest - lowest));
	const [low, high] = [Math.floor(lowest / step) * step, Math.ceil(highest / step) * step];
	const place = (number) => from + ((number - low) / (high - low)) * (to - from);
	return { low, high, place, marks: Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step) };
}

const heightMarks = ({ marks, place }, unit = "") => marks.flatMap((mark) => [
	draw("line", { class: "axis", x1: left, x2: width - right, y1: place(mark), y2: place(mark) }),
	draw("text", { x: left - 8, y: place(mark) + 5, "text-anchor": "end" }, shown(mark) + unit),
]);

function bidChart(points) {
	const across = scaleOf(points.map(({ at }) => at), left, width - right);
	const floor = 380;
	const up = scaleOf(points.flatMap(({ bid, equilibrium }) => [bid, equilibrium]), floor, top, 0);
	const end = Math.min(across.high, up.high);
	const line = points.filter(({ equilibrium }) => Number.isFinite(equilibrium)).sort((a, b) => a.at - b.at);
	const dots = points.filter(({ bid }) => Number.isFinite(bid));
	return framed(
		floor,
		`${counted(dots.length, "bid")} by value, mean ${shown(mean(dots.map(({ bid }) => bid)))}, in equilibrium ${shown(mean(line.map(({ equilibrium }) => equilibrium)))}`,
		...heightMarks(up),
		...across.marks.map((mark) => draw("text", { x: across.place(mark), y: floor + 20, "text-anchor": "middle" }, shown(mark))),
		draw("line", { class: "even", x1: across.place(across.low), y1: up.place(across.low), x2: across.place(end), y2: up.place(end) }),
		draw("polyline", { class: "equilibrium", points: line.map(({ at, equilibrium }) => `${across.place(at)},${up.place(equilibrium)}`).join(" ") }),
		...dots.map(({ at, bid, isWon }) => draw("circle", { class: isWon ? "won" : "", cx: across.place(at), cy: up.place(bid), r: 5 })),
	);
}

// Bars of `{ text, value, theory }`, which starts at 0.
function barChart(bars, most = 0, unit = "") {
	const floor = 170;
	const up = scaleOf([most, ...bars.flatMap(({ value, theory }) => [value, theory])], floor, top, 0);
	const room = (width - left - right) / Math.max(1, bars.length);
	const breadth = Math.min(60, room / 3);
	const bar = (x, number, name) => Number.isFinite(number) ? [
		draw("rect", { class: name, x, y: up.place(number), width: breadth, height: floor - up.place(number) }),
		draw("text", { class: "figure", x: x + breadth / 2, y: up.place(number) - 5, "text-anchor": "middle" }, shown(number)),
	] : [];
	const texts = bars.map(({ text, value, theory }) => `${text}: ${shown(value)}${unit}${Number.isFinite(theory) ? `, in equilibrium ${shown(theory)}` : ""}`);
	return framed(floor, texts.join("; "), ...heightMarks(up, unit), ...bars.flatMap(({ text, value, theory }, index) => {
		const middle = left + room * (index + 0.5);
		const first = Number.isFinite(theory) ? middle - breadth - 3 : middle - breadth / 2;
		return [
			...bar(first, value, "mean"), ...bar(middle + 3, theory, "theory"),
			draw("text", { x: middle, y: floor + 22, "text-anchor": "middle" }, text),
		];
	}));
}

// A class to teach

function fileText() {
	const { title, groups, worth, low, high, noise, rounds, seconds } = Object.fromEntries(new FormData($("plan")));
	const range = `${low}..${high}`;
	return [
		`title   ${title.trim() || "A class"}`, `groups  ${groups}`, worth === "common" ? `common  ${range} noise ${noise}` : `values  ${range}`,
		`rounds  ${rounds}`, `seconds ${seconds}`, "show    instructions, standings after each round", "",
	].join("\n");
}

function showPlan() {
	const text = fileText();
	$("file").value = text;
	$("plan").elements.noise.parentElement.hidden = $("plan").elements.worth.value !== "common";
	URL.revokeObjectURL($("save").href);
	$("save").href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
}

$("plan").oninput = showPlan;
$("copy").onclick = () => {
	$("file").select();
	// The modern interface needs a secure page.
	const isDone = document.execCommand("copy");
	note("teach-note", isDone ? "good" : "bad", isDone ? "Copied" : "Copy the selected text yourself");
};
onSubmit("plan", showPlan);
showPlan();

async function showAddress() {
	const { origin } = await reach();
	for (const element of all(".address")) set(element, `${origin.replace(/^https?:\/\//, "")}/class`);
}

mark({ place: isScreen ? "screen" : "desk" });
window.auction = { model, connection, report, tables };
showAddress();
run(connection, () => inFrame(() => {
	show();
	note("tables-note", "bad", tables.lastError ?? "");
}));
