import { expect, test, vi } from "vitest";
import type { Log } from "#app/domain/context.ts";
import { verifiedTopic, liveUpdates } from "#app/integrations/live/live-updates.server.ts";
import { listen } from "#workers/live/listen.ts";

const env = {
  AUTH_SECRET: "um segredo de teste com mais de trinta e dois",
  APP_ORIGIN: "https://coreto.test",
};
const NOW = 1_800_000_000_000;
const news = liveUpdates(env, () => {});
const given = async (topic: string, until = NOW + 1) =>
  new URL(await news.address(topic, until), env.APP_ORIGIN);

test("a signed address opens its topic until it expires", async () => {
  const address = await given("charge:01a2");
  expect(await verifiedTopic(env, address, NOW)).toBe("charge:01a2");
  expect(await verifiedTopic(env, address, NOW + 1)).toBeNull();
});

test.each<[string, (url: URL) => void]>([
  ["another topic", (url) => (url.pathname = "/live/charge%3A01a3")],
  ["a longer life", (url) => url.searchParams.set("until", String(NOW + 2))],
  ["no ticket", (url) => url.searchParams.delete("ticket")],
  ["a forged ticket", (url) => url.searchParams.set("ticket", "A".repeat(43))],
  ["no time", (url) => url.searchParams.delete("until")],
  ["a path below", (url) => (url.pathname += "/x")],
])("an address with %s is refused", async (_, change) => {
  const address = await given("charge:01a2");
  change(address);
  expect(await verifiedTopic(env, address, NOW)).toBeNull();
});

test("an address signed with another secret is refused", async () => {
  expect(
    await verifiedTopic(
      { AUTH_SECRET: "outro segredo de teste, comprido também" },
      await given("charge:01a2"),
      NOW,
    ),
  ).toBeNull();
});

test("a live update that cannot be sent is logged and stops no caller", async () => {
  const log = vi.fn<Log>();
  const overloaded = () => Promise.reject(new Error("overloaded"));
  const LIVE = {
    idFromName: () => ({}) as DurableObjectId,
    get: () => ({
      fetch: async () => new Response(),
      notify: overloaded,
      sendTyping: overloaded,
      isListening: overloaded,
    }),
  };
  const live = liveUpdates({ ...env, LIVE }, log);
  await live.changed("charge:01a2");
  await live.typing("inbox:01a2", "01a3");
  expect(await live.isListening("inbox:01a2")).toBe(false);
  expect(log.mock.calls).toEqual(Array(3).fill(["live.news_lost", { error: "overloaded" }]));
});

test("a request that may not listen is refused with the matching status", async () => {
  const knocking = async (url: URL, headers: Record<string, string>) =>
    (await listen(new Request(url, { headers }), env, NOW)).status;
  const address = await given("charge:01a2");
  expect(await knocking(address, {})).toBe(426);
  expect(await knocking(address, { Upgrade: "websocket", Origin: "https://evil.test" })).toBe(403);
  expect(await knocking(address, { Upgrade: "websocket" })).toBe(403);
  expect(
    await knocking(await given("charge:01a2", NOW), {
      Upgrade: "websocket",
      Origin: env.APP_ORIGIN,
    }),
  ).toBe(403);
  expect(await knocking(address, { Upgrade: "websocket", Origin: env.APP_ORIGIN })).toBe(503);
});
