import { describe, expect, test } from "vitest";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { stripeProvider } from "#app/integrations/stripe/provider.server.ts";
import { cardSale, payer, pixSale, testId } from "#tests/contracts/payment-provider/harness.ts";
import { testClock } from "#tests/support/clock.ts";
import { openStripe, secrets } from "./stripe.ts";

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

test("a Pix charge is one POST with the pinned version, our permanent idempotency key, and an amount in centavos", async () => {
  const request = pixSale(harness);
  const [call, ...more] = await wire(() => provider.createPixCharge(request));
  expect(more).toEqual([]);
  expect(call).toEqual({
    call: "POST /v1/payment_intents",
    query: {},
    key: `charge-${request.chargeId}`,
    version: "2026-10-28.endive",
    authorization: `Bearer sk_test_${account.name}`,
    type: "application/x-www-form-urlencoded",
    form: {
      amount: "1990",
      currency: "brl",
      confirm: "true",
      description: "Camarim, de Ana Lira",
      "metadata[coreto_charge]": request.chargeId,
      "expand[0]": "latest_charge.balance_transaction",
      "allowed_payment_method_types[0]": "pix",
      "payment_method_data[type]": "pix",
      "payment_method_data[billing_details][name]": payer.name,
      "payment_method_data[billing_details][email]": payer.email,
      "payment_method_data[billing_details][tax_id]": payer.taxId,
      "payment_method_options[pix][expires_at]": String(Math.floor(request.expiresAt / 1_000)),
    },
  });
});

test("a card of the Payment Element is its ConfirmationToken, saved for a customer of its own", async () => {
  const request = cardSale(harness, { cardToken: "ctoken_visa" });
  const [customer, intent, ...more] = await wire(() => provider.createCardCharge(request));
  expect(more).toEqual([]);
  expect(customer).toMatchObject({
    call: "POST /v1/customers",
    key: `customer-charge-${request.chargeId}`,
  });
  expect(intent).toMatchObject({
    call: "POST /v1/payment_intents",
    key: `charge-${request.chargeId}`,
    form: {
      confirmation_token: "ctoken_visa",
      setup_future_usage: "off_session",
      return_url: request.returnUrl,
      "allowed_payment_method_types[0]": "card",
    },
  });
  expect(intent?.form["customer"]).toMatch(/^cus_/);
});

test("a card that is not saved creates no customer", async () => {
  const calls = await wire(() =>
    provider.createCardCharge({
      ...cardSale(harness, { cardToken: "pm_card_visa" }),
      saveMethod: false,
    }),
  );
  expect(calls.map(({ call }) => call)).toEqual(["POST /v1/payment_intents"]);
  expect(calls[0]?.form).toMatchObject({ payment_method: "pm_card_visa" });
  expect(calls[0]?.form).not.toHaveProperty("setup_future_usage");
});

test("a renewal is off session; one that needs bank authentication waits for it and is confirmed with the same card", async () => {
  const saved = await provider.saveMethod({
    savedMethodId: testId(),
    cardToken: "pm_card_authenticationRequired",
    payer,
    returnUrl: harness.returnUrl,
  });
  await harness.answer(saved.nextActionUrl ?? "", "approve");
  const calls = await wire(async () => {
    const renewal = await provider.createCardCharge(cardSale(harness, { savedMethodId: saved.id }));
    expect(renewal).toMatchObject({ status: "requires_action", nextActionUrl: null });
    const resumed = await provider.confirmCharge({ id: renewal.id, returnUrl: harness.returnUrl });
    expect(resumed.nextActionUrl).toContain("answer?of=pi_");
    await harness.answer(resumed.nextActionUrl ?? "", "approve");
    expect((await provider.chargeById(renewal.id)).status).toBe("succeeded");
  });
  const intent = calls.find(({ call }) => call === "POST /v1/payment_intents");
  const confirmation = calls.find(({ call }) => call.endsWith("/confirm"));
  expect(intent?.form).toMatchObject({
    off_session: "true",
    customer: expect.stringMatching(/^cus_/),
    payment_method: expect.stringMatching(/^pm_/),
  });
  expect(confirmation?.form).toMatchObject({
    return_url: harness.returnUrl,
    payment_method: intent?.form["payment_method"],
  });
});

test("a payment by saved card with its owner present is on session, and the bank authenticates at once", async () => {
  const saved = await provider.saveMethod({
    savedMethodId: testId(),
    cardToken: "pm_card_authenticationRequired",
    payer,
    returnUrl: harness.returnUrl,
  });
  await harness.answer(saved.nextActionUrl ?? "", "approve");
  const calls = await wire(async () => {
    const charge = await provider.createCardCharge({
      ...cardSale(harness, { savedMethodId: saved.id }),
      isPayerThere: true,
    });
    expect(charge).toMatchObject({
      status: "requires_action",
      nextActionUrl: expect.stringContaining("answer?of=pi_"),
    });
  });
  const intent = calls.find(({ call }) => call === "POST /v1/payment_intents");
  expect(intent?.form).toMatchObject({ return_url: harness.returnUrl });
  expect(intent?.form).not.toHaveProperty("off_session");
});

describe("amount in another currency", () => {
  const foreign = (on: string) => account.break("another currency", 0, on);

  test("is refused as a charge, refund or dispute of ours and left to staff review", async () => {
    const charge = await provider.createPixCharge(pixSale(harness));
    const hosted = await provider.createCardCharge(cardSale(harness));
    await harness.pay(charge.id);
    const refund = await provider.refund({
      refundId: testId(),
      providerChargeId: charge.id,
      amountCents: 100,
    });
    const disputeId = await harness.dispute(charge.id);
    const readings: [string, () => Promise<unknown>][] = [
      [`/v1/payment_intents/${charge.id}`, () => provider.chargeById(charge.id)],
      [`/v1/checkout/sessions/${hosted.id}`, () => provider.chargeById(hosted.id)],
      [`/v1/refunds/${refund.id}`, () => provider.refundById(refund.id)],
      [`/v1/disputes/${disputeId}`, () => provider.disputeById(disputeId)],
    ];
    for (const [on, reading] of readings) {
      await foreign(on);
      await expect(reading(), on).rejects.toEqual(new ProviderRefused("foreign_currency"));
    }
  });

  test("in the response to a write is unclear: it does not tell what was created", async () => {
    const [pix, card] = [pixSale(harness), cardSale(harness)];
    await foreign("POST /v1/payment_intents");
    await expect(provider.createPixCharge(pix)).rejects.toBeInstanceOf(ProviderUnclear);
    await foreign("POST /v1/checkout/sessions");
    await expect(provider.createCardCharge(card)).rejects.toBeInstanceOf(ProviderUnclear);
    const charge = await provider.createPixCharge(pix);
    await harness.pay(charge.id);
    await foreign("POST /v1/refunds");
    await expect(
      provider.refund({ refundId: testId(), providerChargeId: charge.id, amountCents: 100 }),
    ).rejects.toBeInstanceOf(ProviderUnclear);
  });

  test("in a list is skipped, and stops no page", async () => {
    const page = { since: testClock.now() - 5_000, cursor: null };
    await provider.createPixCharge(pixSale(harness));
    for (const [on, list] of [
      ["GET /v1/payment_intents", provider.chargesSince],
      ["GET /v1/refunds", provider.refundsSince],
      ["GET /v1/disputes", provider.disputesSince],
    ] as const) {
      await foreign(on);
      expect((await list(page)).items).toEqual([]);
    }
  });
});

test("a refund, and a saved card, is one POST under its own key", async () => {
  const charge = await provider.createPixCharge(pixSale(harness));
  await harness.pay(charge.id);
  const [refundId, savedMethodId] = [testId(), testId()];
  const [refund] = await wire(() =>
    provider.refund({ refundId, providerChargeId: charge.id, amountCents: 663 }),
  );
  expect(refund).toMatchObject({
    call: "POST /v1/refunds",
    key: `refund-${refundId}`,
    form: { payment_intent: charge.id, amount: "663", "metadata[coreto_refund]": refundId },
  });
  const [customer, setup] = await wire(() =>
    provider.saveMethod({
      savedMethodId,
      cardToken: "pm_card_visa",
      payer,
      returnUrl: harness.returnUrl,
    }),
  );
  expect([customer?.key, setup?.key]).toEqual([
    `customer-method-${savedMethodId}`,
    `method-${savedMethodId}`,
  ]);
  expect(setup?.form).toMatchObject({ usage: "off_session", confirm: "true" });
});

test("a dispute response uploads each file to Stripe, then submits the evidence that names them", async () => {
  const charge = await provider.createPixCharge(pixSale(harness));
  await harness.pay(charge.id);
  const [disputeId, answerId, fileId] = [await harness.dispute(charge.id), testId(), testId()];
  const said = {
    text: "Leu tudo.",
    product: "Camarim",
    customerName: "Bruno",
    customerEmail: null,
    boughtAt: Date.UTC(2026, 10, 20),
    accessLog: "",
  };
  const bytes = async () => new TextEncoder().encode("%PDF-1.7\n%%EOF\n").buffer;
  const [file, update, ...more] = await wire(() =>
    provider.submitEvidence({
      disputeId,
      answerId,
      ...said,
      files: [
        {
          id: fileId,
          kind: "conversation",
          name: "conversa.pdf",
          contentType: "application/pdf",
          bytes,
        },
      ],
    }),
  );
  expect(more).toEqual([]);
  expect(file).toMatchObject({
    call: "POST /v1/files",
    key: `file-${fileId}`,
    type: expect.stringMatching(/^multipart\/form-data; boundary=/),
  });
  expect(update).toMatchObject({
    call: `POST /v1/disputes/${disputeId}`,
    key: `evidence-${answerId}`,
    form: {
      submit: "true",
      "evidence[uncategorized_text]": "Leu tudo.",
      "evidence[product_description]": "Camarim",
      "evidence[service_date]": "2026-11-20",
      "evidence[customer_communication]": expect.stringMatching(/^file_/),
    },
  });
  expect(update?.form).not.toHaveProperty("evidence[customer_email_address]");
  const [known, close] = await wire(() => provider.acceptDispute(disputeId));
  expect([known?.call, close?.call]).toEqual([
    `GET /v1/disputes/${disputeId}`,
    `POST /v1/disputes/${disputeId}/close`,
  ]);
});

test("reconciliation lists objects since a second, page after page, expanded", async () => {
  const since = testClock.now() - 5_000;
  for (let each = 0; each < 4; each += 1) await provider.createPixCharge(pixSale(harness));
  const [first, second] = await wire(async () => {
    const page = await provider.chargesSince({ since, cursor: null });
    await provider.chargesSince({ since, cursor: page.next });
  });
  expect(first).toMatchObject({
    call: "GET /v1/payment_intents",
    query: {
      "created[gte]": String(Math.floor(since / 1_000)),
      limit: "100",
      "expand[0]": "data.latest_charge.balance_transaction",
    },
  });
  expect(second?.query["starting_after"]).toMatch(/^pi_/);
});

test("the same key with other parameters is unclear: the first request may have succeeded", async () => {
  const request = pixSale(harness);
  await provider.createPixCharge(request);
  await expect(provider.createPixCharge({ ...request, amountCents: 5_000 })).rejects.toBeInstanceOf(
    ProviderUnclear,
  );
});

test("a refund of a disputed charge, and an unknown card, are refused with Stripe's own code", async () => {
  const charge = await provider.createPixCharge(pixSale(harness));
  await harness.pay(charge.id);
  await harness.dispute(charge.id);
  await expect(
    provider.refund({ refundId: testId(), providerChargeId: charge.id, amountCents: 1 }),
  ).rejects.toEqual(new ProviderRefused("charge_disputed"));
  await expect(
    provider.createCardCharge(cardSale(harness, { cardToken: "pm_nobody" })),
  ).rejects.toEqual(new ProviderRefused("resource_missing"));
});

test("an unreachable provider is unclear", async () => {
  const nowhere = stripeProvider({
    secretKey: "sk_test_x",
    webhookSecret: secrets.current,
    apiUrl: "http://127.0.0.1:9",
    timeoutMs: 1_000,
  });
  await expect(nowhere.balance()).rejects.toBeInstanceOf(ProviderUnclear);
});

test("each list is requested since a creation time, a hundred at once, and continues after the last item", async () => {
  const since = harness.now() - 60_000;
  for (let each = 0; each < 4; each += 1) {
    const { id } = await provider.createPixCharge(pixSale(harness));
    await harness.pay(id);
    await provider.refund({ refundId: testId(), providerChargeId: id, amountCents: 500 });
  }
  const created = { "created[gte]": String(Math.floor(since / 1_000)), limit: "100" };
  for (const [list, path] of [
    [provider.chargesSince, "payment_intents"],
    [provider.refundsSince, "refunds"],
  ] as const) {
    let next: string | null = null;
    const [first] = await wire(async () => ({ next } = await list({ since, cursor: null })));
    expect(first).toMatchObject({ call: `GET /v1/${path}`, query: created });
    const [second] = await wire(() => list({ since, cursor: next }));
    expect(second?.query).toMatchObject({ ...created, starting_after: next });
  }
  const [disputes] = await wire(() => provider.disputesSince({ since, cursor: null }));
  expect(disputes).toMatchObject({ call: "GET /v1/disputes", query: created });
});

test("a 409 leaves the outcome unclear", async () => {
  await account.break("409", 0, "^GET /v1/balance");
  await expect(provider.balance()).rejects.toBeInstanceOf(ProviderUnclear);
});
