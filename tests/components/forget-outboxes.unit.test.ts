import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  beginSignOut,
  cancelSignOut,
  endSignOut,
  forgetOutboxes,
  waitingCount,
} from "#app/components/messages/outbox/forget-outboxes.ts";
import { changeStored, storedMessages } from "#app/components/messages/outbox/outbox-storage.ts";

const OWNER = { account: "bia", space: "bia" };
const TEXT = {
  conversationId: "c1",
  clientMessageId: "key-of-bia",
  text: "Oi",
  replyTo: null,
  problem: null,
};

/** A browser's storage; a full one refuses to store. */
class TestStorage {
  [name: string]: unknown;
  constructor(isFull = false) {
    const hidden = { enumerable: false };
    Object.defineProperties(this, {
      getItem: { ...hidden, value: (name: string) => this[name] ?? null },
      setItem: {
        ...hidden,
        value: (name: string, text: string) => {
          if (isFull) throw new Error("full");
          this[name] = text;
        },
      },
      removeItem: { ...hidden, value: (name: string) => delete this[name] },
    });
  }
}

beforeEach(() => {
  vi.stubGlobal("localStorage", new TestStorage());
  vi.stubGlobal("sessionStorage", new TestStorage());
});
afterEach(() => {
  for (const account of ["bia", "caio"]) forgetOutboxes(account);
  vi.unstubAllGlobals();
});
const write = () => changeStored(OWNER, (before) => [...before, TEXT]);

test("unsent words are counted, and deleted once the account is signed out", () => {
  write();
  write();
  expect(waitingCount()).toBe(2);
  beginSignOut("bia");
  expect(storedMessages(OWNER)).toHaveLength(2);
  endSignOut();
  expect([storedMessages(OWNER), waitingCount()]).toEqual([[], 0]);
});

test("a session that ended by itself, and a sign-out that failed, delete nothing", () => {
  write();
  endSignOut();
  expect(waitingCount()).toBe(1);
  beginSignOut("bia");
  cancelSignOut();
  endSignOut();
  expect(storedMessages(OWNER)).toEqual([TEXT]);
});

test("words that the browser could not store are counted and deleted too, and never return", () => {
  vi.stubGlobal("localStorage", new TestStorage(true));
  write();
  expect(waitingCount()).toBe(1);
  forgetOutboxes("caio");
  expect(waitingCount()).toBe(1);
  forgetOutboxes("bia");
  expect([storedMessages(OWNER), waitingCount()]).toEqual([[], 0]);
});

test("what was typed is deleted with the account's sign-out, and kept for another account", () => {
  const names = ["bia", "caio"].map((account) => `coreto-message-draft:${account}:${account}:c1`);
  for (const name of names) localStorage.setItem(name, "Oi");
  beginSignOut("bia");
  endSignOut();
  expect(names.map((name) => localStorage.getItem(name))).toEqual([null, "Oi"]);
});

test("another account of the browser keeps its words while one signs out", () => {
  const caio = { account: "caio", space: "caio" };
  write();
  changeStored(caio, () => [TEXT]);
  expect([waitingCount("bia"), waitingCount("caio")]).toEqual([1, 1]);
  beginSignOut("caio");
  endSignOut();
  expect([storedMessages(OWNER), storedMessages(caio)]).toEqual([[TEXT], []]);
});
