import { expect, test } from "vitest";
import { WebhookRefused } from "#app/domain/payments/errors.ts";
import { testClock } from "#tests/support/clock.ts";
import { delivery, openStripe, secrets } from "./stripe.ts";

const { provider } = openStripe();

test.each([299, 0, -290])("a webhook event signed %i seconds ago is accepted", async (seconds) => {
  const sent = await delivery(
    "payment_intent.succeeded",
    { id: "pi_1", object: "payment_intent" },
    secrets.current,
    testClock.now() - seconds * 1_000,
  );
  expect(await provider.verifyWebhook({ ...sent, at: testClock.now() })).toMatchObject({
    type: "charge",
    objectId: "pi_1",
  });
});

test("a webhook event signed 302 seconds ago, or with a changed body, is refused", async () => {
  const old = await delivery(
    "payment_intent.succeeded",
    { id: "pi_1", object: "payment_intent" },
    secrets.current,
    testClock.now() - 302_000,
  );
  await expect(provider.verifyWebhook({ ...old, at: testClock.now() })).rejects.toBeInstanceOf(
    WebhookRefused,
  );
  const sent = await delivery(
    "payment_intent.succeeded",
    { id: "pi_1", object: "payment_intent" },
    secrets.current,
  );
  await expect(
    provider.verifyWebhook({
      ...sent,
      rawBody: sent.rawBody.replace("pi_1", "pi_2"),
      at: testClock.now(),
    }),
  ).rejects.toBeInstanceOf(WebhookRefused);
});

test.each([
  ["payment_intent.payment_failed", { id: "pi_1", object: "payment_intent" }, "charge", "pi_1"],
  [
    "checkout.session.completed",
    { id: "cs_1", object: "checkout.session", payment_intent: "pi_1" },
    "charge",
    "pi_1",
  ],
  [
    "checkout.session.expired",
    { id: "cs_1", object: "checkout.session", payment_intent: null },
    "charge",
    "cs_1",
  ],
  ["charge.refunded", { id: "ch_1", object: "charge", payment_intent: "pi_1" }, "charge", "pi_1"],
  ["refund.updated", { id: "re_1", object: "refund" }, "refund", "re_1"],
  [
    "charge.dispute.created",
    { id: "du_1", object: "dispute", payment_intent: "pi_1" },
    "dispute",
    "du_1",
  ],
  ["customer.created", { id: "cus_1", object: "customer" }, "other", "customer.created cus_1"],
])("%s is about a %s", async (type, object, ours, objectId) => {
  const sent = await delivery(type, object, secrets.current);
  expect(await provider.verifyWebhook({ ...sent, at: testClock.now() })).toMatchObject({
    type: ours,
    objectId,
  });
});
