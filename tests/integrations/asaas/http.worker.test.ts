import { expect, test } from "vitest";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { isoDay } from "#app/domain/time.ts";
import { asaasProvider } from "#app/integrations/asaas/provider.server.ts";
import {
  consentRequest,
  debitSale,
  payer,
  pixSale,
  testId,
} from "#tests/contracts/payment-provider/harness.ts";
import { testClock } from "#tests/support/clock.ts";
import { openAsaas, tokens } from "./asaas.ts";

const { account, provider, harness } = openAsaas();

async function wire(act: () => Promise<unknown>) {
  const before = (await account.received()).length;
  await act();
  return (await account.received()).slice(before).map(({ method, path, headers, body }) => ({
    call: `${method} ${path.split("?")[0]}`,
    query: Object.fromEntries(new URLSearchParams(path.split("?")[1] ?? "")),
    key: headers["access_token"],
    agent: headers["user-agent"],
    body: body === "" ? null : (JSON.parse(body) as unknown),
  }));
}

/**
 * Sends the same request `count` times at once. One call creates the object. Every other call
 * either finds it, or is told that the outcome is unclear. Which of the two depends on how the
 * calls interleave.
 */
async function concurrently(count: number, send: () => Promise<{ id: string }>) {
  const results = await Promise.allSettled(Array.from({ length: count }, send));
  const ids = results.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []));
  expect(new Set(ids).size).toBe(1);
  for (const one of results)
    if (one.status === "rejected") expect(one.reason).toBeInstanceOf(ProviderUnclear);
}

test("creating a Pix charge first looks up the charge and its payer, sends reais, and then requests the code", async () => {
  const request = pixSale(harness, 1_999);
  const someone = { ...request, payerTaxId: "11144477735" };
  const calls = await wire(() => provider.createPixCharge(someone));
  expect(calls.map(({ call }) => call)).toEqual([
    "GET /v3/payments",
    "GET /v3/customers",
    "POST /v3/customers",
    "POST /v3/payments",
    expect.stringMatching(/^GET \/v3\/payments\/pay_\w+\/pixQrCode$/),
  ]);
  expect(calls.map(({ key, agent }) => [key, agent])).toEqual(
    calls.map(() => [account.name, "Coreto"]),
  );
  const [lookup, who, made, payment] = calls;
  expect(lookup?.query).toEqual({ externalReference: request.chargeId, limit: "1", offset: "0" });
  expect(who?.query).toEqual({ cpfCnpj: "11144477735", limit: "1", offset: "0" });
  expect(made?.body).toEqual({
    name: payer.name,
    cpfCnpj: "11144477735",
    email: payer.email,
    notificationDisabled: true,
  });
  expect(payment?.body).toEqual({
    customer: expect.stringMatching(/^cus_/),
    billingType: "PIX",
    value: 19.99,
    dueDate: isoDay(request.expiresAt),
    description: "Camarim, de Ana Lira",
    externalReference: request.chargeId,
  });
});

test("a known payer is not created twice", async () => {
  await provider.createPixCharge(pixSale(harness));
  const calls = await wire(() => provider.createPixCharge(pixSale(harness)));
  expect(calls.map(({ call }) => call)).not.toContain("POST /v3/customers");
});

test("without a CPF or CNPJ nothing is created at Asaas", async () => {
  const calls = await wire(() =>
    expect(provider.createPixCharge({ ...pixSale(harness), payerTaxId: null })).rejects.toEqual(
      new ProviderRefused("payer_tax_id_required"),
    ),
  );
  expect(calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
});

test("one code authorizes a Pix mandate and pays its first charge; we instruct its debits, under our contract id", async () => {
  const request = consentRequest(harness);
  const calls = await wire(() => provider.createRecurringPix(request));
  const made = calls.find(({ call }) => call === "POST /v3/pix/automatic/authorizations");
  expect(made?.body).toMatchObject({
    contractId: request.recurringPixId,
    frequency: "MONTHLY",
    startDate: request.startsOn,
    value: 19.9,
    paymentCreationMode: "MANUAL",
    immediateQrCode: { originalValue: 19.9 },
  });
  expect(made?.body).not.toHaveProperty("minLimitValue");
});

test("a mandate of variable amount sends its minimum amount, and no fixed value", async () => {
  const calls = await wire(() => provider.createRecurringPix(consentRequest(harness, null)));
  const made = calls.find(({ call }) => call === "POST /v3/pix/automatic/authorizations");
  expect(made?.body).toMatchObject({ minLimitValue: 5 });
  expect(made?.body).not.toHaveProperty("value");
});

test("a debit names its mandate and its date, and a retry names its debit instruction", async () => {
  const consent = await provider.createRecurringPix(consentRequest(harness));
  await harness.consent(consent.id, "approve");
  const request = debitSale(consent.id, harness.day(3));
  const ordered = await wire(() => provider.chargeRecurringPix(request));
  expect(ordered.find(({ call }) => call === "POST /v3/payments")?.body).toMatchObject({
    billingType: "PIX",
    dueDate: request.dueOn,
    pixAutomaticAuthorizationId: consent.id,
    externalReference: request.chargeId,
  });
  const charge = await provider.chargeByReference(request.chargeId);
  const [order] = await provider.instructionsOf(charge?.id ?? "");
  await harness.debit(order?.id ?? "", "refused");
  const retry = { instructionId: order?.id ?? "", dueOn: harness.day(4) };
  const retried = await wire(() => provider.retryInstruction(retry));
  expect(retried.at(-1)).toMatchObject({
    call: `POST /v3/pix/automatic/paymentInstructions/${order?.id}/retries`,
    body: { dueDate: retry.dueOn },
  });
  const again = await wire(() => provider.retryInstruction(retry));
  expect(again.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
});

test.each([
  ["email", "ana@coreto.test", { type: "EMAIL", key: "ana@coreto.test" }],
  ["phone", "+5511987654321", { type: "PHONE", key: "11987654321" }],
  [
    "evp",
    "9d3bfc2a-0a55-4f0e-8f0c-0c5f1b2a3c4d",
    { type: "EVP", key: "9d3bfc2a-0a55-4f0e-8f0c-0c5f1b2a3c4d" },
  ],
] as const)(
  "a key lookup (%s) is one call without a body, and does not send the expected owner",
  async (kind, key, query) => {
    const calls = await wire(() =>
      provider.pixKeyOwner({ kind, key, expected: { name: payer.name, taxId: payer.taxId ?? "" } }),
    );
    expect(calls).toEqual([
      {
        call: "GET /v3/pix/addressKeys/external",
        query,
        key: account.name,
        agent: "Coreto",
        body: null,
      },
    ]);
  },
);

test("a key that our account may not look up now is not reported as unknown", async () => {
  await expect(
    provider.pixKeyOwner({
      kind: "email",
      key: "limite@coreto.test",
      expected: { name: "Ana", taxId: "" },
    }),
  ).rejects.toBeInstanceOf(ProviderUnclear);
});

test("a sixth key lookup in a minute is not sent, and returns when to retry", async () => {
  const turns: string[] = [];
  const takeTurn = async (subject: string) => turns.length < 5 && turns.push(subject) > 0;
  const strict = asaasProvider({
    apiKey: account.name,
    webhookToken: tokens.current,
    apiUrl: `${account.origin}/v3`,
    now: () => testClock.now(),
    takeTurn,
    timeoutMs: 1_000,
  });
  const ask = () =>
    strict.pixKeyOwner({
      kind: "email",
      key: "ana@coreto.test",
      expected: { name: "Ana", taxId: "" },
    });
  const calls = await wire(async () => {
    for (let each = 0; each < 5; each += 1) await ask();
    await expect(ask()).rejects.toMatchObject({ retryAfterMs: 60_000 });
  });
  expect(calls).toHaveLength(5);
});

test("a refund whose response was lost is found and not created again", async () => {
  const charge = await provider.createPixCharge(pixSale(harness));
  await harness.pay(charge.id);
  const request = { refundId: testId(), providerChargeId: charge.id, amountCents: 500 };
  await account.break("no answer", 0, "^POST /v3/payments/[^/]+/refund$");
  await expect(provider.refund(request)).rejects.toBeInstanceOf(ProviderUnclear);
  const calls = await wire(() => provider.refund(request));
  expect(calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
  expect((await provider.chargeById(charge.id)).refundedCents).toBe(500);
});

test("two concurrent requests of the same refund create one, and the later one finds it", async () => {
  const charge = await provider.createPixCharge(pixSale(harness));
  await harness.pay(charge.id);
  const request = { refundId: testId(), providerChargeId: charge.id, amountCents: 500 };
  const calls = await wire(() => concurrently(2, () => provider.refund(request)));
  expect(calls.filter(({ call }) => call.startsWith("POST"))).toHaveLength(1);
  expect(await provider.refund(request)).toMatchObject({
    reference: request.refundId,
    amountCents: 500,
  });
  expect((await provider.chargeById(charge.id)).refundedCents).toBe(500);
});

async function debitable() {
  const { id } = await provider.createRecurringPix(consentRequest(harness));
  await harness.consent(id, "approve");
  return debitSale(id, harness.day(3));
}

test.each(["429", "no answer"])(
  "a debit that ended with %s is looked up, and not instructed again while it may still arrive",
  async (fault) => {
    const request = await debitable();
    await account.break(fault, 1, "^POST /v3/payments$");
    await expect(provider.chargeRecurringPix(request)).rejects.toBeInstanceOf(ProviderUnclear);
    const again = await wire(
      async () =>
        await Promise.allSettled([
          provider.chargeRecurringPix(request),
          provider.chargeRecurringPix(request),
        ]),
    );
    expect(again.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
    expect(await harness.chargesUnder(request.chargeId)).toBe(fault === "no answer" ? 1 : 0);
  },
);

test("concurrent requests instruct the same debit once, and concurrent retries retry it once", async () => {
  const request = await debitable();
  await concurrently(2, () => provider.chargeRecurringPix(request));
  expect(await harness.chargesUnder(request.chargeId)).toBe(1);
  const chargeId = (await provider.chargeByReference(request.chargeId))?.id ?? "";
  const [order] = await provider.instructionsOf(chargeId);
  await harness.debit(order?.id ?? "", "refused");
  await concurrently(2, () =>
    provider.retryInstruction({ instructionId: order?.id ?? "", dueOn: harness.day(4) }),
  );
  expect(await provider.instructionsOf(chargeId)).toHaveLength(2);
});

test("the balance is in centavos", async () => {
  expect(await provider.balance()).toEqual({ availableCents: 123_456, pendingCents: 2_802 });
});

test("a response that is not from the API leaves the outcome unclear", async () => {
  const elsewhere = asaasProvider({
    apiKey: "k",
    webhookToken: tokens.current,
    apiUrl: "http://127.0.0.1:9",
    now: () => testClock.now(),
    takeTurn: async () => true,
    timeoutMs: 1_000,
  });
  await expect(elsewhere.balance()).rejects.toBeInstanceOf(ProviderUnclear);
});

test("each list is requested by date and paged by offset; refunds are read from the statement", async () => {
  const since = harness.now();
  const made = [];
  for (let each = 0; each < 6; each += 1)
    made.push(await provider.createPixCharge(pixSale(harness)));
  const [charge] = made;
  await harness.pay(charge?.id ?? "");
  await provider.refund({
    refundId: testId(),
    providerChargeId: charge?.id ?? "",
    amountCents: 500,
  });
  let next: string | null = null;
  const [first] = await wire(
    async () => ({ next } = await provider.chargesSince({ since, cursor: null })),
  );
  expect(first).toMatchObject({
    call: "GET /v3/payments",
    query: { "dateCreated[ge]": harness.day(0), limit: "100", offset: "0" },
  });
  const [second] = await wire(() => provider.chargesSince({ since, cursor: next }));
  expect(second?.query).toEqual({ "dateCreated[ge]": harness.day(0), limit: "100", offset: next });
  const [transfers, chargebacks, statement, ...ofPayments] = await wire(async () => {
    await provider.transfersSince({ since, cursor: null });
    await provider.disputesSince({ since, cursor: null });
    await provider.refundsSince({ since, cursor: null });
  });
  expect(transfers).toMatchObject({
    call: "GET /v3/transfers",
    query: { "dateCreated[ge]": harness.day(0), limit: "100", offset: "0" },
  });
  expect(chargebacks).toMatchObject({
    call: "GET /v3/chargebacks",
    query: { limit: "100", offset: "0" },
  });
  expect(statement).toMatchObject({
    call: "GET /v3/financialTransactions",
    query: { startDate: harness.day(0), limit: "50", offset: "0" },
  });
  // Each refunded payment is read once.
  expect(ofPayments.map(({ call }) => call)).toContain(`GET /v3/payments/${charge?.id}/refunds`);
  expect(new Set(ofPayments.map(({ call }) => call)).size).toBe(ofPayments.length);
});

test("a 403 leaves the outcome unclear", async () => {
  await account.break("403", 0, "^GET /v3/finance/balance");
  await expect(provider.balance()).rejects.toBeInstanceOf(ProviderUnclear);
});
