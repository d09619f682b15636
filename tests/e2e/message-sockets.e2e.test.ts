import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPageAs } from "#tests/support/steps.ts";

/** As many sockets as an inbox takes (`workers/live/topic.ts`). */
const SOCKETS_MAX = 20;

const said = (page: Page, text: string) =>
  page
    .getByRole("region", { name: /^Conversa com/ })
    .getByRole("listitem")
    .filter({ hasText: text });

/** Tries to open sockets at an address. Returns how many heard something. */
const openSockets = async (page: Page, at: string, count: number) =>
  await page.evaluate(
    async ([address, many]) => {
      const open = () =>
        new Promise<boolean>((resolve) => {
          const socket = new WebSocket(address);
          socket.addEventListener("message", () => resolve(true), { once: true });
          socket.addEventListener("error", () => resolve(false), { once: true });
        });
      return (await Promise.all(Array.from({ length: many }, open))).filter(Boolean).length;
    },
    [at, count] as const,
  );

test("a page beyond the twentieth of a person is refused its socket, and shows what arrives all the same", async () => {
  const { origin } = sharedServer();
  const creator = await signUpSeller(origin);
  const fan = await signUpMember(origin, "Bento Reis");
  const started = await fan.postAndFollow(`/messages/new/${creator.username}`, {
    text: "Oi",
    clientMessageId: crypto.randomUUID().replaceAll("-", ""),
  });
  const path = started.replace(/#.*/, "");
  await creator.postAndFollow(`${path}/act`, { act: "accept" });

  const first = await openPageAs(fan, "/messages");
  const opened = first.waitForEvent("websocket");
  await first.goto(path);
  const socket = await opened;
  expect(await openSockets(first, socket.url(), SOCKETS_MAX - 1)).toBe(SOCKETS_MAX - 1);
  expect(await openSockets(first, socket.url(), 1)).toBe(0);

  const late = await openPageAs(fan, "/messages");
  const refused = late.waitForEvent("websocket");
  await late.goto(path);
  const closed = await refused;
  await expect.poll(() => closed.isClosed()).toBe(true);
  await creator.post(path, {
    text: "Chegou?",
    clientMessageId: crypto.randomUUID().replaceAll("-", ""),
  });
  await said(first, "Chegou?").waitFor();
  // It asks every 15 s.
  await said(late, "Chegou?").waitFor();
});
