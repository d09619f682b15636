import { describe, expect, test } from "vitest";
import { DAY_MS } from "#app/domain/time.ts";
import { cardSale } from "#tests/contracts/payment-provider/harness.ts";
import { openStripe } from "./stripe.ts";

const { account, provider, harness } = openStripe();

/** Records the requests of `act`: method, path, the relevant headers and the form. */
async function wire(act: () => Promise<unknown>) {
  const before = (await account.received()).length;
  await act();
  return (await account.received()).slice(before).map(({ method, path, headers, body }) => ({
    call: `${method} ${path.split("?")[0]}`,
    query: Object.fromEntries(new URLSearchParams(path.split("?")[1] ?? "")),
    key: headers["idempotency-key"] ?? null,
    version: headers["stripe-version"],
    authorization: headers["authorization"],
    type: headers["content-type"] ?? null,
    form: Object.fromEntries(new URLSearchParams(body)),
  }));
}

test("a card typed on Stripe's page is a Checkout Session in Portuguese, whose payment has our id", async () => {
  const request = cardSale(harness);
  const [call] = await wire(() => provider.createCardCharge(request));
  expect(call).toMatchObject({
    call: "POST /v1/checkout/sessions",
    key: `charge-${request.chargeId}`,
    form: {
      mode: "payment",
      locale: "pt-BR",
      "line_items[0][price_data][unit_amount]": "1990",
      "line_items[0][price_data][currency]": "brl",
      "payment_intent_data[metadata][coreto_charge]": request.chargeId,
      client_reference_id: request.chargeId,
      // Stripe requires an end at least thirty minutes from now.
      expires_at: String(Math.ceil((request.expiresAt + 15 * 60_000) / 1_000)),
      success_url: request.returnUrl,
    },
  });
});

test("Stripe's page ends later than the charge, whose own end applies: no seat is held for a day", async () => {
  const hosted = await provider.createCardCharge(cardSale(harness));
  expect(hosted).toMatchObject({ status: "requires_action", expiresAt: null });
  expect(await provider.chargeById(hosted.id)).toMatchObject({
    status: "requires_action",
    expiresAt: null,
  });
  expect((await provider.cancelCharge(hosted.id)).status).toBe("expired");
});

describe("charge that lives longer than the one day of Stripe's page", () => {
  const days = (count: number) => ({
    ...cardSale(harness),
    expiresAt: harness.now() + count * DAY_MS,
  });

  test("has a page without an end of its own, which Stripe sets", async () => {
    const [call] = await wire(() => provider.createCardCharge(days(7)));
    expect(call?.form).not.toHaveProperty("expires_at");
  });

  test("still waits for its payer when the page expires, and each returning payer gets the same new page", async () => {
    const request = days(7);
    const hosted = await provider.createCardCharge(request);
    await account.act("runOut", { id: hosted.id });
    expect(await provider.chargeById(hosted.id)).toMatchObject({
      id: hosted.id,
      reference: request.chargeId,
      status: "requires_action",
      nextActionUrl: null,
      amountCents: 1_990,
    });
    const again = { id: hosted.id, returnUrl: request.returnUrl };
    const [call, ...more] = (
      await wire(
        async () =>
          void (await Promise.all([provider.confirmCharge(again), provider.confirmCharge(again)])),
      )
    ).filter(({ call: made }) => made.startsWith("POST"));
    expect(call).toEqual(more[0]);
    expect(call).toMatchObject({
      key: `charge-${request.chargeId}-after-${hosted.id}`,
      form: {
        "line_items[0][price_data][unit_amount]": "1990",
        "line_items[0][price_data][product_data][name]": request.description,
        "payment_intent_data[metadata][coreto_charge]": request.chargeId,
        "payment_intent_data[setup_future_usage]": "off_session",
        customer_creation: "always",
        success_url: request.returnUrl,
      },
    });
    const reopened = await provider.confirmCharge(again);
    expect(reopened).toMatchObject({
      reference: request.chargeId,
      status: "requires_action",
      nextActionUrl: expect.stringContaining(reopened.id),
      amountCents: 1_990,
    });
    expect(reopened.id).not.toBe(hosted.id);
    await account.act("tryCard", { id: reopened.id, card: "pm_card_visa" });
    expect(await provider.chargeById(reopened.id)).toMatchObject({
      status: "succeeded",
      reference: request.chargeId,
      savedMethodId: expect.stringMatching(/^cus_/),
    });
  });

  test("is over when it is canceled, with its page open or expired", async () => {
    const [open, over] = [
      await provider.createCardCharge(days(7)),
      await provider.createCardCharge(days(7)),
    ];
    await account.act("runOut", { id: over.id });
    for (const { id } of [open, over])
      expect(await provider.cancelCharge(id)).toMatchObject({
        id,
        status: "expired",
        nextActionUrl: null,
      });
    expect(await provider.chargeById(open.id)).toMatchObject({ status: "expired" });
  });

  test("is over at its own end", async () => {
    const hosted = await provider.createCardCharge(days(-1));
    await account.act("runOut", { id: hosted.id });
    expect(await provider.chargeById(hosted.id)).toMatchObject({ status: "expired" });
  });
});
