import { Resource } from "/parts.js";
import { equal, settle, table } from "./testing.js";

const empty = { loading: false, result: undefined, lastError: null };

table("a resource after loads that end with a value or an error", [
  ["none", [], {}],
  ["one that runs", ["load"], { loading: true }],
  ["one that has ended", ["load", "1 = laps"], { result: "laps" }],
  ["two, of which the newest has ended", ["load", "load", "2 = new"], { result: "new" }],
  ["two, of which the newest ended first", ["load", "load", "2 = new", "1 = old"], { result: "new" }],
  ["two, of which the older has failed", ["load", "load", "1 ! old"], { loading: true }],
  ["two, of which the older failed first", ["load", "load", "1 ! old", "2 = new"], { result: "new" }],
  ["one that runs after a result", ["load", "1 = laps", "load"], { loading: true, result: "laps" }],
  ["one that has failed after a result", ["load", "1 = laps", "load", "2 ! slow-down"], { result: "laps", lastError: "slow-down" }],
  ["one that has failed", ["load", "1 ! not connected"], { lastError: "not connected" }],
  ["one that has ended after a failure", ["load", "1 ! not connected", "load", "2 = laps"], { result: "laps" }],
  ["one that is forgotten", ["load", "forget"], {}],
  ["one that ends after it was forgotten", ["load", "forget", "1 = laps"], {}],
], async (steps, expected) => {
  const loads = [], used = [];
  const resource = new Resource(
    () => new Promise((resolve, reject) => loads.push({ resolve, reject })),
    (result) => used.push(result));
  for (const step of steps) {
    const [, number, end, text] = /^(\d) (.) (.*)$/.exec(step) ?? [];
    if (end === "=") loads[number - 1].resolve(text);
    else if (end === "!") loads[number - 1].reject(new Error(text));
    else resource[step]();
    await settle();
  }
  equal(state(resource), { ...empty, ...expected });
  equal(used, expected.result ? [expected.result] : [], "used");
});

table("a load that fails at once is a load that failed", [
  ["with an error", () => { throw new Error("not connected"); }],
  ["with a text", () => { throw "not connected"; }],
  ["with a promise", () => Promise.reject(new Error("not connected"))],
], async (load) => {
  const resource = new Resource(load);
  await resource.load().catch(() => {});
  equal(state(resource), { ...empty, lastError: "not connected" });
});

function state({ loading, result, lastError }) {
  return { loading, result, lastError };
}
