import { afterEach, expect, test } from "vitest";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS, HOUR_MS, instantOf } from "#app/domain/time.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { productNow } from "#workers/sandbox-psp/clock.ts";
import { pendingWorkCount } from "#workers/sandbox-psp/product.ts";
import { advanced } from "#workers/sandbox-psp/time-travel.ts";
import type { ClockAnswer } from "#workers/sandbox-psp/time-travel.ts";
import { cardRequest, openSandbox, pixRequest } from "./sandbox.ts";

const runs: { job: string; at: number }[] = [];
const job = (name: string) => ({
  run: async () => runs.push({ job: name, at: await productNow(sandbox.env.PSP_DB) }),
});
const sandbox = openSandbox({
  RENEWALS_JOBS: job("renewals"),
  PAYOUTS_JOBS: job("payouts"),
  FEES_JOBS: job("fees"),
  NOTIFICATIONS_JOBS: job("notifications"),
});

afterEach(async () => {
  await sandbox.act("/sandbox/clock", { reset: true });
  runs.length = 0;
});

const move = async (body: unknown): Promise<ClockAnswer> =>
  (await sandbox.act("/sandbox/clock", body)).json();

test("a Pix expires when the clock passes its expiry, and every cron runs once per stop in order", async () => {
  const charge = await sandbox.provider.createPixCharge(pixRequest());
  const before = testClock.now();
  const answer = await move({ advance: "PT2H" });
  expect(answer.now_ms - before).toBeGreaterThanOrEqual(2 * HOUR_MS);
  expect((await sandbox.provider.chargeById(charge.id)).status).toBe("expired");
  expect(runs.map(({ job: name }) => name)).toEqual(
    Array.from({ length: answer.stops }, () => [
      "renewals",
      "payouts",
      "fees",
      "notifications",
    ]).flat(),
  );
  const firstStop = runs[0]?.at ?? 0;
  expect(firstStop - (charge.expiresAt ?? 0)).toBeLessThan(65_000);
});

test("a payment page refuses a card when its charge has expired", async () => {
  const hosted = await sandbox.provider.createCardCharge(cardRequest(null));
  await move({ to: new Date((hosted.expiresAt ?? 0) + 1_000).toISOString(), run: false });
  const body = new URLSearchParams({
    number: "4242424242424242",
    expiry: "12/40",
    cvv: "123",
    holder: "Bruno",
  });
  expect(
    await (await sandbox.call(`/pay/${hosted.id}`, { method: "POST", body })).text(),
  ).toContain("não espera mais");
  expect((await sandbox.provider.chargeById(hosted.id)).status).toBe("expired");
});

test("a Pix is refundable for ninety days and a card for longer; a repeated earlier refund is still answered", async () => {
  const { provider } = sandbox;
  const [pix, card] = [
    await provider.createPixCharge(pixRequest()),
    await provider.createCardCharge(cardRequest(await sandbox.cardToken("4242424242424242"))),
  ];
  await sandbox.act(`/sandbox/charges/${pix.id}/pay`);
  const paidAt = testClock.now();
  const part = { refundId: `part-${pix.id}`, providerChargeId: pix.id, amountCents: 100 };
  await move({ to: new Date(paidAt + 90 * DAY_MS - HOUR_MS).toISOString(), run: false });
  const given = await provider.refund(part);
  await move({ to: new Date(paidAt + 90 * DAY_MS + HOUR_MS).toISOString(), run: false });
  await expect(provider.refund({ ...part, refundId: `late-${pix.id}` })).rejects.toEqual(
    new ProviderRefused("refund_too_late"),
  );
  expect(await provider.refund(part)).toEqual(given);
  expect(
    await provider.refund({
      refundId: `card-${card.id}`,
      providerChargeId: card.id,
      amountCents: 100,
    }),
  ).toMatchObject({ status: "succeeded" });
});

test("midnights in São Paulo are stops", async () => {
  const answer = await move({ advance: "P3D" });
  expect(answer.stops).toBeGreaterThanOrEqual(3);
  const stops = [...new Set(runs.map(({ at }) => Math.round(at / 10_000)))];
  expect(stops.length).toBeGreaterThanOrEqual(3);
  expect(answer.offset_ms).toBeGreaterThan(3 * DAY_MS - HOUR_MS);
});

test("the clock can be read, set without running the crons, and reset", async () => {
  const set = await move({ to: "2026-07-21T12:00:00Z", run: false });
  expect(set.stops).toBe(0);
  expect(runs).toEqual([]);
  const asked: ClockAnswer = await (await sandbox.call("/sandbox/clock")).json();
  expect(Math.abs(asked.now_ms - Date.parse("2026-07-21T12:00:00Z"))).toBeLessThan(5_000);
  expect(Math.abs((await move({ reset: true })).offset_ms)).toBeLessThan(1_000);
});

test("the clock refuses to go back and refuses an invalid duration", async () => {
  expect((await sandbox.act("/sandbox/clock", { to: "2020-01-01T00:00:00Z" })).status).toBe(422);
  expect((await sandbox.act("/sandbox/clock", { advance: "30 days" })).status).toBe(422);
  expect((await sandbox.act("/sandbox/clock", {})).status).toBe(400);
});

test("a subscription whose renewal is due counts as pending work until it is advanced", async () => {
  const world = await testContext();
  const { purchaseId } = await paidSubscription(
    world,
    await createPerson(world.ctx, "Bruno"),
    await createSeller(world.ctx),
  );
  const { currentPeriodEndsAt } =
    (await subscriptionRow(world.ctx, { subscriptionId: purchaseId })) ?? {};
  await world.advance((currentPeriodEndsAt ?? 0) - 3 * DAY_MS + HOUR_MS - world.ctx.now());
  const before = await pendingWorkCount(testEnv.DB, world.ctx.now());
  await advanceSubscription(world.ctx, { subscriptionId: purchaseId });
  expect([before > 0, await pendingWorkCount(testEnv.DB, world.ctx.now())]).toEqual([
    true,
    before - 1,
  ]);
});

test("durations follow the calendar months", () => {
  const at = instantOf({ year: 2026, month: 1, day: 31 }, 10 * HOUR_MS);
  expect(advanced(at, "P1M")).toBe(instantOf({ year: 2026, month: 2, day: 28 }, 10 * HOUR_MS));
  expect(advanced(at, "P1W2DT3H")).toBe(instantOf({ year: 2026, month: 2, day: 9 }, 13 * HOUR_MS));
  for (const wrong of ["", "P", "PT", "P1", "1D", "P1DT", "P-1D"])
    expect(advanced(at, wrong)).toBeNull();
});

test("due items of the product are stops, and the console shows its emails", async () => {
  const product = testEnv.DB;
  const withProduct = openSandbox({
    PRODUCT_DB: product,
    NOTIFICATIONS_JOBS: job("notifications"),
  });
  const releaseAt = testClock.now() + 5 * HOUR_MS;
  await product
    .prepare(
      "INSERT INTO charge_releases (id, charge_id, creator_id, position, net_cents, release_at) VALUES (?1, ?1, 'c', 0, 1890, ?2)",
    )
    .bind(crypto.randomUUID(), releaseAt)
    .run();
  const leavesAt = testClock.now() + 4 * HOUR_MS;
  await product
    .prepare(
      "INSERT INTO payouts (id, creator_id, amount_cents, status, pix_key_kind, pix_key, provider, requested_at, waits_for, waits_until) VALUES (?1, ?1, 0, 'requested', 'bank_account', '237 1425 238069-2 checking', 'sandbox', 1, 'business_day', ?2)",
    )
    .bind(crypto.randomUUID(), leavesAt)
    .run();
  await product
    .prepare(
      "INSERT INTO local_mails (id, source_key, recipient, subject, body, created_at) VALUES (?1, ?1, 'b@coreto.test', 'Oi <b>', 'Corpo', 1)",
    )
    .bind(crypto.randomUUID())
    .run();
  await (await withProduct.act("/sandbox/clock", { advance: "PT6H" })).json();
  for (const dueAt of [releaseAt, leavesAt])
    expect(runs.some(({ at }) => at >= dueAt && at < dueAt + 65_000)).toBe(true);
  const page = await (
    await withProduct.call("/sandbox", { headers: { accept: "text/html" } })
  ).text();
  expect(page).toContain("Oi &lt;b&gt;");
  expect(page).toContain("POST /sandbox/charges/:id/pay");
});
