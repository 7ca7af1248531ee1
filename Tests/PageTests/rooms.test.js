import { Keys, fieldOf, openCommand, pathOf, roomAt, roomName } from "/rooms.js";
import { roomText } from "/words.js";
import { fail, greet, hello, lose, lot, price, say, start } from "./connecting.js";
import { equal, settle, table, test } from "./testing.js";

const blue = { ...hello, room: "blue" };

table("a room has a path", [["main", "main", "/"], ["another", "game-night-7", "/rooms/game-night-7"]], (room, path) => {
  equal([pathOf(room), roomAt(path)], [path, room]);
});

table("a path that is of no room is of main", [
  ["the file", "/index.html"], ["main itself", "/rooms/main"], ["more than a room", "/rooms/a/b"], ["markup", "/rooms/<b>"],
], (path) => equal(roomAt(path), "main"));

table("the command that opens a room has what was typed", [
  ["only a name", { name: "blue", seconds: "", lots: "", from: "", to: "" }, "open blue"],
  ["a game", { name: "blue", format: "sealed", lots: "5", purse: "1,000", from: "50", to: "150" },
    "open blue format=sealed lots=5 purse=1000 worth=50..150"],
  ["half a range, which the server refuses", { name: "blue", from: "50", to: "" }, "open blue worth=50.."],
  ["nothing that would be another word", { name: "blue", lots: "5 seconds=1", from: "", to: "" },
    "open blue lots=5seconds=1"],
], (typed, command) => equal(openCommand(typed), command));

test("a name is typed as people write", () => equal(roomName("  Game night 7 "), "game-night-7"));

table("a refusal is about a field", [
  ["a name that is in use", { code: "room-taken", content: "choose another name" }, "name"],
  ["no name", { code: "bad-arguments", content: "say open NAME" }, "name"],
  ["an option", { code: "bad-option", content: "lots must be a whole number from 1 to 1000" }, "lots"],
  ["the values", { code: "bad-option", content: "worth must be A..B" }, "from"],
  ["none of them", { code: "full", content: "the server has all its rooms" }, undefined],
], (refusal, field) => equal(fieldOf(refusal), field));

test("a room in the list says what is on, and how many are there", () => {
  equal(roomText({ format: "english", lot: 3, title: "Blue vase", people: 1200 }), "1,200 here · english · 3. Blue vase");
});

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
  const keys = new Keys({}, {}, "b1");
  equal([keys.get("k3v9", "blue"), keys.get("k3v9", "red"), keys.own("k3v9", "blue")], ["b1", undefined, "b1"]);
});

test("another room on the same connection begins anew, and keeps the name", async () => {
  const { page, model, sockets, loads, notices } = start();
  await greet(sockets[0]);
  page.takeName("alice");
  await say(sockets[0], { type: "ok", tag: "1", content: "name alice t" }, lot, price(2, "bob", 100, 1));
  page.enter("blue");
  await say(sockets[0], blue, { ...lot, content: "Clock", snapshot: true }, { type: "ok", tag: "2", content: "join blue" });
  equal(sockets[0].sent, ["#1 name alice", "#2 join blue"]);
  equal([page.room, model.room, model.me, model.lot.title, model.leading], ["blue", "blue", "alice", "Clock", null]);
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

test("a room that refuses changes nothing", async () => {
  const { page, model, sockets } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot);
  const answer = page.enter("blue");
  await say(sockets[0], { type: "error", tag: "1", code: "no-room", content: "say rooms to list them" });
  equal([(await answer).isOK, page.room, page.phase, model.lot.title], [false, "main", "live", "Vase"]);
});

test("missed news of the room before is not waited for in the next one", async () => {
  const { page, model, sockets } = start();
  await greet(sockets[0]);
  await say(sockets[0], lot, { type: "skipped", lines: 3 });
  page.enter("blue");
  await say(sockets[0], { type: "ok", tag: "1", content: "resume 0" }, blue, { ...lot, seq: 9, content: "Clock", snapshot: true });
  await say(sockets[0], { type: "ok", tag: "2", content: "join blue" }, price(10, "bob", 100, 1));
  equal([model.lot.title, model.leading.amount, page.isCurrent], ["Clock", 100, true]);
});

test("a page without its room says so, and waits until it is asked to go elsewhere", async () => {
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

test("a server that is away has not lost its rooms", async () => {
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
