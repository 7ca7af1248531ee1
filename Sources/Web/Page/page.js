// The page: connects the model, the connection and the bid box with the elements of index.html.
//
// For tests: `window.auction` has `model`, `connection`, `bidding`, `chart`, `ages`, `loads` and
// `frames`, the number of frames that were rendered. The ids of index.html are stable, and
// <body> has data-phase (connecting, live, lost), data-standing (waiting, first, watch, lead,
// outbid, won, sold, passed), data-going (once, twice; absent otherwise) and data-paused.

import { Ages } from "./ages.js";
import { Bidding, parsedAmount } from "./bidding.js";
import { Chart } from "./chart.js";
import { Connection } from "./connection.js";
import { Model, clockText, counted, grouped, lapOf, sameName } from "./model.js";
import { Resource } from "./resource.js";
import { Alerts, Auctioneer } from "./tools.js";

const $ = (id) => document.getElementById(id);
const clock = {
  now: () => Date.now(),
  after(delay, run) {
    const timer = setTimeout(run, delay);
    return () => clearTimeout(timer);
  },
};

/** A store that forgets everything if the browser forbids storage. */
const safe = (storage) => ({
  get(key) {
    try {
      return storage().getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      if (value === null) storage().removeItem(key);
      else storage().setItem(key, value);
    } catch {}
  },
});
const store = safe(() => localStorage);
const tokenKey = (game, name) => `auction/${game}/token/${name.toLowerCase()}`;
const nameKey = (game) => `auction/${game}/name`;

const model = new Model();
const connection = new Connection({
  model,
  clock,
  open: () => new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`),
  tokens: {
    get: (game, name) => store.get(tokenKey(game, name)),
    set: (game, name, token) => store.set(tokenKey(game, name), token),
  },
});
const bidding = new Bidding({ model, connection, clock });
const ages = new Ages(clock);
const chart = new Chart($("chart"), $("chart-back"), chartColors);
const alerts = new Alerts(store, $);
const auctioneer = new Auctioneer(connection, safe(() => sessionStorage), $);

/** Requests a list, and rejects with the server's words. */
async function request(command) {
  const answer = await connection.request(command);
  if (!answer.isOK) throw new Error(answer.content);
  return answer;
}

const loads = {
  laps: new Resource(async () => {
    let answer = await request("laps 1 1000");
    const count = Number(answer.content.split(" ")[1]);
    // The server keeps the newest 1,000.
    if (count > 1_000) answer = await request(`laps ${count - 998} 1000`);
    return answer;
  }, changed, ({ data, content }) => {
    model.loadLaps(data.map(lapOf), Number(content.split(" ")[1]));
  }),
  people: new Resource(() => request("who"), changed, ({ data }) => {
    model.loadPeople(data.map(({ bidder }) => bidder));
  }),
  lots: new Resource(() => request("results"), changed, ({ data }) => model.loadResults(data)),
};

// MARK: Frames

/** Milliseconds between two renderings of the stage, and of the lists; longer under a flood. */
const calm = { stage: 100, lists: 250 };
const flood = { stage: 160, lists: 500 };
let pace = calm;
let frames = 0;
let renderedAt = 0;
let listedAt = 0;
let isScheduled = false;
let wake = () => {};

/** Schedules a frame: the next one, but at most ten a second, and only the title while hidden. */
function changed() {
  if (isScheduled) return;
  isScheduled = true;
  const delay = document.hidden ? 1_000 : renderedAt + pace.stage - clock.now();
  if (document.hidden || delay > 0) setTimeout(frame, delay);
  else requestAnimationFrame(frame);
}

function frame() {
  isScheduled = false;
  const now = clock.now();
  renderedAt = now;
  bidding.expire();
  if (connection.isCurrent && !loads.laps.loading) bidding.settle();
  const title = titleText(now);
  if (document.title !== title) document.title = title;
  wake();
  wake = clock.after(nextTick(now), changed);
  if (document.hidden) return;
  frames += 1;
  renderLink(now);
  renderStage(now);
  renderDock();
  if (now - listedAt >= pace.lists) {
    listedAt = now;
    renderLists();
    chart.update(model.series, chartEnd(now));
    set($("chart-text"), chartText(now));
  }
}

/** The milliseconds until something changes without news. */
function nextTick(now) {
  const ends = [model.endsAt, connection.retryAt, model.next?.at ?? null];
  const waits = ends.filter((end) => end !== null && end > now)
    .map((end) => ((end - now - 1) % 1_000) + 2);
  if (model.isOpen && connection.phase === "live") {
    waits.push(Math.max(pace.lists, chart.columnMilliseconds));
  }
  return Math.max(20, Math.min(...waits, now - listedAt < pace.lists ? pace.lists : 1_000));
}

/** Sets a text if it differs. */
function set(element, text) {
  if (element.shown !== text) element.textContent = element.shown = text;
}

/** Sets a data attribute of the body if it differs; null removes it. */
function mark(name, value) {
  if (value === null) delete document.body.dataset[name];
  else if (document.body.dataset[name] !== value) document.body.dataset[name] = value;
}

const secondsLeft = (at, now) => Math.max(0, Math.ceil((at - now) / 1_000));

// MARK: Stage

function titleText(now) {
  if (connection.phase !== "live") return "Not connected · Live auction";
  const { leading, outcome } = model;
  if (model.lot === null) return "Live auction";
  if (outcome && "bidder" in outcome) return `${outcome.bidder} won at ${grouped(outcome.amount)}`;
  if (outcome) return `${model.lot.title} · not sold`;
  if (!leading) return `${model.lot.title} · from ${grouped(model.lot.start)}`;
  const who = model.leads ? "you lead" : `${leading.bidder} leads`;
  const time = model.isPaused ? "paused" : model.endsAt && `${secondsLeft(model.endsAt, now)}s`;
  return [grouped(leading.amount), who, time].filter(Boolean).join(" · ");
}

function renderLink(now) {
  mark("phase", connection.phase);
  const texts = {
    live: "live",
    connecting: connection.reason ? `${connection.reason} · connecting` : "connecting",
    lost: connection.reason,
  };
  set($("link-text"), texts[connection.phase]);
  const isLost = connection.phase === "lost";
  set($("retry"), isLost ? `· next try in ${secondsLeft(connection.retryAt, now)} s` : "");
  $("try-now").hidden = !isLost;
}

function renderStage(now) {
  const { lot, leading, outcome, standing } = model;
  mark("standing", standing);
  mark("going", model.going);
  mark("paused", model.isPaused ? "" : null);
  set($("lot-number"), lot ? `Lot ${lot.number}` : "\u00a0");
  set($("lot"), lot?.title ?? "Waiting for the first lot");
  $("lot").title = lot?.title ?? "";
  const sold = outcome && "bidder" in outcome ? outcome : null;
  const amount = sold?.amount ?? leading?.amount;
  set($("price-label"), sold ? "Sold for" : leading || !lot ? "Price" : "First bid from");
  const price = amount ?? (outcome ? null : lot?.start);
  const text = price ? grouped(price) : "–";
  set($("price"), text);
  $("price").style.setProperty("--digits", String(Math.max(4, text.length)));
  set($("call"), callText(now));
  set($("seconds"), model.endsAt === null ? "–" : String(secondsLeft(model.endsAt, now)));
  $("seconds").style.setProperty("--digits", String(model.seconds).length);
  moveBar(now);
  set($("standing-text"), standingText());
  const icons = { lead: "lead", won: "sold", sold: "sold", outbid: "outbid" };
  const icon = `#i-${model.isPaused ? "pause" : icons[standing] ?? "watch"}`;
  if ($("standing-icon").getAttribute("href") !== icon) {
    $("standing-icon").setAttribute("href", icon);
  }
}

/** The words above the countdown. */
function callText(now) {
  if (model.isStopped) return "The auctioneer has ended the server";
  if (model.isPaused) return "Paused by the auctioneer";
  if (model.lotsInAll !== null) return `The sale is over after ${counted(model.lotsInAll, "lot")}`;
  if (model.next) return `Next in ${secondsLeft(model.next.at, now)} s: ${model.next.title}`;
  if (model.outcome) return "bidder" in model.outcome ? "Sold" : "Not sold";
  if (model.going) return `Going ${model.going}`;
  if (model.isLast) return "Last round: bids do not reset the countdown";
  if (model.endsAt !== null) return "Time left";
  return model.isOpen ? "The first bid starts the countdown" : "\u00a0";
}

function standingText() {
  const { leading, outcome } = model;
  const amount = leading && grouped(leading.amount);
  const texts = {
    waiting: () => "Waiting for the first lot",
    first: () => "No bids yet",
    watch: () => `${leading?.bidder} leads`,
    lead: () => `You lead with ${amount}`,
    outbid: () => `Outbid by ${leading?.bidder} at ${amount} – bid\u00a0${grouped(model.least)}`,
    won: () => `You have won it for ${grouped(outcome.amount)}`,
    sold: () => `Sold to ${outcome.bidder}`,
    passed: () => `Not sold: ${outcome.reason}`,
  };
  return texts[model.standing]();
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
    bar ??= $("bar").animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }],
      { duration: full, fill: "both" });
    bar.currentTime = full - remaining;
  }
}

// MARK: Bid box

let isEdited = false;

function renderDock() {
  const { least } = model;
  const obstacle = bidding.obstacle;
  $("name-form").hidden = model.me !== null;
  $("named").hidden = model.me === null;
  set($("me"), model.me ?? "");
  const amount = $("amount");
  const typed = parsedAmount(amount.value);
  if (!isEdited) {
    const value = least === null ? "" : String(least);
    if (amount.value !== value) {
      amount.value = value;
      selectAmount();
    }
  }
  const offer = isEdited ? typed : least;
  set($("bid"), obstacle ?? (offer === null ? "Bid" : `Bid ${grouped(offer)}`));
  $("bid").setAttribute("aria-disabled", String(obstacle !== null));
  const isLow = isEdited && least !== null && typed !== null && typed < least;
  const answer = bidding.answer ??
    (isLow && !obstacle ? { kind: "bad", text: `The least bid is now ${grouped(least)}` } : null);
  set($("answer"), answer?.text ?? "\u00a0");
  $("answer").dataset.kind = answer?.kind ?? "";
  renderRaises(obstacle !== null);
}

/** Selects the amount, so that what is typed replaces it; without the focus it is not needed. */
function selectAmount() {
  if (document.activeElement === $("amount")) $("amount").select();
}

let heldRaise = null;

function renderRaises(isDisabled) {
  // Between lots the buttons stay, so that none loses the focus.
  const none = new Array(model.me === null ? 0 : 3).fill({ amount: null });
  const raises = model.me !== null && model.least !== null ? bidding.raises : none;
  const row = $("raises");
  while (row.children.length > raises.length) row.lastChild.remove();
  raises.forEach(({ amount, more }, index) => {
    const button = row.children[index] ?? row.appendChild(newRaise());
    button.setAttribute("aria-disabled", String(isDisabled));
    // What is under a finger does not change.
    if (heldRaise === button) return;
    button.amount = amount;
    const text = amount === null ? "–" : grouped(amount);
    set(button.firstChild, text);
    button.setAttribute("aria-label", `Bid ${text}`);
    button.style.setProperty("--digits", String(text.length));
    set(button.lastChild, more ? `+${grouped(more)}` : "\u00a0");
  });
}

function newRaise() {
  const button = document.createElement("button");
  button.append(document.createElement("span"), document.createElement("small"));
  button.onpointerdown = () => (heldRaise = button);
  button.onclick = () => placeBid(button.amount);
  return button;
}

async function placeBid(amount) {
  if (model.me === null) return askName("Type a name first, then bid");
  isEdited = false;
  await bidding.place(amount);
}

$("bid-form").onsubmit = (event) => {
  event.preventDefault();
  placeBid(parsedAmount($("amount").value));
};
// After the click has set the caret: what is typed then replaces the amount.
$("amount").onfocus = () => setTimeout(selectAmount);
$("amount").oninput = () => {
  isEdited = $("amount").value !== String(model.least ?? "");
  changed();
};
$("amount").onkeydown = (event) => {
  const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (event.key === "Escape") isEdited = false;
  else if (steps && model.least !== null) {
    const amount = (parsedAmount($("amount").value) ?? model.least) + steps * model.step;
    $("amount").value = String(Math.max(model.least, amount));
    isEdited = true;
    event.preventDefault();
  }
  changed();
};
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(type, () => setTimeout(() => (heldRaise = null)));
}

// MARK: Name

let mayUseStoredName = true;
let kickReason = "";
const isTouched = matchMedia("(pointer: coarse)");

function askName(text, kind = "") {
  $("name-form").hidden = false;
  set($("name-note"), text);
  $("name-note").dataset.kind = kind;
  $("name").focus();
}

$("name-form").onsubmit = (event) => {
  event.preventDefault();
  const name = $("name").value.trim();
  if (!/^[\w-]{1,24}$/.test(name)) {
    return askName("A name has 1 to 24 letters, digits, _ or -", "bad");
  }
  set($("name-note"), "Joining…");
  $("name-note").dataset.kind = "";
  connection.takeName(name).then(({ code }) => {
    if (code === "lost") askName("There is no connection, try again", "bad");
  });
};
$("change-name").onclick = () => {
  mayUseStoredName = false;
  store.set(nameKey(model.game), null);
  connection.dropName();
  askName("");
};

const nameErrors = {
  "name-taken": "Somebody has this name, choose another one",
  "wrong-token": "Somebody else owns this name, choose another one",
  "bad-name": "A name has 1 to 24 letters, digits, _ or -",
  full: "No more names are free, try again later",
};

connection.notice = ({ kind, name, code, content, message }) => {
  const say = (text) => {
    set($("name-note"), text);
    $("name-note").dataset.kind = text ? "bad" : "";
  };
  if (kind === "named") {
    store.set(nameKey(model.game), name);
    say("");
    // On a phone the focus would open the keyboard over the page.
    if (document.activeElement === $("name") && !isTouched.matches) {
      setTimeout(() => $("amount").focus());
    }
  } else if (kind === "greeted" && mayUseStoredName) {
    const stored = store.get(nameKey(model.game));
    if (stored) connection.takeName(stored);
  } else if (kind === "name-refused") {
    const wait = counted(message.seconds ?? 0, "second");
    const waits = { kicked: `The auctioneer removed ${name}, wait ${wait}`,
      "slow-down": `Too many tries, wait ${wait}` };
    say(waits[code] ?? nameErrors[code] ?? content);
    $("name").value = name;
  } else if (kind === "replaced") {
    say(`${name} is used in another window. Join again to use it here`);
    $("name").value = name;
  } else if (kind === "kicked") say(`The auctioneer removed you: ${kickReason}`);
  if (kind !== "greeted") mayUseStoredName = false;
  changed();
};

// MARK: Lists

const rows = new Map();
let listed = { version: -1, key: "" };

function renderLists() {
  const key = Object.values(loads).map((load) => `${load.loading} ${load.lastError}`).join();
  if (listed.version === model.version && listed.key === key) return;
  listed = { version: model.version, key };
  renderLaps();
  renderTicker();
  renderPeople();
  renderLots();
  renderLoad("laps", loads.laps);
  renderLoad("people", loads.people);
  renderLoad("lots", loads.lots);
}

/** Shows that a list loads, or why it could not be loaded. */
function renderLoad(name, load) {
  const line = $(`${name}-load`);
  line.hidden = !(load.lastError || (load.loading && load.result === undefined));
  line.dataset.kind = load.lastError ? "bad" : "";
  set(line.firstChild, load.loading ? "Loading…" : `Not loaded: ${load.lastError}`);
  line.lastChild.hidden = load.loading;
}

let listedLaps = 0;

/** Keeps the rows of known laps, and adds and removes others; few rows under a flood of bids. */
function renderLaps() {
  const { laps, openedAt } = model;
  set($("laps-title"), counted(laps.count, "lap"));
  const isFlood = laps.count - listedLaps > 20;
  listedLaps = laps.count;
  pace = isFlood ? flood : calm;
  const newest = laps.newest(isFlood ? 30 : 200);
  const shown = new Set(newest.map(({ lap }) => lap));
  for (const [lap, row] of rows) {
    if (shown.has(lap) && Math.abs(row.openedAt - (openedAt ?? 0)) < 1_000) continue;
    ages.unwatch(row);
    row.remove();
    rows.delete(lap);
  }
  let before = $("laps").firstChild;
  for (const { lap, split } of newest) {
    let row = rows.get(lap);
    if (row) before = row.nextSibling;
    else {
      row = newRow(lap, split, openedAt);
      row.classList.toggle("new", !isFlood && lap === newest[0].lap);
      rows.set(lap, row);
      $("laps").insertBefore(row, before);
    }
  }
}

function newRow(lap, split, openedAt) {
  const row = document.createElement("tr");
  row.setAttribute("role", "row");
  row.openedAt = openedAt ?? 0;
  row.classList.toggle("mine", sameName(lap.bidder, model.me));
  const texts = [lap.bid, lap.bidder, grouped(lap.amount), clockText(lap.elapsed),
    split === null ? "–" : `+${(split / 1_000).toFixed(1)}`, "–"];
  for (const text of texts) {
    const cell = row.appendChild(document.createElement("td"));
    cell.setAttribute("role", "cell");
    cell.textContent = String(text);
  }
  if (openedAt !== null) {
    ages.watch(row, openedAt + lap.elapsed, (text) => (row.lastChild.textContent = text));
  }
  return row;
}

/** Shows the newest events in rows that stay. */
function renderTicker() {
  const list = $("ticker");
  const newest = model.ticker.slice(0, 30);
  while (list.children.length > newest.length) {
    ages.unwatch(list.lastChild);
    list.lastChild.remove();
  }
  newest.forEach((entry, index) => {
    const row = list.children[index] ?? list.appendChild(newLine());
    if (row.entry === entry) return;
    row.entry = entry;
    row.dataset.kind = entry.kind;
    set(row.firstChild, entry.text);
    ages.watch(row, entry.at, (text) => set(row.lastChild, text));
  });
}

function newLine() {
  const row = document.createElement("li");
  row.append(document.createElement("span"), document.createElement("small"));
  return row;
}

/** Shows as many rows as there are texts: `[text, aside, isMine]`. */
function renderLines(list, lines) {
  while (list.children.length > lines.length) list.lastChild.remove();
  lines.forEach(([text, aside, isMine], index) => {
    const row = list.children[index] ?? list.appendChild(newLine());
    set(row.firstChild, text);
    set(row.lastChild, aside);
    row.classList.toggle("mine", isMine);
  });
}

function renderPeople() {
  const names = [...(model.people?.values() ?? [])];
  set($("people-title"), model.people ? `${grouped(names.length)} here` : "Here");
  const lines = names.slice(0, 60).map((name) => [name, "", sameName(name, model.me)]);
  if (names.length > 60) lines.push([`and ${grouped(names.length - 60)} more`, "", false]);
  renderLines($("people"), lines);
  if (auctioneer.isShown) auctioneer.offer(names.slice(0, 100));
}

function renderLots() {
  const lines = model.results.slice(-20).reverse().map(({ lot, title, bidder, amount }) => [
    `${lot}. ${title}`, bidder === null ? "not sold" : `${bidder} · ${grouped(amount)}`,
    sameName(bidder, model.me),
  ]);
  if (model.next) lines.unshift([model.next.title, "next", false]);
  else if (model.isOpen) lines.unshift([`${model.lot.number}. ${model.lot.title}`, "now", false]);
  renderLines($("lots"), lines);
  const mine = model.results.filter(({ bidder }) => sameName(bidder, model.me));
  $("mine").hidden = mine.length === 0;
  const spent = mine.reduce((sum, { amount }) => sum + amount, 0);
  set($("mine"), `You have won ${counted(mine.length, "lot")} for ${grouped(spent)}`);
}

// MARK: Chart

function chartColors() {
  const color = (selector) => getComputedStyle(document.querySelector(selector)).color;
  return {
    price: color("#legend .price"), rate: color("#legend .rate"), join: color("#legend .join"),
    gap: color("#legend .gap"), ink: color("#legend"),
    line: getComputedStyle($("chart-panel")).borderTopColor,
    font: parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.72,
  };
}

/** Until when the chart is known: now while news arrives, else the last event. */
function chartEnd(now) {
  const isKnown = connection.phase === "live" || !model.isOpen;
  return isKnown ? model.elapsed(now) ?? 0 : 0;
}

/** The chart in words. */
function chartText(now) {
  const { series } = model;
  const isPrice = ({ price }) => price !== null;
  const [first, last] = [series.steps.find(isPrice), series.steps.findLast(isPrice)];
  if (!first) return "No bids yet.";
  const end = Math.max(series.end, chartEnd(now));
  const parts = [
    `Price ${grouped(first.price)} to ${grouped(last.price)} in ${clockText(end)}`,
    `${series.rateAt(end).toFixed(1)} bids per second`,
  ];
  const join = series.joins.at(-1);
  if (join) parts.push(`${join.name} joined at ${clockText(join.at)}`);
  if (series.gaps.length) parts.push(`${counted(series.gaps.length, "gap")} of missed bids`);
  return `${parts.join("; ")}.`;
}

new ResizeObserver(([entry]) => {
  chart.resize(entry.contentRect.width, entry.contentRect.height, devicePixelRatio);
  changed();
}).observe($("plot"));
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
  matchMedia(query).addEventListener("change", () => {
    chart.invalidate();
    changed();
  });
}

// MARK: Events

connection.changed = () => {
  auctioneer.show();
  changed();
};
for (const name in loads) $(`${name}-load`).lastChild.onclick = () => loads[name].load();
connection.needsLoad = () => Object.values(loads).forEach((load) => load.load());
connection.heard = changed;
bidding.changed = () => {
  if (bidding.answer.kind !== "sending") alerts.say("announce", bidding.answer.text);
  changed();
};
model.observe((event) => {
  alerts.hear(event);
  // Of a lot that opens while the page looks, every lap is known.
  if (event.kind === "lot") {
    loads.laps.forget();
    isEdited = false;
  }
  if (event.kind === "kicked" && event.isMine) kickReason = event.reason;
});
$("try-now").onclick = () => connection.tryNow();
for (const type of ["online", "pageshow"]) addEventListener(type, () => connection.wake());
document.addEventListener("visibilitychange", () => {
  // A frame that was requested does not come while the page is hidden.
  isScheduled = false;
  renderedAt = listedAt = 0;
  if (!document.hidden) {
    connection.wake();
    ages.renew();
  }
  changed();
});

window.auction = {
  model, connection, bidding, chart, ages, loads,
  get frames() {
    return frames;
  },
};
$("broken").remove();
connection.begin();
changed();
