import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetOutboxes } from "#app/components/messages/outbox/forget-outboxes.ts";
import { sendAll } from "#app/components/messages/outbox/outbox-sending.ts";
import { changeStored, storedMessages } from "#app/components/messages/outbox/outbox-storage.ts";

const OWNER = { account: "bia", space: "bia" };
const NOW = 1_800_000_000_000;
const WAIT_MS = 15_000;

/** The texts that the server stored, and what it answers to a text otherwise. */
let stored: string[] = [];
const answers = new Map<string, number>();

let now = NOW;

beforeEach(() => {
  now = NOW;
  vi.useFakeTimers({ now, toFake: ["Date"] });
  // Without a storage the outbox is held in memory.
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    const { text } = JSON.parse(body) as { text: string };
    const status = answers.get(text) ?? 200;
    if (status === 200) stored.push(`${path} ${text}`);
    return Response.json(status === 200 ? { seq: 1 } : { error: "Não pode." }, { status });
  });
});
afterEach(() => {
  forgetOutboxes("bia");
  stored = [];
  answers.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const write = (...texts: string[]) =>
  changeStored(OWNER, (before) => [
    ...before,
    ...texts.map((text) => ({
      conversationId: "c1",
      clientMessageId: `key-of-${text}`,
      text,
      replyTo: null,
      problem: null,
    })),
  ]);
const nothing = { onChange: () => {}, onProgress: () => {}, onSent: () => {} };
const flush = () => sendAll(OWNER, (id) => `/${id}`, nothing);
const later = async () => {
  now += WAIT_MS;
  vi.setSystemTime(now);
  return await flush();
};
const left = () => storedMessages(OWNER).map(({ text, problem }) => [text, problem]);

test("what the server fails at five times is passed over, and the ones after it go in their order", async () => {
  write("um", "dois", "três", "quatro");
  answers.set("dois", 500);
  expect(await flush()).toEqual({ problem: null });
  for (let tries = 2; tries < 5; tries += 1) expect(await later()).toEqual({ problem: null });
  expect(stored).toEqual(["/c1 um"]);
  expect(await later()).toBeNull();
  expect(stored).toEqual(["/c1 um", "/c1 três", "/c1 quatro"]);
  expect(left()).toEqual([["dois", "não enviada"]]);
});

test("many calls at once are one try, so that several tabs do not use the tries up", async () => {
  write("um");
  answers.set("um", 503);
  for (let calls = 0; calls < 20; calls += 1) expect(await flush()).toEqual({ problem: null });
  expect(left()).toEqual([["um", null]]);
  answers.clear();
  expect(await later()).toBeNull();
  expect(stored).toEqual(["/c1 um"]);
});

test("a clock that is set back holds nothing back", async () => {
  write("um");
  answers.set("um", 500);
  await flush();
  answers.clear();
  vi.setSystemTime(NOW - 86_400_000);
  expect(await flush()).toBeNull();
  expect(stored).toEqual(["/c1 um"]);
});

test("without a connection everything waits, and nothing counts as a failure", async () => {
  write("um", "dois");
  vi.stubGlobal("fetch", async () => await Promise.reject(new TypeError("offline")));
  for (let tries = 0; tries < 9; tries += 1) expect(await later()).toMatchObject({ problem: null });
  expect(left()).toEqual([
    ["um", null],
    ["dois", null],
  ]);
});

test.each([
  [
    "an ended session",
    () => Response.json({ error: "Entre de novo." }, { status: 401 }),
    "Entre de novo.",
  ],
  [
    "a page of the sign-in",
    () => Object.defineProperty(new Response("<html>"), "redirected", { value: true }),
    "A sua sessão acabou. Entre de novo para enviar.",
  ],
])(
  "%s stops everything, counts as no failure, and what waits goes later in its order",
  async (_, answer, problem) => {
    write("um", "dois");
    const stubbed = globalThis.fetch;
    vi.stubGlobal("fetch", async () => answer());
    for (let tries = 0; tries < 9; tries += 1)
      expect(await later()).toMatchObject({ problem, isSignedOut: true });
    vi.stubGlobal("fetch", stubbed);
    expect(await flush()).toBeNull();
    expect(stored).toEqual(["/c1 um", "/c1 dois"]);
  },
);

test("a limit stops everything with its sentence, and a refusal only its own message", async () => {
  write("um", "dois");
  answers.set("um", 429);
  expect(await flush()).toMatchObject({ problem: "Não pode." });
  expect(stored).toEqual([]);
  answers.set("um", 403);
  expect(await flush()).toBeNull();
  expect(stored).toEqual(["/c1 dois"]);
  expect(left()).toEqual([["um", "Não pode."]]);
});
