import { Resource } from "/parts.js";
import { equal, settle, table, test } from "./testing.js";

const empty = { loading: false, result: undefined, lastError: null };

test("a resource is empty until it is loaded", () => equal(state(start().resource), empty));

test("a load is under way, and then has its result", async () => {
  const { resource, loads } = start();
  await begin(resource);
  equal(state(resource), { ...empty, loading: true });
  loads[0].resolve("laps");
  await settle();
  equal(state(resource), { ...empty, result: "laps" });
});

test("the newest load wins, in whatever order they end", async () => {
  const { resource, loads, used } = start();
  await begin(resource);
  await begin(resource);
  loads[1].resolve("new");
  await settle();
  equal(state(resource), { ...empty, result: "new" });
  loads[0].resolve("old");
  await settle();
  equal(state(resource), { ...empty, result: "new" });
  equal(used, ["new"]);
});

test("an older load that ends first changes nothing", async () => {
  const { resource, loads } = start();
  await begin(resource);
  await begin(resource);
  loads[0].reject(new Error("old"));
  await settle();
  equal(state(resource), { ...empty, loading: true });
  loads[1].resolve("new");
  await settle();
  equal(state(resource), { ...empty, result: "new" });
});


test("the last result stays while the next load runs, and when it fails", async () => {
  const { resource, loads } = start();
  await begin(resource);
  loads[0].resolve("laps");
  await settle();
  await begin(resource);
  equal(state(resource), { ...empty, loading: true, result: "laps" });
  loads[1].reject(new Error("slow-down"));
  await settle();
  equal(state(resource), { loading: false, result: "laps", lastError: "slow-down" });
});

test("a load that succeeds clears the error", async () => {
  const { resource, loads } = start();
  await begin(resource);
  loads[0].reject(new Error("not connected"));
  await settle();
  await begin(resource);
  loads[1].resolve("laps");
  await settle();
  equal(state(resource), { ...empty, result: "laps" });
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

test("what is forgotten does not come back with a load that still runs", async () => {
  const { resource, loads } = start();
  await begin(resource);
  resource.forget();
  equal(state(resource), empty);
  loads[0].resolve("laps");
  await settle();
  equal(state(resource), empty);
});

/** A resource whose loads end when the test says so, and the results that it used. */
function start() {
  const loads = [], used = [];
  const resource = new Resource(
    () => new Promise((resolve, reject) => loads.push({ resolve, reject })),
    (result) => used.push(result));
  return { resource, loads, used };
}

/** Begins a load, which the resource may do a moment later. */
async function begin(resource) {
  resource.load();
  await settle();
}

function state({ loading, result, lastError }) {
  return { loading, result, lastError };
}
