// A connection of the page whose other end, clock and chance are those of a test.

import { Connection } from "/connection.js";
import { Model } from "/model.js";
import { Keys } from "/rooms.js";
import { hello } from "./messages.js";
import { Clock, settle } from "./testing.js";

/** A page's connection that has begun, and its parts. */
export function start({ random = () => 0.5, isThrowing = false, link } = {}) {
  const clock = new Clock(), model = new Model(), store = {}, keys = new Keys({}, {});
  const sockets = [], opened = [], asked = [], loads = [], notices = [], gone = new Set();
  const page = new Connection({
    model, clock, random, store, keys, link,
    hasRoom: async (room) => !gone.has(room),
    open: (room) => {
      asked.push(room);
      if (isThrowing) throw new Error("insecure");
      const socket = new Socket();
      sockets.push(socket);
      opened.push(clock.now());
      if (sockets.isRefused) clock.after(0, () => fail(socket));
      return socket;
    },
  });
  page.needsLoad = () => loads.push(clock.now());
  page.notice = (notice) => notices.push(notice);
  page.begin();
  return { page, model, clock, store, keys, sockets, opened, asked, loads, notices, gone };
}

/** A page's connection that is greeted, and has received these messages, with its parts. */
export async function live(...messages) {
  const parts = start();
  await greet(parts.sockets[0]);
  await say(parts.sockets[0], ...messages);
  return parts;
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

export async function greet(socket, greeting = hello) {
  socket.readyState = 1;
  await say(socket, greeting);
}

/** The server sends messages; after each of them, as in a browser, everything that waits for it goes on. */
export async function say(socket, ...messages) {
  for (const message of messages) {
    socket.onmessage({ data: JSON.stringify({ time: "2026-11-20T10:00:00.000Z", ...message }) });
    await settle();
  }
}

export function fail(socket) {
  socket.readyState = 3;
  socket.onclose({ code: 1006 });
}

/** The newest socket is lost, and the page connects again and is greeted. */
export async function reconnect(page, sockets, greeting) {
  await lose(page, sockets);
  await greet(sockets.at(-1), greeting);
}

/** The newest socket is lost, and the page connects again. */
export async function lose(page, sockets) {
  fail(sockets.at(-1));
  await settle();
  page.wake();
}
