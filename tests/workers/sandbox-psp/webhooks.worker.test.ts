import { afterEach, beforeEach, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { ProviderUnclear, WebhookRefused } from "#app/domain/payments/errors.ts";
import { testClock } from "#tests/support/clock.ts";
import { cardRequest, openSandbox, pixRequest, webhookSecret } from "./sandbox.ts";
import type { Delivery } from "./sandbox.ts";

const sandbox = openSandbox();
const { provider, received } = sandbox;

beforeEach(() => {
  received.length = 0;
  sandbox.frontAnswers.length = 0;
});

afterEach(async () => {
  await sandbox.chaos({});
});

const paidCharge = async () => {
  const charge = await provider.createPixCharge(pixRequest());
  await sandbox.act(`/sandbox/charges/${charge.id}/pay`);
  return charge;
};

const verify = ({ headers, body }: Delivery) =>
  provider.verifyWebhook({ headers, rawBody: body, at: testClock.now() });
const objectsOf = () =>
  received.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
const of = (id: string) => received.filter((_, index) => objectsOf()[index] === id);

test("a payment is announced at once with a signature that the adapter verifies", async () => {
  const charge = await paidCharge();
  const [delivery] = of(charge.id);
  if (!delivery) throw new Error("nothing was delivered");
  expect(JSON.parse(delivery.body)).toMatchObject({
    type: "charge.succeeded",
    data: { object: "charge", id: charge.id },
  });
  expect(await verify(delivery)).toEqual({
    id: delivery.headers.get("webhook-id"),
    type: "charge",
    objectId: charge.id,
  });
});

test("card outcomes, refunds and disputes are announced", async () => {
  const card = await provider.createCardCharge(
    cardRequest(await sandbox.cardToken("4242424242424242")),
  );
  await provider.refund({
    refundId: crypto.randomUUID(),
    providerChargeId: card.id,
    amountCents: 100,
  });
  const dispute: { id: string } = await (
    await sandbox.act(`/sandbox/charges/${card.id}/dispute`)
  ).json();
  await sandbox.act(`/sandbox/disputes/${dispute.id}/win`);
  const types = received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(types).toEqual(["charge.succeeded", "refund.succeeded", "dispute.opened", "dispute.won"]);
});

const signed = (body: string, sentAt: number, id = "evt_1") =>
  new Headers({
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sentAt / 1_000)),
    "webhook-signature": new Webhook(webhookSecret).sign(id, new Date(sentAt), body),
  });
const body = JSON.stringify({ type: "charge.succeeded", data: { object: "charge", id: "ch_1" } });

test("a signature is valid for 300 seconds; an older, newer, forged or truncated delivery is refused", async () => {
  const now = testClock.now();
  const accepts = (headers: Headers, rawBody = body) =>
    provider.verifyWebhook({ headers, rawBody, at: now });
  expect(await accepts(signed(body, now - 295_000))).toEqual({
    id: "evt_1",
    type: "charge",
    objectId: "ch_1",
  });
  await expect(accepts(signed(body, now - 305_000))).rejects.toBeInstanceOf(WebhookRefused);
  await expect(accepts(signed(body, now + 305_000))).rejects.toBeInstanceOf(WebhookRefused);
  await expect(accepts(signed(body, now), body.replace("ch_1", "ch_2"))).rejects.toBeInstanceOf(
    WebhookRefused,
  );
  await expect(accepts(signed(body, now), body.slice(0, -1))).rejects.toBeInstanceOf(
    WebhookRefused,
  );
  await expect(accepts(new Headers())).rejects.toBeInstanceOf(WebhookRefused);
  await expect(accepts(signed("[]", now), "[]")).rejects.toBeInstanceOf(WebhookRefused);
  const other = signed(body, now);
  other.set("webhook-id", "evt_2");
  await expect(accepts(other)).rejects.toBeInstanceOf(WebhookRefused);
});

test("a failed delivery is retried later, with the same event id", async () => {
  sandbox.frontAnswers.push(503);
  const charge = await paidCharge();
  expect(of(charge.id)).toHaveLength(1);
  await sandbox.act("/sandbox/tick");
  expect(of(charge.id)).toHaveLength(1);
  const [waiting] = await sandbox.env.PSP_DB.prepare(
    "SELECT id, next_attempt_at FROM deliveries WHERE state = 'waiting'",
  )
    .all<{ id: number; next_attempt_at: number }>()
    .then(({ results }) => results);
  expect((waiting?.next_attempt_at ?? 0) - testClock.now()).toBeGreaterThan(3_000);
  await sandbox.act(`/sandbox/deliveries/${waiting?.id}/retry`);
  expect(new Set(of(charge.id).map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  expect(of(charge.id)).toHaveLength(2);
});

/** Makes every waiting delivery due earlier, as if that time had passed. */
async function dueEarlier(ms: number): Promise<void> {
  await sandbox.env.PSP_DB.prepare("UPDATE deliveries SET next_attempt_at = next_attempt_at - ?")
    .bind(ms)
    .run();
}

test("webhook=off makes no delivery", async () => {
  const charge = await provider.createPixCharge(pixRequest());
  await sandbox.act(`/sandbox/charges/${charge.id}/pay?webhook=off`);
  expect((await provider.chargeById(charge.id)).status).toBe("succeeded");
  expect(of(charge.id)).toEqual([]);
});

test("chaos: duplicates carry one event id", async () => {
  await sandbox.chaos({ duplicate: 3 });
  const charge = await paidCharge();
  expect(of(charge.id)).toHaveLength(4);
  expect(new Set(of(charge.id).map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
});

test("chaos: the next delivery is dropped, the one after is not", async () => {
  await sandbox.chaos({ drop: 1 });
  const lost = await paidCharge();
  const kept = await paidCharge();
  expect([of(lost.id).length, of(kept.id).length]).toEqual([0, 1]);
});

test("chaos: a delay postpones a delivery", async () => {
  await sandbox.chaos({ delay_ms: 600 });
  const charge = await paidCharge();
  expect(of(charge.id)).toEqual([]);
  await dueEarlier(700);
  await sandbox.act("/sandbox/tick");
  expect(of(charge.id)).toHaveLength(1);
});

test("chaos: reordered deliveries leave newest first", async () => {
  await sandbox.chaos({ reorder: true });
  const first = await paidCharge();
  const second = await paidCharge();
  await dueEarlier(1_700);
  await sandbox.act("/sandbox/tick");
  expect(objectsOf()).toEqual([second.id, first.id]);
});

test("chaos: an old event is delivered again with a fresh signature", async () => {
  const charge = await paidCharge();
  await sandbox.chaos({ stale_replay: true });
  await sandbox.act(`/sandbox/charges/${charge.id}/dispute`);
  const [delivery] = of(charge.id);
  await sandbox.act(`/sandbox/events/${delivery?.headers.get("webhook-id")}/replay`);
  expect(of(charge.id)).toHaveLength(2);
  for (const each of of(charge.id)) expect((await verify(each)).objectId).toBe(charge.id);
});

test("chaos: failed API calls have no effect, and end", async () => {
  await sandbox.chaos({ api_errors: 1 });
  const request = pixRequest();
  await expect(provider.createPixCharge(request)).rejects.toBeInstanceOf(ProviderUnclear);
  expect(await provider.chargeByReference(request.chargeId)).toBeNull();
  await sandbox.chaos({ api_error_percent: 100 });
  await expect(provider.chargeByReference(request.chargeId)).rejects.toBeInstanceOf(
    ProviderUnclear,
  );
});
