import { fail, greet, live, reconnect, say, start } from "./connecting.js";
import { countdown, hello, lot, missed, opening, passed, price, snapshot, whole, you } from "./messages.js";
import { equal, table, test } from "./testing.js";

test("retries are further apart each time, up to 8 s", () => {
  const { sockets, clock, opened } = start();
  sockets.isRefused = true;
  fail(sockets[0]);
  clock.advance(41_000);
  const delays = opened.map((at, index) => at - opened[index - 1]).slice(1);
  equal(delays, [500, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
});

table("retries of many pages are apart", [["early", 0, 6_000], ["late", 1, 10_000]], (chance, delay) => {
  const { sockets, page } = start({ random: () => chance });
  for (let attempt = 0; attempt < 9; attempt += 1) {
    fail(sockets.at(-1));
    if (attempt < 8) page.wake();
  }
  equal(page.retryAt, delay);
});

table("the first retry", [
  ["is soon after a connection that lasted", 6_000, (delay) => delay <= 500],
  ["is as late as before after a short one", 1_000, (delay) => delay >= 2_000],
], async (lasted, isExpected) => {
  const { sockets, clock, opened } = start();
  sockets.isRefused = true;
  fail(sockets[0]);
  clock.advance(2_000);
  sockets.isRefused = false;
  clock.advance(4_000);
  const socket = sockets.at(-1);
  await greet(socket);
  clock.advance(lasted);
  const before = clock.now();
  fail(socket);
  clock.advance(12_000);
  const delay = opened.find((at) => at > before) - before;
  equal(isExpected(delay), true, `${delay} ms`);
});

test("a connection that another node continues is replaced at the next look, however short it was", async () => {
  const { sockets, clock } = await live({ type: "bye", content: "moved" });
  for (let count = 1; count < 4; count += 1) {
    fail(sockets.at(-1));
    clock.advance(500);
    equal(sockets.length, count + 1);
    await greet(sockets.at(-1));
    await say(sockets.at(-1), { type: "bye", content: "moved" });
  }
});

test("after a lost connection the missed news comes once, in order, and is not announced again", async () => {
  const { page, sockets, model } = start();
  model.takeName("alice");
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "alice", 100, 1));
  const alarms = [];
  model.observer = ({ kind }) => alarms.push(kind);
  await reconnect(page, sockets);
  equal(sockets[1].sent, ["#2 name alice", "#3 resume 2"]);
  const all = [price(3, "zoe", 110, 2), price(4, "alice", 120, 3), price(5, "bob", 130, 4)];
  const state = { price: 130, leader: "bob", remainingMilliseconds: 4_000 };
  await say(sockets[1], ...snapshot([lot, all[2]], state), ...all.map(missed), { type: "ok", tag: "3", content: "resume 3" });
  equal([model.seq, page.isCurrent], [2, false], "before the state");
  await say(sockets[1], whole(state, 5));
  equal([model.seq, page.isCurrent, model.endsAt], [5, true, 4_000]);
  equal([model.state.leader, model.series.laps.map((lap) => lap.amount)], ["bob", [100, 110, 120, 130]]);
  equal([model.series.isPartial, alarms], [false, []]);
  await say(sockets[1], price(6, "zoe", 140, 5));
  equal([model.price, alarms], [140, ["price"]]);
});

test("what a bidder alone is told of the next lot outlives the missed news that opens it", async () => {
  const { page, sockets, model } = await live(lot);
  const named = page.takeName("alice");
  await say(sockets[0], { type: "ok", tag: "1", content: "name alice 0123" }, you({ worth: 80 }));
  await named;
  await reconnect(page, sockets);
  const [second] = opening({ lot: 2, format: "sealed" }, 3);
  await say(sockets[1], ...snapshot([second], { lot: 2 }), { type: "ok", tag: "2", content: "name alice 0123" },
    you({ left: 860, worth: 143, sealed: 120 }), missed(passed(2)), missed(second));
  await say(sockets[1], { type: "ok", tag: "3", content: "resume 2" }, whole({ lot: 2 }, 3));
  equal([model.lot, model.state.lot, model.you], [2, 2, { left: 860, worth: 143, sealed: 120 }]);
});

test("news during the request for the missed news is not lost or doubled", async () => {
  const { page, sockets, model } = await live(lot, price(2, "bob", 100, 1));
  await reconnect(page, sockets);
  const [zoe, bob] = [price(3, "zoe", 110, 2), price(4, "bob", 120, 3)];
  await say(sockets[1], ...snapshot([lot, zoe], {}), bob, missed(zoe), missed(bob),
    { type: "ok", tag: "1", content: "resume 2" }, whole({ price: 120, leader: "bob" }, 4), price(5, "zoe", 130, 4));
  equal([model.series.laps.map((lap) => lap.amount), model.seq, model.price], [[100, 110, 120, 130], 5, 130]);
});

test("the name and the auctioneer's token come before the request for the missed news", async () => {
  const { page, model, sockets, keys } = await live(lot);
  model.takeName("alice");
  keys.note("k3v9", "main", "key", true);
  await reconnect(page, sockets);
  equal(sockets[1].sent, ["#1 name alice", "#2 auctioneer key", "#3 resume 1"]);
});

table("a name that is refused for a while is kept, and taken again", [
  ["after the seconds that the server says", { code: "slow-down", seconds: 3 }, 3_000],
  ["after a second", { code: "unavailable" }, 1_000],
], async (refusal, delay) => {
  const { page, model, sockets, clock } = start();
  model.takeName("alice");
  await greet(sockets[0]);
  await say(sockets[0], { type: "error", tag: "1", content: "", ...refusal });
  clock.advance(delay - 1);
  equal([model.me, page.block, sockets[0].sent], ["alice", "Reconnecting", ["#1 name alice"]]);
  clock.advance(1);
  equal(sockets[0].sent, ["#1 name alice", "#2 name alice"]);
  await say(sockets[0], { type: "ok", tag: "2", content: "name alice 1f" });
  equal(page.block, null);
});

table("the connection blocks bids", [
  ["without a connection", () => {}, "Not connected"],
  ["before the server has confirmed the name", (socket) => greet(socket), "Reconnecting"],
  ["no longer after the name was refused", async (socket) => {
    await greet(socket);
    await say(socket, { type: "error", tag: "1", code: "name-taken", content: "" });
  }, null],
], async (happen, block) => {
  const { page, model, sockets } = start();
  model.takeName("alice");
  await happen(sockets[0]);
  equal(page.block, block);
});

test("a server that went back to an older journal is followed", async () => {
  const { page, sockets, model } = await live(lot, price(900, "bob", 100, 1));
  await reconnect(page, sockets);
  await say(sockets[1], { type: "error", tag: "1", code: "bad-arguments", content: "" },
    ...snapshot([{ ...lot, seq: 5 }], {}), price(6, "zoe", 20, 1));
  equal([model.seq, model.state.leader], [6, "zoe"]);
});

test("where nothing was missed nothing changes", async () => {
  const { page, sockets, model, loads } = await live(lot, price(2, "bob", 100, 1));
  const before = model.ticker.length;
  await reconnect(page, sockets);
  const state = { price: 100, leader: "bob", remainingMilliseconds: 4_000 };
  await say(sockets[1], ...snapshot([lot, price(2, "bob", 100, 1)], state), { type: "ok", tag: "1", content: "resume 0" },
    whole(state, 2));
  equal([model.ticker.length, model.series.laps.length, loads.length, model.endsAt], [before, 1, 1, 4_000]);
});

test("news that is not kept any more is a gap, and the lists are loaded again", async () => {
  const { page, sockets, model, loads } = await live(lot, price(2, "bob", 100, 1));
  await reconnect(page, sockets);
  const [lamp] = opening({ lot: 9 }, 5_000);
  await say(sockets[1], { type: "error", tag: "1", code: "gone", content: "go on from the snapshot" },
    ...snapshot([lamp, price(5_001, "zoe", 500, 40)], { lot: 9, title: "Lamp", price: 500 }));
  equal([model.state.title, model.price, loads.length, model.ticker[0].kind], ["Lamp", 500, 2, "gap"]);
});

test("another game at the same address begins anew", async () => {
  const { page, sockets, model, loads } = await live(lot, price(2, "bob", 100, 1));
  await reconnect(page, sockets, { ...hello, game: "zzzz" });
  equal([sockets[1].sent, model.state.leader, model.ticker, loads.length], [[], null, [], 2]);
});

test("skipped lines are requested", async () => {
  const { sockets, model } = await live(lot, price(2, "bob", 100, 1), { type: "skipped", content: "2", lines: 2 });
  equal(sockets[0].sent, ["#1 resume 2"]);
  const [zoe, bob] = [price(3, "zoe", 110, 2), price(4, "bob", 120, 3)];
  await say(sockets[0], ...snapshot([lot, bob], {}), missed(zoe), missed(bob), { type: "ok", tag: "1", content: "resume 2" },
    whole({ price: 120, leader: "bob" }, 4));
  equal(model.series.laps.map((lap) => lap.amount), [100, 110, 120]);
});

test("a connection whose countdown stops is lost 2 s after the promise", async () => {
  const { page, sockets, clock } = await live(lot, price(2, "bob", 100, 1));
  clock.advance(3_000);
  equal([page.phase, sockets.length], ["live", 1]);
  clock.advance(1_000);
  equal([page.reason, sockets.length], ["the server is silent", 2]);
});

test("a connection whose countdown goes on is live", async () => {
  const { page, sockets, clock } = await live(lot, price(2, "bob", 100, 1));
  for (let left = 6; left >= 1; left -= 1) {
    clock.advance(1_000);
    await say(sockets[0], countdown(9 - left, left));
  }
  equal([page.phase, sockets.length], ["live", 1]);
});

test("a quiet connection is pinged, and lost without an answer within 5 s", async () => {
  const { page, sockets, clock } = await live(lot);
  clock.advance(16_000);
  equal(sockets[0].sent, ["#1 ping"]);
  await say(sockets[0], { type: "ok", tag: "1", content: "ping" });
  clock.advance(14_000);
  equal([page.phase, sockets[0].sent.length], ["live", 1]);
  clock.advance(8_000);
  equal([page.reason, sockets[0].sent.length, sockets.length], ["the server does not answer", 2, 2]);
});

test("an attempt that is not greeted ends after 8 s", () => {
  const { page, clock, sockets } = start();
  clock.advance(8_000);
  equal([page.phase, sockets.length], ["connecting", 1]);
  clock.advance(1_000);
  equal([page.reason, sockets.length], ["the server does not answer", 2]);
});

test("after a night the connection is made anew at once", async () => {
  const { page, sockets, clock, opened } = await live();
  clock.sleep(9 * 3_600_000);
  equal([sockets.length, page.phase, sockets[0].readyState], [2, "connecting", 3]);
  equal(opened[1], clock.now());
});

test("a page that stood still for seconds keeps its connection and the news that waits", async () => {
  const { page, sockets, clock, model } = await live(lot, price(2, "bob", 100, 1));
  clock.sleep(6_000);
  await say(sockets[0], price(3, "zoe", 110, 2));
  clock.advance(1_000);
  equal([page.phase, sockets.length, model.price], ["live", 1, 110]);
});

test("a page that is shown again checks its connection within a second", async () => {
  const { page, sockets, clock } = await live();
  clock.advance(2_000);
  page.wake();
  equal(sockets[0].sent, ["#1 ping"]);
  clock.advance(2_000);
  equal([page.reason, sockets.length], ["the server does not answer", 2]);
});

test("a page that is shown again does not wait for the next retry", () => {
  const { page, sockets, clock } = start();
  sockets.isRefused = true;
  fail(sockets[0]);
  clock.advance(30_100);
  const before = sockets.length;
  page.wake();
  equal([sockets.length, page.phase], [before + 1, "connecting"]);
});

test("a full server is asked again after 8 s", async () => {
  const { page, sockets, clock } = start();
  await say(sockets[0], { type: "error", code: "full", content: "" }, { type: "bye", content: "full" });
  fail(sockets[0]);
  equal(page.retryAt - clock.now(), 8_000);
});

test("a member of a class comes back to the room in which the class waits", async () => {
  const { page, sockets, model, asked } = await live({ ...hello, room: "class-2" });
  equal([model.room, page.room], ["class-2", "class"]);
  fail(sockets[0]);
  page.wake();
  equal(asked.at(-1), "class");
});
