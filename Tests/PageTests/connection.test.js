import { Connection } from "/connection.js";
import { Model } from "/model.js";
import { Clock, equal, settle, table, test } from "./testing.js";

const hello = { type: "hello", content: "auction/1", seconds: 7, step: 1, game: "k3v9" };
const lot = { seq: 1, type: "lot", lot: 1, content: "Vase", start: 1, elapsedMilliseconds: 0 };
const token = "6e6adf0390a59d4e9d42b2e5cccbf434";

test("a greeted connection is live, and loads the state once", async () => {
  const { page, sockets, loads, notices } = start();
  equal(page.phase, "connecting");
  await greet(sockets[0]);
  equal([page.phase, loads.length, sockets[0].sent, notices.map(({ kind }) => kind)], ["live", 1, [], ["greeted"]]);
});

table("an answer goes to its request", [
  ["accepted", { type: "ok", content: "bid 120" }, { isOK: true, code: "", content: "bid 120" }],
  ["refused", { type: "error", code: "too-low", minimum: 121, content: "bid at least 121" },
    { isOK: false, code: "too-low", content: "bid at least 121" }],
], async (message, expected) => {
  const { page, sockets } = start();
  await greet(sockets[0]);
  const answers = [page.request("bid 110"), page.request("bid 120")];
  equal(sockets[0].sent, ["#1 bid 110", "#2 bid 120"]);
  await say(sockets[0], { type: "ok", tag: "1", content: "bid 110" }, { ...message, tag: "2" });
  const { isOK, code, content } = await answers[1];
  equal({ isOK, code, content }, expected);
});

test("lines of data belong to the answer that ends them", async () => {
  const { page, sockets } = start();
  await greet(sockets[0]);
  const answers = [page.request("who"), page.request("laps")];
  await say(sockets[0], { type: "who", content: "bob" }, { type: "ok", tag: "1", content: "who 1" },
    { type: "ok", tag: "2", content: "laps 0" });
  equal((await Promise.all(answers)).map(({ data }) => data.length), [1, 0]);
});

test("a request on a lost connection is answered at once", async () => {
  const { page, sockets } = start();
  equal((await page.request("bid 1")).code, "lost");
  await greet(sockets[0]);
  const answer = page.request("bid 2");
  fail(sockets[0]);
  equal([(await answer).code, (await page.request("bid 3")).code], ["lost", "lost"]);
});

test("a token is kept for its game and its name, and used again", async () => {
  const { page, sockets, tokens, model } = start();
  await greet(sockets[0]);
  page.takeName("alice");
  equal(sockets[0].sent, ["#1 name alice"]);
  await say(sockets[0], { type: "ok", tag: "1", content: `name alice ${token}` });
  equal([[...tokens], page.name, model.me], [[["k3v9 alice", token]], "alice", "alice"]);
  await lose(page, sockets);
  await greet(sockets[1]);
  equal(sockets[1].sent.at(-1), `#2 name alice ${token}`);
});

test("in another game the name is taken without the token of this one", async () => {
  const { page, sockets, tokens } = start();
  tokens.set("k3v9 alice", token);
  page.name = "alice";
  await greet(sockets[0], { ...hello, game: "zzzz" });
  equal(sockets[0].sent, ["#1 name alice"]);
});

test("a refused name is not taken again by itself", async () => {
  const { page, sockets, notices, tokens } = start();
  tokens.set("k3v9 alice", token);
  page.name = "alice";
  await greet(sockets[0]);
  await say(sockets[0], { type: "error", tag: "1", code: "wrong-token", content: "choose another name" });
  equal([page.name, notices.at(-1).kind, tokens.get("k3v9 alice") ?? null], [null, "name-refused", null]);
  await lose(page, sockets);
  await greet(sockets[1]);
  equal(sockets[1].sent, []);
});

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
    if (attempt < 8) page.tryNow();
  }
  equal(page.retryAt, delay);
});

table("after a connection that lasted the first retry is soon", [["short", 1_000, 2_000], ["long", 6_000, 500]],
  async (lasted, most) => {
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
    equal(most === 500 ? delay <= most : delay >= most, true, `${delay} ms`);
  });

test("after a lost connection the missed news comes once, in order, and is not announced again", async () => {
  const { page, sockets, model } = start();
  model.takeName("alice");
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "alice", 100, 1));
  const alarms = [];
  model.observe(({ kind }) => alarms.push(kind));
  await lose(page, sockets);
  await greet(sockets[1]);
  equal(sockets[1].sent, ["#1 resume 2"]);
  const snapshot = [{ ...lot, elapsedMilliseconds: 9_000 }, price(5, "bob", 130, 4)].map((message) => (
    { ...message, snapshot: true }));
  const missed = [price(3, "zoe", 110, 2), price(4, "alice", 120, 3), price(5, "bob", 130, 4)].map(
    ({ remainingMilliseconds, ...message }) => message);
  await say(sockets[1], ...snapshot, ...missed);
  equal(model.seq, 2, "before the answer");
  await say(sockets[1], { type: "ok", tag: "1", content: "resume 3" });
  equal([model.seq, model.leading.bidder, model.laps.rows.map((lap) => lap.amount)], [5, "bob", [100, 110, 120, 130]]);
  equal([model.series.gaps, alarms], [[], []]);
  await say(sockets[1], price(6, "zoe", 140, 5));
  equal([model.leading.amount, alarms], [140, ["bid"]]);
});

test("news during the request for the missed news is not lost or doubled", async () => {
  const { page, sockets, model } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  await lose(page, sockets);
  await greet(sockets[1]);
  await say(sockets[1], { ...lot, snapshot: true }, { ...price(3, "zoe", 110, 2), snapshot: true },
    price(4, "bob", 120, 3), price(3, "zoe", 110, 2), price(4, "bob", 120, 3),
    { type: "ok", tag: "1", content: "resume 2" }, price(5, "zoe", 130, 4));
  equal([model.laps.rows.map((lap) => lap.amount), model.seq], [[100, 110, 120, 130], 5]);
});

test("where nothing was missed nothing changes", async () => {
  const { page, sockets, model, clock, loads } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  const before = model.ticker.length;
  await lose(page, sockets);
  await greet(sockets[1]);
  await say(sockets[1], { ...lot, snapshot: true }, { ...price(2, "bob", 100, 1), snapshot: true,
    remainingMilliseconds: 4_000 }, { type: "ok", tag: "1", content: "resume 0" });
  equal([model.ticker.length, model.laps.rows.length, loads.length], [before, 1, 1]);
  equal(model.remaining(clock.now()), 4_000);
});

test("news that is not kept any more is a gap, and the state is loaded again", async () => {
  const { page, sockets, model, loads } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  await lose(page, sockets);
  await greet(sockets[1]);
  await say(sockets[1], { type: "error", tag: "1", code: "gone", content: "go on from the snapshot" },
    { ...lot, lot: 9, seq: 5_000, snapshot: true, content: "Lamp" },
    { ...price(5_001, "zoe", 500, 40), snapshot: true });
  equal([model.lot.title, model.leading.amount, loads.length, model.ticker[0].kind], ["Lamp", 500, 2, "gap"]);
});

test("another game at the same address begins anew", async () => {
  const { page, sockets, model, loads } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  await lose(page, sockets);
  await greet(sockets[1], { ...hello, game: "zzzz" });
  equal([sockets[1].sent, model.leading, model.ticker, loads.length], [[], null, [], 2]);
});

test("skipped lines are requested", async () => {
  const { sockets, model } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1), { type: "skipped", content: "2", lines: 2 });
  equal(sockets[0].sent, ["#1 resume 2"]);
  await say(sockets[0], { ...lot, snapshot: true }, { ...price(4, "bob", 120, 3), snapshot: true },
    price(3, "zoe", 110, 2), price(4, "bob", 120, 3), { type: "ok", tag: "1", content: "resume 2" });
  equal(model.laps.rows.map((lap) => lap.amount), [100, 110, 120]);
});

test("a connection whose countdown stops is lost 2 s after the promise", async () => {
  const { page, sockets, clock } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  clock.advance(3_000);
  equal([page.phase, sockets.length], ["live", 1]);
  clock.advance(1_000);
  equal([page.reason, sockets.length], ["the server has gone silent", 2]);
});

test("a connection whose countdown goes on is live", async () => {
  const { page, sockets, clock } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  for (let left = 6; left >= 1; left -= 1) {
    clock.advance(1_000);
    await say(sockets[0], { seq: 9 - left, type: "countdown", seconds: left, remainingMilliseconds: 1_000 * left });
  }
  equal([page.phase, sockets.length], ["live", 1]);
});

test("a quiet connection is pinged, and lost without an answer within 5 s", async () => {
  const { page, sockets, clock } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot);
  clock.advance(16_000);
  equal(sockets[0].sent, ["#1 ping"]);
  await say(sockets[0], { type: "ok", tag: "1", content: "ping" });
  clock.advance(14_000);
  equal([page.phase, sockets[0].sent.length], ["live", 1]);
  clock.advance(8_000);
  equal([page.reason, sockets[0].sent.length, sockets.length], ["the server does not answer", 2, 2]);
});

test("an attempt that is not greeted ends after 8 s", () => {
  const { page, clock } = start();
  clock.advance(8_000);
  equal([page.phase, page.attempts], ["connecting", 1]);
  clock.advance(1_000);
  equal([page.reason, page.attempts], ["the server does not answer", 2]);
});

test("after a night the connection is made anew at once", async () => {
  const { page, sockets, clock, opened } = start();
  await greet(sockets[0]);
  clock.sleep(9 * 3_600_000);
  equal([sockets.length, page.phase, sockets[0].readyState], [2, "connecting", 3]);
  equal(opened[1], clock.now());
});

test("a page that stood still for seconds keeps its connection and the news that waits", async () => {
  const { page, sockets, clock, model } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, price(2, "bob", 100, 1));
  clock.sleep(6_000);
  await say(sockets[0], price(3, "zoe", 110, 2));
  clock.advance(1_000);
  equal([page.phase, sockets.length, model.leading.amount], ["live", 1, 110]);
});

test("a page that is shown again checks its connection within a second", async () => {
  const { page, sockets, clock } = start();
  await greet(sockets[0]);
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

table("a goodbye says why", [
  ["shutdown", "shutdown", /stopped/], ["journal", "journal", /store/], ["full", "full", /full/],
  ["a reason of the future", "moved", /./],
  ["a reason that every object has", "constructor", /^the connection was lost$/],
], async (content, pattern) => {
  const { page, sockets } = start();
  await greet(sockets[0]);
  await say(sockets[0], { type: "bye", content });
  fail(sockets[0]);
  equal([page.phase, typeof page.reason, pattern.test(page.reason)], ["lost", "string", true], String(page.reason));
});

test("a full server is asked again after 8 s", async () => {
  const { page, sockets, clock } = start();
  await say(sockets[0], { type: "error", code: "full", content: "" }, { type: "bye", content: "full" });
  fail(sockets[0]);
  equal(page.retryAt - clock.now(), 8_000);
});

table("a bidder whose name was taken away only watches", [["replaced", "replaced"], ["kicked", "kicked"]],
  async (reason) => {
    const { page, sockets, model, notices } = start();
    await greet(sockets[0]);
    page.takeName("alice");
    await say(sockets[0], { type: "ok", tag: "1", content: `name alice ${token}` }, { type: "bye", content: reason });
    equal([page.name, model.me, notices.at(-1)], [null, null, { kind: reason, name: "alice" }]);
    await lose(page, sockets);
    await greet(sockets[1]);
    equal(sockets[1].sent.filter((line) => line.includes("name")), []);
  });

test("the auctioneer is signed in again after a lost connection", async () => {
  const { page, sockets } = start();
  await greet(sockets[0]);
  page.signIn("key");
  await say(sockets[0], { type: "ok", tag: "1", content: "auctioneer" });
  equal(page.isAuctioneer, true);
  await lose(page, sockets);
  equal(page.isAuctioneer, false);
  await greet(sockets[1]);
  equal(sockets[1].sent, ["#2 auctioneer key"]);
});

test("a wrong token is not sent again", async () => {
  const { page, sockets } = start();
  await greet(sockets[0]);
  page.signIn("guess");
  await say(sockets[0], { type: "error", tag: "1", code: "wrong-token", content: "this is not the token" });
  await lose(page, sockets);
  await greet(sockets[1]);
  equal([page.isAuctioneer, sockets[1].sent], [false, []]);
});

table("what is not a message is ignored", [["no JSON", "BYE"], ["null", "null"], ["a number", "1"], ["an array", "[]"],
  ["no type", "{}"], ["an odd type", '{"type":"__proto__"}']], async (text) => {
  const { page, sockets, model } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot);
  sockets[0].onmessage({ data: text });
  equal([page.phase, model.lot.title], ["live", "Vase"]);
});

test("an abandoned socket is not listened to", async () => {
  const { page, sockets, model } = start();
  await greet(sockets[0]);
  const [{ onmessage, onclose }] = sockets;
  page.reconnect();
  onmessage({ data: JSON.stringify(lot) });
  onclose({});
  equal([model.lot, page.phase, sockets.length], [null, "connecting", 2]);
});

test("a browser that refuses to connect is a lost connection", () => {
  const { page } = start({ isThrowing: true });
  equal(page.phase, "lost");
});

/** A page's connection that has begun, and its parts. */
function start({ random = () => 0.5, isThrowing = false } = {}) {
  const clock = new Clock(), model = new Model(), tokens = new Map();
  const sockets = [], opened = [], loads = [], notices = [];
  const page = new Connection({
    model, clock, random,
    open: () => {
      if (isThrowing) throw new Error("insecure");
      const socket = new Socket();
      sockets.push(socket);
      opened.push(clock.now());
      if (sockets.isRefused) clock.after(0, () => fail(socket));
      return socket;
    },
    tokens: {
      get: (game, name) => tokens.get(`${game} ${name}`) ?? null,
      set(game, name, value) {
        if (value === null) tokens.delete(`${game} ${name}`);
        else tokens.set(`${game} ${name}`, value);
      },
    },
  });
  page.needsLoad = () => loads.push(clock.now());
  page.notice = (notice) => notices.push(notice);
  page.begin();
  return { page, model, clock, tokens, sockets, opened, loads, notices };
}

/** A socket whose other end is the test. */
class Socket {
  readyState = 0;
  sent = [];

  send(text) {
    this.sent.push(text);
  }

  close() {
    this.readyState = 3;
  }
}

async function greet(socket, greeting = hello) {
  socket.readyState = 1;
  await say(socket, greeting);
}

/** The server sends messages; after each of them, as in a browser, everything that waits for it goes on. */
async function say(socket, ...messages) {
  for (const message of messages) {
    socket.onmessage({ data: JSON.stringify({ time: "2026-11-20T10:00:00.000Z", ...message }) });
    await settle();
  }
}

function fail(socket) {
  socket.readyState = 3;
  socket.onclose({ code: 1006 });
}

/** The newest socket is lost, and the page connects again. */
async function lose(page, sockets) {
  fail(sockets.at(-1));
  await settle();
  page.tryNow();
}

/** A price in JSON. */
function price(seq, bidder, amount, bid) {
  return { seq, type: "price", content: String(amount), amount, bidder, elapsedMilliseconds: 1_000 * bid, bid, lot: 1,
    remainingMilliseconds: 7_000 };
}
