import { Ages, relativeAge } from "/ages.js";
import { Clock, equal, table, test } from "./testing.js";

const second = 1_000, minute = 60 * second, hour = 60 * minute, day = 24 * hour;

table("an age is in the largest unit that it reaches", [
  ["of the future", -hour, "just now", 5 * second],
  ["none", 0, "just now", 5 * second],
  ["below 5 s", 4_999, "just now", 5 * second],
  ["5 s", 5 * second, "5s ago", 6 * second],
  ["below a minute", minute - 1, "59s ago", minute],
  ["a minute", minute, "1m ago", 2 * minute],
  ["below an hour", hour - 1, "59m ago", hour],
  ["below a day", day - 1, "23h ago", day],
  ["days", 4 * day + hour, "4d ago", 5 * day],
  ["no number", NaN, "just now", 5 * second],
], (age, text, until) => equal(relativeAge(age), { text, until }));

test("an age is shown when its text changes, and at no other time", () => {
  const { clock, ages, shown } = start();
  ages.watch("bid", 0, (text) => shown.push([clock.now(), text]));
  clock.advance(8 * second);
  equal(shown, [[0, "just now"], [5_000, "5s ago"], [6_000, "6s ago"], [7_000, "7s ago"], [8_000, "8s ago"]]);
  clock.advance(2 * hour);
  shown.length = 0;
  clock.advance(3 * hour);
  equal(shown.map(([, text]) => text), ["3h ago", "4h ago", "5h ago"]);
});

test("one timer serves all ages", () => {
  const { clock, ages } = start();
  for (let key = 0; key < 100; key += 1) ages.watch(key, -key * second, () => {});
  equal(clock.pending.length, 1);
});

test("ages that change at nearly the same time share one wake", () => {
  const { clock, ages } = start();
  for (let key = 0; key < 40; key += 1) ages.watch(key, key, () => {});
  clock.advance(4_999);
  let wakes = 0;
  for (let at = 0; at < 100; at += 1) {
    const before = clock.pending[0];
    clock.advance(1);
    if (clock.pending[0] > before) wakes += 1;
  }
  equal(wakes <= 2, true, `${wakes} wakes`);
});

test("after a night every age is right, and shown once", () => {
  const { clock, ages, shown } = start();
  ages.watch("bid", 0, (text) => shown.push(text));
  clock.sleep(9 * hour);
  equal(shown, ["just now", "9h ago"]);
});

test("a clock that is set back makes ages smaller again", () => {
  const { clock, ages, shown } = start();
  clock.advance(hour);
  ages.watch("bid", 0, (text) => shown.push(text));
  clock.sleep(-30 * minute);
  ages.renew();
  equal(shown, ["1h ago", "30m ago"]);
});

test("an age that is not watched any more is not shown", () => {
  const { clock, ages, shown } = start();
  ages.watch("bid", 0, (text) => shown.push(text));
  ages.unwatch("bid");
  clock.advance(day);
  equal([shown, ages.size, clock.pending.length], [["just now"], 0, 0]);
});

test("a key has one age", () => {
  const { clock, ages, shown } = start();
  ages.watch("bid", 0, (text) => shown.push(`old ${text}`));
  ages.watch("bid", 0, (text) => shown.push(`new ${text}`));
  clock.advance(5 * second);
  equal(shown, ["old just now", "new just now", "new 5s ago"]);
});

function start() {
  const clock = new Clock();
  return { clock, ages: new Ages(clock), shown: [] };
}
