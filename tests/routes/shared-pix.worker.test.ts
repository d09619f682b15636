import { beforeEach, expect, test } from "vitest";
import { sharedPix, sharedPixToken } from "#app/domain/payments/shared-pix/queries.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { withCacheControl } from "#app/http/headers/cache.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as sharedPage from "#app/routes/checkout/shared-pix.tsx";
import * as statusPage from "#app/routes/resources/shared-pix-status.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import type { PendingCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const ask = createRouteCaller([
  { path: "pix/:token", module: sharedPage },
  { path: "pix/:token/status", module: statusPage },
]);
const get = (path: string) => ask(new Request(TEST_ORIGIN + path));
const payerDoors = callRoutesAs([{ path: "checkout/:chargeId", module: chargePage }]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
let waiting: PendingCheckout;
let token: string;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno Reis");
  waiting = await pixCheckout(world, bruno, ana);
  token = await sharedPixToken(world.ctx, waiting);
});

type Shown = { pix: { code: string } | null; state: string; shareUrl?: string };

test("the payer of a Pix code gets a link where anybody can pay it", async () => {
  const shown = await (
    await payerDoors.get({ person: bruno }, `/checkout/${waiting.chargeId}`)
  ).json<{ pix: { shareUrl: string } }>();
  expect(shown.pix.shareUrl).toBe(`${TEST_ORIGIN}/pix/${token}`);
});

test("the shared Pix page shows code, first name and purpose without a session, and no other personal data", async () => {
  const answer = await get(`/pix/${token}`);
  expect(answer.status).toBe(200);
  const shown = await answer.json<Shown>();
  expect(Object.keys(shown).toSorted()).toEqual([
    "amountCents",
    "creatorAvatarUrl",
    "creatorName",
    "creatorUsername",
    "description",
    "listenAt",
    "payerFirstName",
    "pix",
    "state",
  ]);
  expect(shown).toMatchObject({
    state: "waiting",
    payerFirstName: "Bruno",
    creatorName: ana.name,
    amountCents: 1_990,
    pix: { code: expect.stringMatching(/^000201/) },
  });
  const text = JSON.stringify(shown);
  expect(
    [bruno.username, bruno.email, bruno.id, "Reis", ana.email].filter((secret) =>
      text.includes(secret),
    ),
  ).toEqual([]);
});

test("the shared Pix page is not indexed or cached, and sends no referrer", async () => {
  for (const path of [`/pix/${token}`, `/pix/${token}/status`]) {
    const answer = withCacheControl(await get(path), new Request(TEST_ORIGIN + path));
    expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
    expect(answer.headers.get("X-Robots-Tag")).toMatch(/noindex/);
    expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
  }
});

test("a forged shared Pix link answers 404", async () => {
  const other = await pixCheckout(world, await createPerson(world.ctx, "Clara"), ana);
  const signature = token.slice(32);
  const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
  const forged = [
    waiting.chargeId,
    waiting.chargeId + flipped,
    other.chargeId + signature,
    `${waiting.chargeId}${"A".repeat(43)}`,
    "",
    "x".repeat(75),
    token.toUpperCase(),
  ];
  for (const one of forged) {
    expect((await get(`/pix/${encodeURIComponent(one) || "%20"}`)).status).toBe(404);
    expect((await get(`/pix/${encodeURIComponent(one) || "%20"}/status`)).status).toBe(404);
  }
});

test("the shared Pix page shows that it was paid, and no code any more", async () => {
  expect(await (await get(`/pix/${token}/status`)).json()).toEqual({ status: "waiting" });
  await payAtBank(world, waiting);
  await world.drain();
  expect(await (await get(`/pix/${token}/status`)).json()).toEqual({ status: "paid" });
  expect(await (await get(`/pix/${token}`)).json<Shown>()).toMatchObject({
    state: "paid",
    pix: null,
    listenAt: null,
  });
});

test("a shared Pix link ends with its code, and answers 404 a day later", async () => {
  await world.advance(HOUR_MS);
  expect(await sharedPix(world.ctx, { token })).toMatchObject({ state: "over", pixCode: null });
  await world.advance(DAY_MS);
  expect(await sharedPix(world.ctx, { token })).toBeNull();
});
