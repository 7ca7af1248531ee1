import { Keys, complaintOf, fieldOf, isLoopback, openCommand, pathOf, presets, roomAt, roomName, setCommand } from "/rooms.js";
import { fail, greet, live, lose, say, start } from "./connecting.js";
import { hello, lot, news, price, snapshot, winner } from "./messages.js";
import { equal, settle, table, test } from "./testing.js";

const blue = { ...hello, room: "blue" };

table("a room has a path", [["main", "main", "/"], ["another", "game-night-7", "/rooms/game-night-7"]], (room, path) => {
  equal([pathOf(room), roomAt(path)], [path, room]);
});

table("a path that is of no room is of main", [
  ["the file", "/index.html"], ["main itself", "/rooms/main"], ["more than a room", "/rooms/a/b"], ["markup", "/rooms/<b>"],
], (path) => equal(roomAt(path), "main"));

test("the command that makes a sale a game takes back what another game had", () => {
  equal(presets.map(([, , options]) => setCommand(options)), [
    "set seconds=7 lots=5 pause=5 purse=none worth=none profits=none format=none",
    "set seconds=9 lots=10 pause=8 purse=auto worth=50..150 profits=yes format=none",
    "set seconds=20 lots=8 pause=8 purse=auto worth=50..150 profits=yes format=vickrey",
  ]);
});

table("the command that opens a room has what was typed", [
  ["only a name", { name: "blue", seconds: "", lots: "", worth: "", profits: "" }, "open blue"],
  ["a game", { name: "blue", format: "sealed", lots: "5", purse: "1,000", worth: "50 to 1,150" },
    "open blue format=sealed lots=5 purse=1000 worth=50..1150"],
  ["the options that few need",
    { name: "blue", step: "5", reserve: "80", buy: "1 000", longest: "60", pause: "0.5", common: "50 – 150",
      noise: "0", profits: "yes" },
    "open blue step=5 reserve=80 buy=1000 longest=60 pause=0.5 common=50..150 noise=0 profits=yes"],
  ["a decimal comma, which the server refuses", { name: "blue", pause: "1,5" }, "open blue pause=1,5"],
  ["half a range, which the server refuses", { name: "blue", worth: "50" }, "open blue worth=50"],
  ["nothing that would be another word", { name: "blue", lots: "5 seconds=1", worth: "" },
    "open blue lots=5seconds=1"],
], (typed, command) => equal(openCommand(typed), command));

table("an address of the own machine is of no use to others", [
  ["a name", "localhost", true], ["IPv4", "127.0.0.1", true], ["another of IPv4", "127.3.2.1", true], ["IPv6", "[::1]", true],
  ["of the network", "192.168.1.5", false], ["a name that begins so", "127.0.0.1.example.com", false], ["another", "example.com", false],
], (host, isOwn) => equal(isLoopback(host), isOwn));

test("the name of a room may be typed with capitals and spaces", () => equal(roomName("  Game night 7 "), "game-night-7"));

const fields = ["name", "lots", "worth", "common", "noise", "reserve", "buy", "start", "step"];
table("a refusal is about a field", [
  ["a name that is in use", { code: "room-taken", content: "choose another name" }, "name"],
  ["no name", { code: "bad-arguments", content: "say open NAME" }, "name"],
  ["an option", { code: "bad-option", content: "lots must be a whole number from 1 to 1000" }, "lots"],
  ["the values", { code: "bad-option", content: "worth must be A..B" }, "worth"],
  ["two kinds of values", { code: "bad-option", content: "worth and common exclude each other: give one" }, "worth"],
  ["common values", { code: "bad-option", content: "common must be two whole numbers, such as 50..150" }, "common"],
  ["estimates without noise", { code: "bad-option", content: "common needs noise=N, the most by which" }, "noise"],
  ["noise without values", { code: "bad-option", content: "noise needs common=A..B" }, "noise"],
  ["a reserve below the start", { code: "bad-option", content: "the reserve is below the start: use" }, "reserve"],
  ["a buy price below the reserve", { code: "bad-option", content: "the buy price is below the reserve" }, "buy"],
  ["a start that cannot fall", { code: "bad-option", content: "a dutch auction falls from its start: use" }, "start"],
  ["falls that are too small", { code: "bad-option", content: "a dutch auction falls at most 25 times a second: use a step of" },
    "step"],
  ["none of them", { code: "full", content: "the server has all its rooms" }, undefined],
], (refusal, field) => equal(fieldOf(refusal, fields), field));

table("a refusal is said to somebody who knows no words of the protocol", [
  ["no name", { code: "bad-arguments", content: "say open NAME" }, "A name has 1 to 24 letters a to z, digits or -"],
  ["a range", { code: "bad-option", content: "worth must be two whole numbers" }, "Worth must be two whole numbers"],
  ["no place", { code: "full", content: "too many rooms were opened from your address, type rooms for a list and join one" },
    "Too many rooms were opened from your address: join one of the list"],
  ["any other", { code: "bad-option", content: "purse must be a whole number from 1 to 1000000" },
    "Purse must be a whole number from 1 to 1,000,000"],
], (refusal, text) => equal(complaintOf(refusal), text));

test("the key of an own room stays in the browser, and makes no auctioneer elsewhere", () => {
  const local = {};
  new Keys(local, {}).keep("k3v9", "blue", "b1");
  const keys = new Keys(local, {});
  equal([keys.get("k3v9", "blue"), keys.own("k3v9", "blue"), keys.get("k3v9", "red"), keys.get("zzzz", "blue")],
    ["b1", "b1", undefined, undefined]);
});

test("a typed key stays in the tab for its room; the server's, which is typed in main, for all", () => {
  const [local, session] = [{}, {}];
  const keys = new Keys(local, session);
  keys.note("k3v9", "blue", "b1", true);
  equal([keys.get("k3v9", "blue"), keys.get("k3v9", "red")], ["b1", undefined]);
  keys.note("k3v9", "main", "m1", true);
  equal([keys.get("k3v9", "blue"), keys.get("zzzz", "red"), local], ["b1", "m1", {}]);
});

test("a key that is refused is forgotten, and no other", () => {
  const keys = new Keys({}, {});
  keys.keep("k3v9", "blue", "b1");
  keys.note("k3v9", "blue", "guess", false);
  equal(keys.get("k3v9", "blue"), "b1");
  keys.note("k3v9", "blue", "b1", false);
  equal(keys.get("k3v9", "blue"), undefined);
});

test("the key of a link is that of its room alone", () => {
  const keys = new Keys({}, {}, { room: "blue", key: "b1" });
  equal([keys.get("k3v9", "main"), keys.get("k3v9", "blue"), keys.own("k3v9", "main"), keys.own("k3v9", "blue")],
    [undefined, "b1", undefined, "b1"]);
});

test("another room on the same connection begins without the state of the last, and keeps the name", async () => {
  const { page, model, sockets, loads, notices } = await live();
  page.takeName("alice");
  await say(sockets[0], { type: "ok", tag: "1", content: "name alice t" }, lot, price(2, "bob", 100, 1));
  page.enter("blue");
  await say(sockets[0], blue, ...snapshot([lot], { title: "Clock" }), { type: "ok", tag: "2", content: "join blue" });
  equal(sockets[0].sent, ["#1 name alice", "#2 join blue"]);
  equal([page.room, model.room, model.me, model.state.title, model.state.leader], ["blue", "blue", "alice", "Clock", null]);
  equal([sockets.length, loads.length, notices.map(({ kind }) => kind)], [1, 2, ["greeted", "named", "greeted"]]);
});

test("a lost connection is found again in the room, without a gap", async () => {
  const { page, sockets, asked } = start();
  page.room = "blue";
  page.reconnect();
  await greet(sockets[1], blue);
  await say(sockets[1], lot);
  await lose(page, sockets);
  await greet(sockets[2], blue);
  equal([asked.slice(1), sockets[2].sent], [["blue", "blue"], ["#1 resume 1"]]);
});

test("of a room that has ended, nothing is left in the one that was opened under its name", async () => {
  const { page, model, sockets, loads, keys } = start();
  page.takeName("alice");
  page.room = "blue";
  page.reconnect();
  await greet(sockets[1], { ...blue, sale: "x7p2mb" });
  await say(sockets[1], lot, price(2, "bob", 100, 1), news(3, "said", { bidder: "bob" }), winner(4, "bob", 100));
  model.standings = [{ rank: 1, bidder: "bob", lots: 1, spent: 100 }];
  keys.keep("k3v9", "blue", "old");
  await lose(page, sockets);
  await greet(sockets[2], { ...blue, sale: "q9d4tz" });
  equal(sockets[2].sent, ["#1 auctioneer old"]);
  await say(sockets[2], ...snapshot([lot], { title: "Clock" }), { type: "error", tag: "1", code: "wrong-token", content: "" });
  equal([model.state.title, model.state.leader, model.results, model.standings, model.series.laps, model.people],
    ["Clock", null, [], [], [], null]);
  equal(model.ticker.map(({ text }) => text), ["This room had ended, and was opened again"]);
  equal([loads.length, keys.own("k3v9", "blue")], [2, undefined]);
});

test("of several rooms the last is the destination, until all are answered", async () => {
  const { page, sockets } = await live();
  for (const room of ["blue", "red", "blue"]) page.enter(room);
  const seen = [page.destination];
  equal(page.block, "Changing rooms");
  for (const [tag, room] of [["1", "blue"], ["2", "red"], ["3", "blue"]]) {
    await say(sockets[0], { ...hello, room }, { type: "ok", tag, content: `join ${room}` });
    seen.push(page.destination);
  }
  equal([seen, page.block], [["blue", "blue", "blue", null], null]);
});

test("nothing is said or ordered in a room on the way to it", async () => {
  const { page, sockets } = await live();
  page.enter("blue");
  const early = await page.requestHere("pause");
  await say(sockets[0], blue, { type: "ok", tag: "1", content: "join blue" });
  page.requestHere("pause");
  equal([early.isOK, sockets[0].sent], [false, ["#1 join blue", "#2 pause"]]);
});

test("a connection that is lost on the way has no destination", async () => {
  const { page, sockets } = await live();
  const answer = page.enter("blue");
  fail(sockets[0]);
  equal([(await answer).code, page.room, page.destination], ["lost", "main", null]);
});

test("a room that refuses changes nothing", async () => {
  const { page, model, sockets } = await live(lot);
  const answer = page.enter("blue");
  await say(sockets[0], { type: "error", tag: "1", code: "no-room", content: "type rooms for a list" });
  equal([(await answer).isOK, page.room, page.phase, model.state.title], [false, "main", "live", "Vase"]);
});

test("missed news of the room before is not waited for in the next one", async () => {
  const { page, model, sockets } = await live(lot, { type: "skipped", lines: 3 });
  page.enter("blue");
  await say(sockets[0], { type: "ok", tag: "1", content: "resume 0" }, blue, ...snapshot([{ ...lot, seq: 9 }], { title: "Clock" }));
  await say(sockets[0], { type: "ok", tag: "2", content: "join blue" }, price(10, "bob", 100, 1));
  equal([model.state.title, model.price, page.isCurrent], ["Clock", 100, true]);
});

test("if there is no such room the page says so, and waits for the user to choose another", async () => {
  const { page, sockets, clock, asked, gone } = start();
  gone.add("blue");
  page.enter("blue");
  fail(sockets[1]);
  await settle();
  equal(page.phase, "gone");
  clock.advance(60_000);
  equal(sockets.length, 2);
  page.enter("main");
  await greet(sockets[2]);
  equal([page.phase, asked], ["live", ["main", "blue", "main"]]);
});

test("if the server cannot be reached, the page does not say that the room has ended", async () => {
  const { page, sockets } = start();
  page.enter("blue");
  fail(sockets[1]);
  await settle();
  equal(page.phase, "lost");
});

test("the auctioneer of one room is none in the next", async () => {
  const { page, sockets, keys } = start();
  keys.keep("k3v9", "blue", "b1");
  page.room = "blue";
  page.reconnect();
  await greet(sockets[1], blue);
  equal(sockets[1].sent, ["#1 auctioneer b1"]);
  await say(sockets[1], { type: "ok", tag: "1", content: "auctioneer" });
  equal(page.isAuctioneer, true);
  page.enter("main");
  await say(sockets[1], hello, { type: "ok", tag: "2", content: "join main" });
  equal([page.isAuctioneer, sockets[1].sent.length], [false, 2]);
});
