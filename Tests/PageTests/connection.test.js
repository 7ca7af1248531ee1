import { fail, greet, live, lose, reconnect, say, start } from "./connecting.js";
import { hello, lot } from "./messages.js";
import { equal, table, test } from "./testing.js";

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
  const { page, sockets } = await live();
  const answers = [page.request("bid 110"), page.request("bid 120")];
  equal(sockets[0].sent, ["#1 bid 110", "#2 bid 120"]);
  await say(sockets[0], { type: "ok", tag: "1", content: "bid 110" }, { ...message, tag: "2" });
  const { isOK, code, content } = await answers[1];
  equal({ isOK, code, content }, expected);
});

test("a request that is too long for a line is refused, and no other", async () => {
  const { page, sockets } = await live();
  const answers = [page.request(`add ${"x".repeat(2_000)}`), page.request("ping")];
  await say(sockets[0], { type: "error", code: "line-too-long", content: "a line has at most 1024 bytes" },
    { type: "ok", tag: "2", content: "ping" });
  equal((await Promise.all(answers)).map(({ isOK, code }) => [isOK, code]), [[false, "line-too-long"], [true, ""]]);
});

test("lines of data belong to the answer that ends them", async () => {
  const { page, sockets } = await live();
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
  const { page, sockets, store, model } = await live();
  page.takeName("alice");
  equal(sockets[0].sent, ["#1 name alice"]);
  await say(sockets[0], { type: "ok", tag: "1", content: `name alice ${token}` });
  equal([store, model.me], [{ "auction/k3v9/token/alice": token }, "alice"]);
  await reconnect(page, sockets);
  equal(sockets[1].sent.at(-1), `#2 name alice ${token}`);
});

test("in another game the name is taken without the token of this one", async () => {
  const { model, sockets, store } = start();
  store["auction/k3v9/token/alice"] = token;
  model.takeName("alice");
  await greet(sockets[0], { ...hello, game: "zzzz" });
  equal(sockets[0].sent, ["#1 name alice"]);
});

test("a name that came with a link is taken with the token of the link, which is kept", async () => {
  const { page, sockets, store } = start({ link: { name: "alice", token } });
  await greet(sockets[0]);
  page.takeName("bob");
  page.takeName("alice");
  equal(sockets[0].sent, ["#1 name bob", `#2 name alice ${token}`]);
  await say(sockets[0], { type: "error", tag: "1", code: "name-taken" }, { type: "ok", tag: "2", content: `name alice ${token}` });
  equal(store, { "auction/k3v9/token/alice": token });
});

table("the token of a link is used again, unless it is wrong", [
  ["wrong", "wrong-token", "name alice own"], ["opened too often", "slow-down", "name alice link"],
], async (code, command) => {
  const { page, sockets, store, notices } = start({ link: { name: "alice", token: "link" } });
  store["auction/k3v9/token/alice"] = "own";
  await greet(sockets[0]);
  page.takeName("alice");
  await say(sockets[0], { type: "error", tag: "1", code });
  equal(notices.at(-1).code, code === "wrong-token" ? "wrong-link" : code);
  page.takeName("alice");
  equal([sockets[0].sent.at(-1), store], [`#2 ${command}`, { "auction/k3v9/token/alice": "own" }]);
});

test("a refused name is not taken again by itself", async () => {
  const { page, model, sockets, notices, store } = start();
  store["auction/k3v9/token/alice"] = token;
  model.takeName("alice");
  await greet(sockets[0]);
  await say(sockets[0], { type: "error", tag: "1", code: "wrong-token", content: "choose another name" });
  equal([model.me, notices.at(-1).kind, store["auction/k3v9/token/alice"] ?? null], [null, "name-refused", null]);
  await reconnect(page, sockets);
  equal(sockets[1].sent, []);
});

table("a goodbye says why", [
  ["shutdown", "shutdown", /stopped/], ["journal", "journal", /store/], ["full", "full", /full/],
  ["moved", "moved", /another/], ["a reason of the future", "later", /./],
  ["a reason that every object has", "constructor", /^the connection was lost$/],
], async (content, pattern) => {
  const { page, sockets } = await live({ type: "bye", content });
  fail(sockets[0]);
  equal([page.phase, typeof page.reason, pattern.test(page.reason)], ["lost", "string", true], String(page.reason));
});

table("a bidder whose name was taken away only watches", [["replaced", "replaced"], ["kicked", "kicked"]],
  async (reason) => {
    const { page, sockets, model, notices } = await live();
    page.takeName("alice");
    await say(sockets[0], { type: "ok", tag: "1", content: `name alice ${token}` }, { type: "bye", content: reason });
    equal([model.me, notices.at(-1)], [null, { kind: reason, name: "alice" }]);
    await reconnect(page, sockets);
    equal(sockets[1].sent.filter((line) => line.includes("name")), []);
  });

test("the auctioneer is signed in again after a lost connection", async () => {
  const { page, sockets } = await live();
  page.signIn("key");
  await say(sockets[0], { type: "ok", tag: "1", content: "auctioneer" });
  equal(page.isAuctioneer, true);
  await lose(page, sockets);
  equal(page.isAuctioneer, false);
  await greet(sockets[1]);
  equal(sockets[1].sent, ["#2 auctioneer key"]);
});

test("a wrong token is not sent again", async () => {
  const { page, sockets } = await live();
  page.signIn("guess");
  await say(sockets[0], { type: "error", tag: "1", code: "wrong-token", content: "this is not the token" });
  await reconnect(page, sockets);
  equal([page.isAuctioneer, sockets[1].sent], [false, []]);
});

table("what is not a message is ignored", [["no JSON", "BYE"], ["null", "null"], ["a number", "1"], ["an array", "[]"],
  ["no type", "{}"], ["an odd type", '{"type":"__proto__"}']], async (text) => {
  const { page, sockets, model } = await live(lot);
  sockets[0].onmessage({ data: text });
  equal([page.phase, model.state.title], ["live", "Vase"]);
});

test("an abandoned socket is not listened to", async () => {
  const { page, sockets, model } = await live();
  const [{ onmessage, onclose }] = sockets;
  page.reconnect();
  onmessage({ data: JSON.stringify(lot) });
  onclose({});
  equal([model.lot, page.phase, sockets.length], [0, "connecting", 2]);
});

test("a browser that refuses to connect is a lost connection", () => {
  const { page } = start({ isThrowing: true });
  equal(page.phase, "lost");
});
