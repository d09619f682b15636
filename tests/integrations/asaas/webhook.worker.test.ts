import { expect, test } from "vitest";
import { WebhookRefused } from "#app/domain/payments/errors.ts";
import { testClock } from "#tests/support/clock.ts";
import { delivery, openAsaas, tokens } from "./asaas.ts";

const { provider } = openAsaas();

test.each([
  ["PAYMENT_RECEIVED", { payment: { id: "pay_1" } }, "charge", "pay_1"],
  ["PAYMENT_REFUNDED", { payment: { id: "pay_1" } }, "charge", "pay_1"],
  ["PAYMENT_CHARGEBACK_REQUESTED", { payment: { id: "pay_1" } }, "dispute", "pay_1"],
  ["PAYMENT_AWAITING_CHARGEBACK_REVERSAL", { payment: { id: "pay_1" } }, "dispute", "pay_1"],
  ["TRANSFER_FAILED", { transfer: { id: "tra_1" } }, "transfer", "tra_1"],
  [
    "PIX_AUTOMATIC_RECURRING_AUTHORIZATION_CANCELLED",
    { authorization: { id: "aut_1" } },
    "recurring_pix",
    "aut_1",
  ],
  [
    "PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_REFUSED",
    { paymentInstruction: { id: "ins_1" } },
    "instruction",
    "ins_1",
  ],
  ["INVOICE_CREATED", { invoice: { id: "inv_1" } }, "other", "INVOICE_CREATED"],
])("%s is about a %s", async (event, more, type, objectId) => {
  expect(
    await provider.verifyWebhook({
      ...delivery({ id: "evt_1&1", event, ...more }, tokens.current),
      at: testClock.now(),
    }),
  ).toEqual({ id: "evt_1&1", type, objectId });
});

test("a webhook with a valid token and an unreadable body is accepted once, for staff review", async () => {
  const sent = {
    headers: new Headers({ "asaas-access-token": tokens.current }),
    rawBody: "{broken",
  };
  const [first, again] = [
    await provider.verifyWebhook({ ...sent, at: testClock.now() }),
    await provider.verifyWebhook({ ...sent, at: testClock.now() }),
  ];
  expect(first).toMatchObject({
    type: "other",
    objectId: "unreadable",
    id: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(again).toEqual(first);
});

test.each([
  "",
  tokens.current.slice(1),
  `${tokens.current} `.repeat(2),
  `${tokens.current} ${tokens.previous}`,
])("the webhook token %j is rejected", async (token) => {
  await expect(
    provider.verifyWebhook({
      ...delivery({ event: "PAYMENT_RECEIVED", payment: { id: "pay_1" } }, token),
      at: testClock.now(),
    }),
  ).rejects.toBeInstanceOf(WebhookRefused);
});
