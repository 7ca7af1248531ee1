// The page: connects the model, the connection and the bid box with the elements of index.html.
//
// For tests: `window.auction` has the parts, and counts rendered frames. The ids of index.html are stable, and <body> has
// data-phase (connecting, live, lost), data-standing (waiting, first, watch, lead, outbid, won, sold,
// passed), data-going (once, twice or empty) and data-paused (true, false).

import { say, signal } from "./alerts.js";
import { Bidding, parsedAmount } from "./bidding.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { $, set, storage } from "./dom.js";
import { chartText, showLists } from "./lists.js";
import { Model, clockText, counted, grouped, lapOf, sameName } from "./model.js";
import { Resource } from "./resource.js";

const store = storage("localStorage");
const tabStore = storage("sessionStorage");
const tokenKey = (game, name) => `auction/${game}/token/${name.toLowerCase()}`;
const nameKey = () => `auction/${model.game}/name`;
const clock = { now: () => Date.now(), after: (delay, run) => setTimeout(run, delay) };

const model = new Model();
const connection = new Connection({
  model,
  clock,
  open: () => new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`),
  tokens: {
    get: (game, name) => store[tokenKey(game, name)],
    set: (game, name, token) => (store[tokenKey(game, name)] = token ?? ""),
  },
});
const bidding = new Bidding({ model, connection, clock });
const chart = new Chart($("chart"), $("chart-back"), readColors);

/** Rejects with the server's words. */
async function request(command) {
  const answer = await connection.request(command);
  if (!answer.isOK) throw new Error(answer.content);
  return answer;
}

async function requestLaps() {
  const { content, data } = await request("laps 1 1000");
  const count = Number(content.split(" ")[1]);
  // The server keeps the newest 1,000.
  return count > 1_000 ? (await request(`laps ${count - 998} 1000`)).data : data;
}

const loads = {
  laps: new Resource(requestLaps, (laps) => model.loadLaps(laps.map(lapOf))),
  people: new Resource(() => request("who"), ({ data }) => {
    model.loadPeople(data.map(({ bidder }) => bidder));
  }),
  lots: new Resource(() => request("results"), ({ data }) => model.loadResults(data)),
};

// MARK: Frames

let isRequested = false;
let [shownAt, shownBids, listedAt] = [0, 0, 0];

/** Whether `pause` ms have passed since `then`, or the clock was set back. */
const isDue = (then, pause, now) => now < then || now >= then + pause;

/** Renders ten times a second, in a flood of bids four times; of a hidden page the title. */
function tick() {
  bidding.expire();
  if (connection.isCurrent && !loads.laps.loading) bidding.settle();
  const isFlood = model.series.count - shownBids > 20;
  if (isFlood && !isDue(shownAt, 250, clock.now())) return;
  [shownAt, shownBids] = [clock.now(), model.series.count];
  const title = titleText(shownAt);
  if (document.title !== title) document.title = title;
  if (document.hidden || isRequested) return;
  isRequested = true;
  requestAnimationFrame(() => {
    isRequested = false;
    window.auction.frames += 1;
    const now = clock.now();
    showLink(now);
    showStage(now);
    showBidBox();
    if (!isDue(listedAt, isFlood ? 1_000 : 250, now)) return;
    listedAt = now;
    showLists(model, now);
    for (const name in loads) showLoad($(`${name}-load`), loads[name]);
    const end = Math.max(model.series.end, chartEnd(now));
    chart.update(model.series, end);
    set($("chart-text"), chartText(model.series, end));
  });
}

const secondsLeft = (at, now) => Math.max(0, Math.ceil((at - now) / 1_000));

// MARK: Stage

function titleText(now) {
  if (connection.phase !== "live") return "Not connected · Live auction";
  if (model.lot === null) return "Live auction";
  const time = model.isPaused ? "paused" : model.endsAt && `${secondsLeft(model.endsAt, now)}s`;
  return [time, standingText(), model.lot.title].filter(Boolean).join(" · ");
}

function showLink(now) {
  const { phase, reason, retryAt } = connection;
  document.body.dataset.phase = phase;
  const isLost = phase === "lost";
  set($("link-text"), isLost ? reason : [reason, phase].filter(Boolean).join(" · "));
  set($("retry"), isLost ? `· next try in ${secondsLeft(retryAt, now)} s` : "");
  $("try-now").hidden = !isLost;
  $("gavel").hidden = !connection.isAuctioneer;
  $("sign-in").hidden = connection.isAuctioneer;
}

function showStage(now) {
  const { lot, leading, outcome, standing, endsAt, isPaused } = model;
  Object.assign(document.body.dataset, { standing, going: model.going ?? "", paused: isPaused });
  set($("lot-number"), lot ? `Lot ${lot.number}` : "\u00a0");
  set($("lot"), lot?.title ?? "Waiting for the first lot");
  $("lot").title = lot?.title ?? "";
  set($("price-label"), outcome?.bidder ? "Sold for" : leading || !lot ? "Price" : "First bid from");
  const amount = outcome?.amount ?? leading?.amount ?? (outcome ? null : lot?.start);
  const price = amount ? grouped(amount) : "–";
  set($("price"), price);
  $("price").style.setProperty("--digits", Math.max(4, price.length));
  set($("call"), callText(now));
  set($("seconds"), endsAt === null ? "–" : String(secondsLeft(endsAt, now)));
  moveBar(now);
  set($("standing-text"), standingText());
}

function callText(now) {
  const { next, outcome, going, lotsInAll } = model;
  if (model.isStopped) return "The auctioneer has stopped the server";
  if (model.isPaused) return "Paused by the auctioneer";
  if (lotsInAll !== null) return `The sale is over after ${counted(lotsInAll, "lot")}`;
  if (next) return `Next in ${secondsLeft(next.at, now)} s: ${next.title}`;
  if (outcome) return outcome.bidder ? "Sold" : "Unsold";
  if (going) return `Going ${going}`;
  if (model.isLast) return "Last round: bids do not reset the countdown";
  if (model.endsAt !== null) return "Time left";
  return model.isOpen ? "The first bid starts the countdown" : "\u00a0";
}

function standingText() {
  const { leading, outcome, least } = model;
  const amount = leading && grouped(leading.amount);
  switch (model.standing) {
    case "first": return "No bids yet";
    case "watch": return `${leading.bidder} leads with ${amount}`;
    case "lead": return `You lead with ${amount}`;
    case "outbid": return `Outbid by ${leading.bidder} at ${amount} – bid\u00a0${grouped(least)}`;
    case "won": return `You have won it for ${grouped(outcome.amount)}`;
    case "sold": return `Sold to ${outcome.bidder}`;
    case "passed": return `Unsold: ${outcome.reason}`;
    default: return "Waiting for the first lot";
  }
}

const stillness = matchMedia("(prefers-reduced-motion: reduce)");
let bar = null;
let barEnd = null;

/** Lets the bar run down on the compositor, and moves it only if the end has moved. */
function moveBar(now) {
  const remaining = model.remaining(now);
  const full = model.seconds * 1_000;
  if (remaining === null || stillness.matches) {
    bar?.cancel();
    bar = barEnd = null;
    const part = (remaining ?? (model.isOpen ? full : 0)) / full;
    $("bar").style.transform = `scaleX(${Math.min(1, part)})`;
  } else if (barEnd === null || Math.abs(barEnd - model.endsAt) > 60) {
    barEnd = model.endsAt;
    const frames = { transform: ["scaleX(1)", "scaleX(0)"] };
    bar ??= $("bar").animate(frames, { duration: full, fill: "both" });
    bar.currentTime = full - remaining;
  }
}

// MARK: Bid box

/** Whether the amount was typed, so that it is not replaced by the least bid. */
let isEdited = false;
let heldRaise = null;
let announced = null;

function showBidBox() {
  const { least, me } = model;
  const { obstacle } = bidding;
  $("name-form").hidden = me !== null;
  $("named").hidden = me === null;
  set($("me"), me ?? "");
  if (!isEdited && $("amount").value !== String(least ?? "")) {
    $("amount").value = least ?? "";
    selectAmount();
  }
  const typed = parsedAmount($("amount").value);
  set($("bid"), obstacle ?? (typed === null ? "Bid" : `Bid ${grouped(typed)}`));
  $("bid").setAttribute("aria-disabled", obstacle !== null);
  const isLow = !obstacle && typed !== null && typed < least;
  const { kind = isLow ? "bad" : "", text = isLow ? `The least bid is now ${grouped(least)}` : "" } =
    bidding.answer ?? {};
  note("answer", kind, text);
  if (bidding.answer !== announced && text && kind !== "sending") say("announce", text);
  announced = bidding.answer;
  showRaises(obstacle !== null);
}

/** Between lots the buttons stay, so that none loses the focus. */
function showRaises(isDisabled) {
  const { raises } = bidding;
  $("raises").hidden = model.me === null;
  [...$("raises").children].forEach((button, index) => {
    button.setAttribute("aria-disabled", isDisabled);
    // What is under a finger does not change.
    if (heldRaise === button) return;
    const { amount = null, more = 0 } = raises[index] ?? {};
    const text = amount === null ? "–" : grouped(amount);
    button.amount = amount;
    button.setAttribute("aria-label", `Bid ${text}`);
    button.style.setProperty("--digits", text.length);
    set(button.firstChild, text);
    set(button.lastChild, more ? `+${grouped(more)}` : "\u00a0");
  });
}

/** Shows a text below a form; `kind` is "good", "bad" or empty. */
function note(id, kind, text) {
  $(id).dataset.kind = kind;
  set($(id), text || "\u00a0");
}

/** Selects the amount, so that what is typed replaces it; without the focus it is not needed. */
function selectAmount() {
  if (document.activeElement === $("amount")) $("amount").select();
}

async function placeBid(amount) {
  if (model.me === null) return askName("", "Type a name first, then bid");
  isEdited = false;
  await bidding.place(amount);
  tick();
}

/** Handles a form here, not by loading another page. */
function onSubmit(id, run) {
  $(id).onsubmit = (event) => {
    event.preventDefault();
    run();
    tick();
  };
}

onSubmit("bid-form", () => placeBid(parsedAmount($("amount").value)));
for (const button of $("raises").children) {
  button.onpointerdown = () => (heldRaise = button);
  button.onclick = () => button.amount && placeBid(button.amount);
}
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(type, () => setTimeout(() => (heldRaise = null)));
}
// After the click has set the caret.
$("amount").onfocus = () => setTimeout(selectAmount);
$("amount").oninput = () => {
  isEdited = $("amount").value !== String(model.least ?? "");
  tick();
};
$("amount").onkeydown = (event) => {
  const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (event.key === "Escape") isEdited = false;
  if (!steps || model.least === null) return;
  event.preventDefault();
  const amount = (parsedAmount($("amount").value) ?? model.least) + steps * model.step;
  $("amount").value = Math.max(model.least, amount);
  isEdited = true;
};

// MARK: Name

let mayUseStoredName = true;
let kickReason = "";

function askName(kind, text) {
  $("name-form").hidden = false;
  note("name-note", kind, text);
  $("name").focus();
}

onSubmit("name-form", async () => {
  const name = $("name").value.trim();
  if (!/^[\w-]{1,24}$/.test(name)) return askName("bad", refusals["bad-name"]());
  note("name-note", "", "Joining…");
  const { code } = await connection.takeName(name);
  if (code === "lost") askName("bad", "There is no connection, try again");
});
$("change-name").onclick = () => {
  mayUseStoredName = false;
  store[nameKey()] = "";
  connection.dropName();
  askName("", "");
};

function greeted() {
  const name = store[nameKey()];
  if (name && mayUseStoredName && connection.name === null) connection.takeName(name);
  for (const load of Object.values(loads)) if (load.lastError) load.load();
  forgetOldGames();
}

/** Keeps the names and tokens of the newest 20 games. */
function forgetOldGames() {
  const known = (store["auction/games"] ?? "").split(" ").filter((game) => game !== model.game);
  const games = [model.game, ...known].slice(0, 20);
  store["auction/games"] = games.join(" ");
  for (const key of Object.keys(store)) {
    const [app, game, entry] = key.split("/");
    if (app === "auction" && entry && !games.includes(game)) delete store[key];
  }
}

const refusals = {
  "name-taken": () => "This name belongs to somebody else, choose another one",
  "wrong-token": () => "This name belongs to somebody else, choose another one",
  "bad-name": () => "A name has 1 to 24 letters, digits, _ or -",
  full: () => "All names of this server are in use, try again later",
  kicked: (name, wait) => `The auctioneer removed ${name}, wait ${wait}`,
  "slow-down": (_, wait) => `Too many tries, wait ${wait}`,
};

connection.notice = ({ kind, name, isOK, code, content, message }) => {
  if (kind === "greeted") return greeted();
  if (kind === "auctioneer") return signedIn(isOK, content);
  mayUseStoredName = false;
  if (kind === "named") {
    store[nameKey()] = name;
    note("name-note", "", "");
    // On a phone the focus would open the keyboard over the page.
    const isTouched = matchMedia("(pointer: coarse)").matches;
    if (document.activeElement === $("name") && !isTouched) setTimeout(() => $("amount").focus());
    return;
  }
  $("name").value = name;
  const wait = counted(message?.seconds ?? 0, "second");
  const texts = {
    "name-refused": refusals[code]?.(name, wait) ?? content,
    replaced: `${name} is now used in another window. Press Join to use it here`,
    kicked: `The auctioneer removed you: ${kickReason}`,
  };
  note("name-note", "bad", texts[kind]);
};

// MARK: Auctioneer

onSubmit("sign-in", () => {
  connection.signIn($("token").value.trim());
  $("token").value = "";
});
function signedIn(isOK, content) {
  tabStore["auction/auctioneer"] = connection.auctioneerToken ?? "";
  note("auctioneer-note", isOK ? "good" : "bad", isOK ? "You are the auctioneer" : content);
}
onSubmit("kick", () => {
  const [name, reason] = [$("kick-name").value.trim(), $("kick-reason").value.trim()];
  if (!name || !reason) return note("auctioneer-note", "bad", "A kick needs a name and a reason");
  command(`kick ${name} ${reason}`, `Remove ${name}?`);
});
for (const button of document.querySelectorAll("#gavel > button")) {
  button.onclick = () => command(button.dataset.command, button.dataset.ask);
}

/** Sends a command of the auctioneer, after a question if there is one. */
async function command(text, question) {
  if (question && !(await isConfirmed(question))) return;
  const { isOK, content } = await connection.request(text);
  note("auctioneer-note", isOK ? "good" : "bad", isOK ? `Done: ${text.split(" ")[0]}` : content);
}

function isConfirmed(question) {
  set($("confirm-text"), question);
  $("confirm").returnValue = "";
  $("confirm").showModal();
  return new Promise((resolve) => {
    $("confirm").onclose = () => resolve($("confirm").returnValue === "yes");
  });
}

// MARK: Lists and chart

/** Shows that a list loads, or why it could not be loaded. */
function showLoad(line, { loading, result, lastError }) {
  line.hidden = !(lastError || (loading && result === undefined));
  line.dataset.kind = loading ? "" : "bad";
  set(line.firstChild, loading ? "Loading…" : `Not loaded: ${lastError}`);
  line.lastChild.hidden = loading;
}

/** The colours of the legend, and the size of its font. */
function readColors() {
  const color = (selector) => getComputedStyle(document.querySelector(selector)).color;
  return {
    price: color("#legend .price"), rate: color("#legend .rate"), join: color("#legend .join"),
    gap: color("#legend .gap"), ink: color("#legend"),
    font: parseFloat(getComputedStyle($("legend")).fontSize) * 0.9,
  };
}

/** Until when the chart is known: now while news arrives, else the last event. */
function chartEnd(now) {
  const isKnown = connection.phase === "live" || !model.isOpen;
  return isKnown ? model.elapsed(now) ?? 0 : 0;
}

new ResizeObserver(([{ contentRect }]) => {
  chart.resize(contentRect.width, contentRect.height, devicePixelRatio);
  listedAt = 0;
}).observe($("plot"));
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
  matchMedia(query).onchange = () => chart.invalidate();
}

// MARK: Events

connection.needsLoad = () => Object.values(loads).forEach((load) => load.load());
for (const name in loads) $(`${name}-load`).lastChild.onclick = () => loads[name].shared();

/** The events that interrupt a screen reader, and those that it does not read. */
const urgent = ["outbid", "winner"];
const quiet = ["joined", "left", "next", "hammered"];

model.observer = ({ kind, text, message }) => {
  if (!quiet.includes(kind)) say(urgent.includes(kind) ? "alert" : "announce", text);
  const isMine = sameName(message?.bidder, model.me);
  signal(kind === "winner" && isMine ? "won" : kind);
  // All laps of a new lot are known.
  if (kind === "lot") {
    loads.laps.forget();
    isEdited = false;
  }
  if (kind === "kicked" && isMine) kickReason = message.reason;
};

$("try-now").onclick = () => connection.tryNow();
for (const type of ["online", "pageshow"]) addEventListener(type, () => connection.wake());
document.onvisibilitychange = () => {
  isRequested = false;
  if (!document.hidden) connection.wake();
  tick();
};

window.auction = { model, connection, bidding, chart, loads, frames: 0 };
connection.auctioneerToken = tabStore["auction/auctioneer"];
$("broken").remove();
connection.begin();
setInterval(tick, 100);
